// A clocked block: adds two registers lane by lane, and counts the additions.
module lane_add (
    input               clk,
    input               rst,
    input      [1023:0] a,
    input      [1023:0] b,
    input      [31:0]   active,
    output reg [1023:0] sum,    // 0 in lanes that are not active
    output reg [31:0]   count   // number of additions before this one
);

  integer lane;

  always @*
    for (lane = 0; lane < 32; lane = lane + 1)
      sum[32*lane+:32] = active[lane] ? a[32*lane+:32] + b[32*lane+:32] : 32'd0;

  always @(posedge clk) count <= rst ? 32'd0 : count + 1'b1;

endmodule
