// Power gating of a group of sibling domains, for example the INT pipelines of two clusters. Each domain has
// a state machine. The decisions about sleep and wake-up consider the whole group (Abdel-Majeed 2016, 2.3 and
// 3.4).
//
//                         +--------------------------------- state, timers
//    in_use --> cluster_gate[i] -- idle, idle_enough --> sleep_select --> sleep[i] --+
//    busy       ^     ^      |                            ^ waiting                  |
//               |     |      +-- state, just_paid ------> wake_select --> wake[i] ---+
//               |     |                                   ^                          |
//               |     |         demand --> sibling_wait --+                          |
//               |     |         called ------- by_issue ----+                          |
//               |     +--------------------------------------------------------------+
//               +-- idle_detect, break_even, wake_up_time
//
// The inputs of a cycle determine `sleep` and `wake` in the same cycle. The states change with the clock edge
// at the end of the cycle.
module gating_controller #(
    parameter CLUSTERS = 2,
    parameter IDLE_W = 4,
    parameter TIME_W = 5,
    parameter WAITING_W = 5,
    parameter DEMAND_W = 2
) (
    input                        clk,
    input                        begin_kernel,
    input  [1:0]                 mode,          // 0 conventional, 1 naive, 2 coordinated blackout
    input  [IDLE_W-1:0]          idle_detect,
    input  [TIME_W-1:0]          break_even,
    input  [TIME_W-1:0]          wake_up_time,
    input                        at_break_even, // 1: a blackout ends after the break-even time; 0: one cycle later
    input  [TIME_W-1:0]          sibling_wake_cycles,
    input  [CLUSTERS-1:0]        in_use,        // an instruction is in the domain, so it cannot be gated
    input  [CLUSTERS-1:0]        busy,          // this cycle does not count as idle
    input  [WAITING_W-1:0]       waiting,       // warps that wait for the group: INT_ACTV or FP_ACTV of the paper
    input  [DEMAND_W-1:0]        demand,        // instructions that issue now, or could issue if no domain were gated
    input                        by_issue,      // 1: an issue to a gated domain wakes it; `demand` is ignored
    input  [CLUSTERS-1:0]        called,        // domains that are not on, but have an issued instruction
    output [CLUSTERS-1:0]        sleep,
    output [CLUSTERS-1:0]        wake,
    output [CLUSTERS-1:0]        critical,      // wake-ups decided in the first cycle after the break-even time
    output [2*CLUSTERS-1:0]      state,         // 0 on, 1 uncompensated, 2 compensated, 3 waking up
    output [TIME_W*CLUSTERS-1:0] timer,
    output [IDLE_W*CLUSTERS-1:0] idle_count
);

  localparam [1:0] CONVENTIONAL = 2'd0, COORDINATED = 2'd2;

  wire [CLUSTERS-1:0] on, uncompensated, compensated, idle, idle_enough, just_paid, last_unpaid;
  wire [DEMAND_W-1:0] pressing;
  wire [CLUSTERS-1:0] by_demand;
  wire [CLUSTERS-1:0] second =
      mode == CONVENTIONAL ? uncompensated : at_break_even ? last_unpaid : {CLUSTERS{1'b0}};

  genvar g;
  generate
    for (g = 0; g < CLUSTERS; g = g + 1) begin : cluster
      cluster_gate #(
          .IDLE_W(IDLE_W),
          .TIME_W(TIME_W)
      ) gate (
          .clk(clk),
          .begin_kernel(begin_kernel),
          .in_use(in_use[g]),
          .busy(busy[g]),
          .idle_detect(idle_detect),
          .break_even(break_even),
          .wake_up_time(wake_up_time),
          .sleep(sleep[g]),
          .wake(wake[g]),
          .state(state[2*g+:2]),
          .timer(timer[TIME_W*g+:TIME_W]),
          .idle_count(idle_count[IDLE_W*g+:IDLE_W]),
          .idle(idle[g]),
          .idle_enough(idle_enough[g]),
          .just_paid(just_paid[g]),
          .last_unpaid(last_unpaid[g])
      );
      assign on[g] = state[2*g+:2] == 2'd0;
      assign uncompensated[g] = state[2*g+:2] == 2'd1;
      assign compensated[g] = state[2*g+:2] == 2'd2;
    end
  endgenerate

  sleep_select #(
      .CLUSTERS(CLUSTERS)
  ) sleepers (
      .coordinated(mode == COORDINATED),
      .waiting(|waiting),
      .on(on),
      .gated(uncompensated | compensated),
      .idle(idle),
      .idle_enough(idle_enough),
      .sleep(sleep)
  );

  sibling_wait #(
      .CLUSTERS(CLUSTERS),
      .DEMAND_W(DEMAND_W),
      .TIME_W(TIME_W)
  ) lasting (
      .clk(clk),
      .begin_kernel(begin_kernel),
      .cycles(sibling_wake_cycles),
      .demand(demand),
      .up(~uncompensated & ~compensated),
      .shown(pressing)
  );

  wake_select #(
      .CLUSTERS(CLUSTERS),
      .DEMAND_W(DEMAND_W)
  ) wakers (
      .demand(pressing),
      .up(~uncompensated & ~compensated),
      .first(compensated),
      .second(second),
      .wake(by_demand)
  );

  assign wake = by_issue ? called & (compensated | second) : by_demand;

  assign critical = wake & (at_break_even && mode != CONVENTIONAL ? last_unpaid : just_paid);

endmodule
