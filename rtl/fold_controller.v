// Decides whether INT instructions and FP instructions are folded, that is, executed in two passes on half of
// the lanes (Abdel-Majeed 2016, 4.3.1.1). The decision is made when a phase begins. It depends on the types
// of the active warps' next instructions (INT-Count, FP-Count), and on the issue slots used in the previous
// phase.
//
// `issued` is the number of issue slots used in the previous cycle. A decision therefore also counts the
// slots used in the last cycle of a phase.
module fold_controller #(
    parameter COUNT_W = 6,    // width in bits of a count of warps
    parameter SLOTS_W = 2,    // width in bits of the number of slots used in a cycle
    parameter PHASE_W = 9,    // width in bits of the cycle count of a phase
    parameter ISSUED_W = 10   // width in bits of the slot count of a phase
) (
    input                     clk,
    input                     rst,
    // settings
    input      [PHASE_W-1:0]  phase_cycles,
    input      [PHASE_W-1:0]  aggressive_cycles,    // cycles of a phase in which the less frequent type folds
    input      [PHASE_W-1:0]  conservative_cycles,  // cycles of a phase in which the more frequent type folds
    input                     adaptive,
    input      [ISSUED_W-1:0] busy_slots,           // after this many used slots, the next phase does not fold
    // values of this cycle
    input                     begin_kernel,
    input      [COUNT_W-1:0]  int_count,
    input      [COUNT_W-1:0]  fp_count,
    input      [SLOTS_W-1:0]  issued,
    output                    fold_int,
    output                    fold_fp,
    // registers
    output reg [PHASE_W-1:0]  left,        // remaining cycles of the phase, including this one; 0: a phase begins
    output reg [ISSUED_W-1:0] used,        // slots used so far in the phase
    output reg [PHASE_W-1:0]  int_left,    // remaining cycles in which INT folds, including this one
    output reg [PHASE_W-1:0]  fp_left
);

  localparam [PHASE_W-1:0] ONE = 1;

  wire [ISSUED_W:0] sum = {1'b0, used} + {{(ISSUED_W + 1 - SLOTS_W){1'b0}}, issued};
  wire [ISSUED_W-1:0] used_now = sum[ISSUED_W] ? {ISSUED_W{1'b1}} : sum[ISSUED_W-1:0];
  wire begins = begin_kernel || left == 0;
  wire folds = begin_kernel || !adaptive || used_now < busy_slots;
  wire more_fp = fp_count > int_count;

  wire [PHASE_W-1:0] int_now =
      !begins ? int_left : !folds ? {PHASE_W{1'b0}} : more_fp ? aggressive_cycles : conservative_cycles;
  wire [PHASE_W-1:0] fp_now =
      !begins ? fp_left : !folds ? {PHASE_W{1'b0}} : more_fp ? conservative_cycles : aggressive_cycles;

  assign fold_int = int_now != 0;
  assign fold_fp = fp_now != 0;

  always @(posedge clk)
    if (rst) begin
      left <= 0;
      used <= 0;
      int_left <= 0;
      fp_left <= 0;
    end else begin
      left <= begins ? phase_cycles - ONE : left - ONE;
      used <= begins ? {ISSUED_W{1'b0}} : used_now;
      int_left <= fold_int ? int_now - ONE : {PHASE_W{1'b0}};
      fp_left <= fold_fp ? fp_now - ONE : {PHASE_W{1'b0}};
    end

endmodule
