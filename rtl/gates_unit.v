// The warp scheduler GATES (Abdel-Majeed 2016, 3.3): the type counters and the priority logic.
//
//    enter, leave --> type_counters -- INT_ACTV, FP_ACTV, *_RDY --> gates_priority --> types of the issue slots
//                                       awake, blackout, slots -----^
module gates_unit #(
    parameter COUNT_W = 6,
    parameter SLOTS = 2,
    parameter SLOTS_W = 2,
    parameter SWITCH_W = 1
) (
    input                  clk,
    input                  rst,
    // settings
    input                  switch_on_blackout,
    input  [SWITCH_W-1:0]  max_switch_cycles,
    input                  switch_on_no_ready,
    // changes at the end of this cycle
    input  [2*COUNT_W-1:0] active_enter,
    input  [2*COUNT_W-1:0] active_leave,
    input  [4*COUNT_W-1:0] ready_enter,
    input  [4*COUNT_W-1:0] ready_leave,
    // values of this cycle
    input  [SLOTS_W-1:0]   slots,
    input  [3:0]           awake,
    input  [1:0]           blackout,
    output                 fp_highest,
    output [2*SLOTS-1:0]   slot_type,
    output [SLOTS-1:0]     slot_used,
    // registers
    output [2*COUNT_W-1:0] active,
    output [4*COUNT_W-1:0] ready,
    output                 fp_highest_before,
    output [SWITCH_W-1:0]  waited
);

  type_counters #(
      .COUNT_W(COUNT_W)
  ) counters (
      .clk(clk),
      .rst(rst),
      .active_enter(active_enter),
      .active_leave(active_leave),
      .ready_enter(ready_enter),
      .ready_leave(ready_leave),
      .active(active),
      .ready(ready)
  );

  gates_priority #(
      .COUNT_W(COUNT_W),
      .SLOTS(SLOTS),
      .SLOTS_W(SLOTS_W),
      .SWITCH_W(SWITCH_W)
  ) priorities (
      .clk(clk),
      .rst(rst),
      .switch_on_blackout(switch_on_blackout),
      .max_switch_cycles(max_switch_cycles),
      .switch_on_no_ready(switch_on_no_ready),
      .slots(slots),
      .active(active),
      .ready(ready),
      .awake(awake),
      .blackout(blackout),
      .fp_highest(fp_highest),
      .slot_type(slot_type),
      .slot_used(slot_used),
      .fp_highest_before(fp_highest_before),
      .waited(waited)
  );

endmodule
