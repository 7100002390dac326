// As lane_add.v, with a fault: one addition is not counted.
module lane_add (
    input               clk,
    input               rst,
    input      [1023:0] a,
    input      [1023:0] b,
    input      [31:0]   active,
    output reg [1023:0] sum,    // 0 in lanes that are not active
    output reg [31:0]   count   // additions before this one
);

  integer lane;

  always @*
    for (lane = 0; lane < 32; lane = lane + 1)
      sum[32*lane+:32] = active[lane] ? a[32*lane+:32] + b[32*lane+:32] : 32'd0;

  always @(posedge clk) count <= rst ? 32'd0 : count + (count == 32'd100 ? 32'd0 : 32'd1);

endmodule
