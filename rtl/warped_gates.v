// The hardware that Warped-Gates adds to an SM (Abdel-Majeed 2016, Fig. 3.6): GATES, a group of INT clusters
// and a group of FP clusters. Both groups are power-gated by coordinated blackout with adaptive idle-detect.
// Settings are constants here, as in a chip built for one setting, so that unused counters, comparators and
// modes are removed.
//
//                   +-------------------------- awake, blackout ---------------------------+
//                   v                                                                      |
//    enter, leave --> gates_unit -- INT_ACTV --> gating_unit (INT) --> int_off, int_awake -+
//                         |      -- FP_ACTV ---> gating_unit (FP) ---> fp_off, fp_awake ---+
//                         +--> slot_type, slot_used
module warped_gates #(
    parameter CLUSTERS = 2,        // clusters of each type (INT, FP)
    parameter COUNT_W = 6,         // width in bits of a count of warps
    parameter IDLE_DETECT = 5,     // initial and lowest idle-detect value (Abdel-Majeed 2016, 3.4.1)
    parameter IDLE_DETECT_HIGH = 10,
    parameter BREAK_EVEN = 14,     // break-even time in cycles (Abdel-Majeed 2016, 3.6.1)
    parameter WAKE_UP = 3,
    parameter EPOCH_CYCLES = 1000,
    parameter THRESHOLD = 5,
    parameter CALM_EPOCHS = 4
) (
    input                  clk,
    input                  rst,
    input                  begin_kernel,
    input  [2*COUNT_W-1:0] active_enter,
    input  [2*COUNT_W-1:0] active_leave,
    input  [4*COUNT_W-1:0] ready_enter,
    input  [4*COUNT_W-1:0] ready_leave,
    input  [1:0]           slots,
    input                  sfu_awake,
    input                  ldst_awake,
    input  [CLUSTERS-1:0]  int_in_use,
    input  [CLUSTERS-1:0]  fp_in_use,
    input  [CLUSTERS-1:0]  int_busy,
    input  [CLUSTERS-1:0]  fp_busy,
    input  [1:0]           int_demand,
    input  [1:0]           fp_demand,
    output [3:0]           slot_type,
    output [1:0]           slot_used,
    output [CLUSTERS-1:0]  int_off,     // to the sleep transistors
    output [CLUSTERS-1:0]  fp_off,
    output [CLUSTERS-1:0]  int_awake,   // to the issue logic
    output [CLUSTERS-1:0]  fp_awake
);

  localparam IDLE_W = 4, TIME_W = 5, EPOCH_W = 10, CRITICAL_W = 3, CALM_W = 3;
  localparam [1:0] COORDINATED = 2'd2;

  wire [2*COUNT_W-1:0] active;
  wire [2*CLUSTERS-1:0] int_state, fp_state;

  gates_unit #(
      .COUNT_W(COUNT_W)
  ) gates (
      .clk(clk),
      .rst(rst),
      .switch_on_blackout(1'b1),
      .max_switch_cycles(1'b0),
      .switch_on_no_ready(1'b0),
      .active_enter(active_enter),
      .active_leave(active_leave),
      .ready_enter(ready_enter),
      .ready_leave(ready_leave),
      .slots(slots),
      .awake({ldst_awake, sfu_awake, |fp_awake, |int_awake}),
      .blackout({&fp_off, &int_off}),
      .fp_highest(),
      .slot_type(slot_type),
      .slot_used(slot_used),
      .active(active),
      .ready(),
      .fp_highest_before(),
      .waited()
  );

  gating_unit #(
      .CLUSTERS(CLUSTERS),
      .IDLE_W(IDLE_W),
      .TIME_W(TIME_W),
      .WAITING_W(COUNT_W),
      .EPOCH_W(EPOCH_W),
      .CRITICAL_W(CRITICAL_W),
      .CALM_W(CALM_W)
  ) int_gating (
      .clk(clk),
      .rst(rst),
      .begin_kernel(begin_kernel),
      .mode(COORDINATED),
      .adaptive(1'b1),
      .idle_detect_initial(IDLE_DETECT[IDLE_W-1:0]),
      .idle_detect_low(IDLE_DETECT[IDLE_W-1:0]),
      .idle_detect_high(IDLE_DETECT_HIGH[IDLE_W-1:0]),
      .break_even(BREAK_EVEN[TIME_W-1:0]),
      .wake_up_time(WAKE_UP[TIME_W-1:0]),
      .epoch_cycles(EPOCH_CYCLES[EPOCH_W-1:0]),
      .threshold(THRESHOLD[CRITICAL_W-1:0]),
      .calm_epochs(CALM_EPOCHS[CALM_W-1:0]),
      .at_break_even(1'b0),
      .sibling_wake_cycles({{TIME_W - 1{1'b0}}, 1'b1}),
      .in_use(int_in_use),
      .busy(int_busy),
      .waiting(active[COUNT_W-1:0]),
      .demand(int_demand),
      .by_issue(1'b0),
      .called({CLUSTERS{1'b0}}),
      .sleep(),
      .wake(),
      .state(int_state),
      .timer(),
      .idle_count(),
      .idle_detect(),
      .epoch_count(),
      .critical_count(),
      .calm_count()
  );

  gating_unit #(
      .CLUSTERS(CLUSTERS),
      .IDLE_W(IDLE_W),
      .TIME_W(TIME_W),
      .WAITING_W(COUNT_W),
      .EPOCH_W(EPOCH_W),
      .CRITICAL_W(CRITICAL_W),
      .CALM_W(CALM_W)
  ) fp_gating (
      .clk(clk),
      .rst(rst),
      .begin_kernel(begin_kernel),
      .mode(COORDINATED),
      .adaptive(1'b1),
      .idle_detect_initial(IDLE_DETECT[IDLE_W-1:0]),
      .idle_detect_low(IDLE_DETECT[IDLE_W-1:0]),
      .idle_detect_high(IDLE_DETECT_HIGH[IDLE_W-1:0]),
      .break_even(BREAK_EVEN[TIME_W-1:0]),
      .wake_up_time(WAKE_UP[TIME_W-1:0]),
      .epoch_cycles(EPOCH_CYCLES[EPOCH_W-1:0]),
      .threshold(THRESHOLD[CRITICAL_W-1:0]),
      .calm_epochs(CALM_EPOCHS[CALM_W-1:0]),
      .at_break_even(1'b0),
      .sibling_wake_cycles({{TIME_W - 1{1'b0}}, 1'b1}),
      .in_use(fp_in_use),
      .busy(fp_busy),
      .waiting(active[2*COUNT_W-1:COUNT_W]),
      .demand(fp_demand),
      .by_issue(1'b0),
      .called({CLUSTERS{1'b0}}),
      .sleep(),
      .wake(),
      .state(fp_state),
      .timer(),
      .idle_count(),
      .idle_detect(),
      .epoch_count(),
      .critical_count(),
      .calm_count()
  );

  genvar g;
  generate
    for (g = 0; g < CLUSTERS; g = g + 1) begin : power
      assign int_off[g] = int_state[2*g+:2] == 2'd1 || int_state[2*g+:2] == 2'd2;
      assign fp_off[g] = fp_state[2*g+:2] == 2'd1 || fp_state[2*g+:2] == 2'd2;
      assign int_awake[g] = int_state[2*g+:2] == 2'd0;
      assign fp_awake[g] = fp_state[2*g+:2] == 2'd0;
    end
  endgenerate

endmodule
