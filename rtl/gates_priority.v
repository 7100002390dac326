// The priority logic of GATES (Abdel-Majeed 2016, 3.3.1): decides whether INT or FP has the highest priority,
// and selects the instruction type of each issue slot.
//
// Order: INT/FP > LDST > SFU > FP/INT. The highest and the lowest type change places in three cases:
// - The highest type has no active warp, and the lowest type has an active warp. With switch_on_no_ready,
//   ready warps count instead of active warps.
// - All clusters of the highest type are in blackout (gated). The lowest type has active warps and is not in
//   blackout.
// - The lowest type has had active warps for max_switch_cycles cycles, and is not in blackout.
//
// A change of places affects the slots of the same cycle.
module gates_priority #(
    parameter COUNT_W = 6,
    parameter SLOTS = 2,
    parameter SLOTS_W = 2,   // width in bits of the number of slots
    parameter SWITCH_W = 1   // width in bits of max_switch_cycles
) (
    input                      clk,
    input                      rst,
    // settings
    input                      switch_on_blackout,
    input      [SWITCH_W-1:0]  max_switch_cycles,  // 0: no limit
    input                      switch_on_no_ready,
    // values of this cycle
    input      [SLOTS_W-1:0]   slots,              // remaining issue slots
    input      [2*COUNT_W-1:0] active,             // INT_ACTV, FP_ACTV
    input      [4*COUNT_W-1:0] ready,              // INT_RDY, FP_RDY, SFU_RDY, LDST_RDY
    input      [3:0]           awake,              // for each type: some unit accepts instructions
    input      [1:0]           blackout,           // INT, FP: all clusters are gated
    output                     fp_highest,
    output reg [2*SLOTS-1:0]   slot_type,
    output reg [SLOTS-1:0]     slot_used,
    // registers
    output reg                 fp_highest_before,
    output reg [SWITCH_W-1:0]  waited              // cycles for which the lowest type has had active warps
);

  localparam [1:0] INT = 2'd0, FP = 2'd1, SFU = 2'd2, LDST = 2'd3;
  localparam [SWITCH_W-1:0] ONE = 1;
  localparam [SLOTS_W-1:0] ALL_SLOTS = SLOTS[SLOTS_W-1:0];
  localparam [COUNT_W-1:0] AT_MOST = SLOTS[COUNT_W-1:0];

  wire [1:0] some = {|active[2*COUNT_W-1:COUNT_W], |active[COUNT_W-1:0]};
  wire some_high = some[fp_highest_before];
  wire some_low = some[!fp_highest_before];
  wire dark_high = switch_on_blackout && blackout[fp_highest_before];
  wire dark_low = switch_on_blackout && blackout[!fp_highest_before];
  wire [1:0] any_ready = {|ready[2*COUNT_W-1:COUNT_W], |ready[COUNT_W-1:0]};
  wire empty_high = switch_on_no_ready ?
      !any_ready[fp_highest_before] && any_ready[!fp_highest_before] : !some_high;
  wire empty_low = switch_on_no_ready ?
      !any_ready[!fp_highest_before] && any_ready[fp_highest_before] : !some_low;
  wire limited = max_switch_cycles != 0;
  wire long_enough = limited && waited >= max_switch_cycles;
  wire switch = some_low && (empty_high || ((dark_high || long_enough) && !dark_low && !empty_low));

  assign fp_highest = fp_highest_before ^ switch;

  always @(posedge clk)
    if (rst) begin
      fp_highest_before <= 1'b0;
      waited <= 0;
    end else begin
      fp_highest_before <= fp_highest;
      if (!some_low || !limited) waited <= 0;
      else if (switch) waited <= some_high ? ONE : {SWITCH_W{1'b0}};
      else if (!long_enough) waited <= waited + 1'b1;
    end

  // Grants slots to the types in the order of their priority. Each type gets as many slots as it has ready
  // instructions, if enough slots are left.
  reg [4*SLOTS_W-1:0] left;  // for each type: ready instructions that have no slot yet, at most the number of slots
  reg [1:0] kind;
  integer s, place, k;

  always @* begin
    for (k = 0; k < 4; k = k + 1)
      left[SLOTS_W*k+:SLOTS_W] = !awake[k] ? {SLOTS_W{1'b0}} :
          ready[COUNT_W*k+:COUNT_W] > AT_MOST ? ALL_SLOTS : ready[COUNT_W*k+:SLOTS_W];
    kind = INT;
    slot_type = {2 * SLOTS{1'b0}};
    slot_used = {SLOTS{1'b0}};
    for (s = 0; s < SLOTS; s = s + 1)
      for (place = 0; place < 4; place = place + 1) begin
        case (place)
          0: kind = fp_highest ? FP : INT;
          1: kind = LDST;
          2: kind = SFU;
          default: kind = fp_highest ? INT : FP;
        endcase
        if (s < {{(32-SLOTS_W){1'b0}}, slots} && !slot_used[s] && left[SLOTS_W*kind+:SLOTS_W] != 0) begin
          slot_used[s] = 1'b1;
          slot_type[2*s+:2] = kind;
          left[SLOTS_W*kind+:SLOTS_W] = left[SLOTS_W*kind+:SLOTS_W] - 1'b1;
        end
      end
  end

endmodule
