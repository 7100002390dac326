// The table of active masks of COMA (Abdel-Majeed 2016, 5.4.1), with one entry per collector. An instruction
// writes the entry of its collector when it allocates the collector. Each access of the collector reads the
// entry. A segment of the divided word line is driven if one of the segment's lanes is active.
module coma_masks #(
    parameter COLLECTORS = 16,
    parameter NUMBER_W = 4,  // width in bits of a collector's number
    parameter SEGMENT = 1    // number of lanes of a segment
) (
    input                     clk,
    input                     rst,
    input                     write,
    input      [NUMBER_W-1:0] collector,
    input      [31:0]         mask,
    output reg [31:0]         driven
);

  reg [COLLECTORS*32-1:0] masks;
  wire [31:0] active = masks[{collector, 5'd0} +: 32];
  integer i;

  always @* begin
    for (i = 0; i < 32; i = i + 1)
      driven[i] = |active[(i / SEGMENT) * SEGMENT +: SEGMENT];
  end

  always @(posedge clk) begin
    if (rst) masks <= 0;
    else if (write) masks[{collector, 5'd0} +: 32] <= mask;
  end

endmodule
