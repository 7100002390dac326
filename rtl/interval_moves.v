// The register moves of the interval-file (Sadrosadati 2018, LTRF). They happen when a warp changes from one
// register interval (region of code) to the next. The block computes which registers leave the interval-file.
// Of these, dirty and live registers are written to the stage below. For each bank, it selects the next
// register to write out and the next register to bring in. A register that comes in is read from the stage
// below if it is live. Register r belongs to bank r modulo BANKS.
module interval_moves #(
    parameter REGS = 256,
    parameter REG_W = 8,
    parameter BANKS = 4
) (
    input      [       REGS-1:0] held,       // registers in the interval-file: those of the old interval
    input      [       REGS-1:0] dirty,
    input      [       REGS-1:0] live,
    input      [       REGS-1:0] wanted,     // registers of the new interval
    output     [       REGS-1:0] leave,
    output     [       REGS-1:0] back,
    output reg [      BANKS-1:0] out_valid,
    output reg [BANKS*REG_W-1:0] out_register,
    output reg [      BANKS-1:0] in_valid,
    output reg [BANKS*REG_W-1:0] in_register,
    output reg [      BANKS-1:0] in_reads
);

  assign leave = held & ~wanted;
  assign back = leave & dirty & live;
  wire [REGS-1:0] enter = wanted & ~held;
  integer r;

  always @* begin
    out_valid = 0;
    out_register = 0;
    in_valid = 0;
    in_register = 0;
    in_reads = 0;
    for (r = REGS - 1; r >= 0; r = r - 1) begin
      if (back[r]) begin
        out_valid[r%BANKS] = 1'b1;
        out_register[(r%BANKS)*REG_W+:REG_W] = r[REG_W-1:0];
      end
      if (enter[r]) begin
        in_valid[r%BANKS] = 1'b1;
        in_register[(r%BANKS)*REG_W+:REG_W] = r[REG_W-1:0];
        in_reads[r%BANKS] = live[r];
      end
    end
  end

endmodule
