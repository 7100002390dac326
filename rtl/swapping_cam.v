// The swapping table as a CAM (Abdel-Majeed 2016, 6.3.1, Fig. 6.6), with two entries {valid, register, row}
// for each pair of swapped registers. A register without an entry is in the row that has its number.
module swapping_cam #(
    parameter PAIRS = 4,
    parameter REG_W = 6
) (
    input                        clk,
    input                        rst,
    input                        load,
    input      [PAIRS-1:0]       valid,     // valid bits of the loaded pairs
    input      [PAIRS*REG_W-1:0] slow,      // first register of each pair, which swaps rows with its register in `fast`
    input      [PAIRS*REG_W-1:0] fast,      // second register of each pair
    input      [REG_W-1:0]       register_number,
    output reg [REG_W-1:0]       row
);

  reg [PAIRS-1:0] held;
  reg [PAIRS*REG_W-1:0] slow_held, fast_held;
  integer i;

  always @* begin
    row = register_number;
    for (i = 0; i < PAIRS; i = i + 1) begin
      if (held[i] && slow_held[i*REG_W +: REG_W] == register_number) row = fast_held[i*REG_W +: REG_W];
      if (held[i] && fast_held[i*REG_W +: REG_W] == register_number) row = slow_held[i*REG_W +: REG_W];
    end
  end

  always @(posedge clk) begin
    if (rst) begin
      held <= 0;
      slow_held <= 0;
      fast_held <= 0;
    end else if (load) begin
      held <= valid;
      slow_held <= slow;
      fast_held <= fast;
    end
  end

endmodule
