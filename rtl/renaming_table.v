// The renaming table (Jeon 2015, 7.1, Fig. 6). For each register of each warp, it holds the register's entry
// in the register file, if the register has an entry. The table is read and written by {warp, register}. A
// written value can be read from the next cycle on.
module renaming_table #(
    parameter WARPS = 2,
    parameter REGS = 8,
    parameter ENTRY_W = 10,
    parameter WARP_W = 1,
    parameter REG_W = 3
) (
    input                clk,
    input                rst,
    input                gets,      // maps register_number of the warp to `place`
    input                loses,     // unmaps the register
    input  [WARP_W-1:0]  warp,
    input  [REG_W-1:0]   register_number,
    input  [ENTRY_W-1:0] place,
    output               mapped,
    output [ENTRY_W-1:0] entry
);

  localparam WORDS = WARPS * REGS;

  reg [WORDS-1:0] held;
  reg [WORDS*ENTRY_W-1:0] entries;
  wire [31:0] word = {{(32-WARP_W){1'b0}}, warp} * REGS + {{(32-REG_W){1'b0}}, register_number};
  wire [WARP_W+REG_W-1:0] index = word[WARP_W+REG_W-1:0];

  assign mapped = held[index];
  assign entry = entries[index*ENTRY_W +: ENTRY_W];

  always @(posedge clk) begin
    if (rst) begin
      held <= 0;
      entries <= 0;
    end else begin
      if (gets) entries[index*ENTRY_W +: ENTRY_W] <= place;
      if (gets || loses) held[index] <= gets;
    end
  end

endmodule
