// Power gating of one unit type: the controller of its domains, and the idle-detect value that the controller
// uses.
//
//    settings --> adaptive_idle_detect -- idle_detect --> gating_controller --> sleep, wake, state
//                         ^                                      |
//                         +-------------- critical --------------+
//
// Settings are inputs, so that one block serves every configuration. If a user of the block ties them to
// constants (warped_gates.v), synthesis removes the logic that the constants make unnecessary.
module gating_unit #(
    parameter CLUSTERS = 2,
    parameter IDLE_W = 4,
    parameter TIME_W = 5,
    parameter WAITING_W = 5,
    parameter DEMAND_W = 2,
    parameter EPOCH_W = 10,
    parameter CRITICAL_W = 3,
    parameter CALM_W = 3
) (
    input                        clk,
    input                        rst,           // power-on: idle-detect gets its initial value
    input                        begin_kernel,  // all domains on; idle-detect is unchanged
    // settings
    input  [1:0]                 mode,
    input                        adaptive,
    input  [IDLE_W-1:0]          idle_detect_initial,
    input  [IDLE_W-1:0]          idle_detect_low,
    input  [IDLE_W-1:0]          idle_detect_high,
    input  [TIME_W-1:0]          break_even,
    input  [TIME_W-1:0]          wake_up_time,
    input  [EPOCH_W-1:0]         epoch_cycles,
    input  [CRITICAL_W-1:0]      threshold,
    input  [CALM_W-1:0]          calm_epochs,
    input                        at_break_even,
    input  [TIME_W-1:0]          sibling_wake_cycles,
    input                        by_issue,
    // inputs of this cycle
    input  [CLUSTERS-1:0]        in_use,
    input  [CLUSTERS-1:0]        busy,
    input  [WAITING_W-1:0]       waiting,
    input  [DEMAND_W-1:0]        demand,
    input  [CLUSTERS-1:0]        called,
    output [CLUSTERS-1:0]        sleep,
    output [CLUSTERS-1:0]        wake,
    // registers
    output [2*CLUSTERS-1:0]      state,
    output [TIME_W*CLUSTERS-1:0] timer,
    output [IDLE_W*CLUSTERS-1:0] idle_count,
    output [IDLE_W-1:0]          idle_detect,
    output [EPOCH_W-1:0]         epoch_count,
    output [CRITICAL_W-1:0]      critical_count,
    output [CALM_W-1:0]          calm_count
);

  wire [CLUSTERS-1:0] critical;

  adaptive_idle_detect #(
      .CLUSTERS(CLUSTERS),
      .IDLE_W(IDLE_W),
      .EPOCH_W(EPOCH_W),
      .CRITICAL_W(CRITICAL_W),
      .CALM_W(CALM_W)
  ) adapt (
      .clk(clk),
      .rst(rst),
      .begin_kernel(begin_kernel),
      .enable(adaptive),
      .critical(critical),
      .initial_value(idle_detect_initial),
      .low(idle_detect_low),
      .high(idle_detect_high),
      .epoch_cycles(epoch_cycles),
      .threshold(threshold),
      .calm_epochs(calm_epochs),
      .idle_detect(idle_detect),
      .epoch_count(epoch_count),
      .critical_count(critical_count),
      .calm_count(calm_count)
  );

  gating_controller #(
      .CLUSTERS(CLUSTERS),
      .IDLE_W(IDLE_W),
      .TIME_W(TIME_W),
      .WAITING_W(WAITING_W),
      .DEMAND_W(DEMAND_W)
  ) control (
      .clk(clk),
      .begin_kernel(rst || begin_kernel),
      .mode(mode),
      .idle_detect(idle_detect),
      .break_even(break_even),
      .wake_up_time(wake_up_time),
      .at_break_even(at_break_even),
      .sibling_wake_cycles(sibling_wake_cycles),
      .in_use(in_use),
      .busy(busy),
      .waiting(waiting),
      .demand(demand),
      .by_issue(by_issue),
      .called(called),
      .sleep(sleep),
      .wake(wake),
      .critical(critical),
      .state(state),
      .timer(timer),
      .idle_count(idle_count)
  );

endmodule
