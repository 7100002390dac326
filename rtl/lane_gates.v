// Power gating inside a pipeline (Abdel-Majeed 2016, 4.3.3). Each lane is a power domain. With `LANES` = 2, each half
// of the pipeline's lanes is one power domain. The block contains the idle counters of the domains and the
// controllers of their sleep transistors (2.3, Fig. 2.5c). State of a lane: 0 on, 1 gated for less than the
// break-even time, 2 gated for longer, 3 waking up.
module lane_gates #(
    parameter LANES = 32,
    parameter IDLE_W = 3,
    parameter TIME_W = 5
) (
    input                    clk,
    input                    rst,
    input                    begin_kernel,
    input      [LANES-1:0]   busy,
    input      [LANES-1:0]   in_use,
    input      [LANES-1:0]   wanted,   // an instruction needs the lane: if the lane is on, it stays on
    input      [LANES-1:0]   asked,    // an instruction needs the lane: if the lane is gated, it wakes
    input      [LANES-1:0]   spared,
    input      [IDLE_W-1:0]  idle_detect,
    input      [TIME_W-1:0]  break_even,
    input      [TIME_W-1:0]  wake_up_time,
    output reg [2*LANES-1:0] state,
    output     [LANES-1:0]   sleep,
    output reg [LANES-1:0]   wake
);

  localparam [1:0] ON = 2'd0, UNCOMPENSATED = 2'd1, COMPENSATED = 2'd2, WAKE_UP = 2'd3;
  localparam [TIME_W:0] ONE = 1;

  reg [TIME_W*LANES-1:0] timer;  // for each lane: cycles so far in the lane's present state, without this cycle
  reg [LANES-1:0] on;
  integer i;

  lane_counters #(
      .LANES(LANES),
      .IDLE_W(IDLE_W)
  ) counters (
      .clk(clk),
      .rst(rst),
      .begin_kernel(begin_kernel),
      .on(on),
      .busy(busy),
      .in_use(in_use),
      .wanted(wanted),
      .spared(spared),
      .idle_detect(idle_detect),
      .sleep(sleep)
  );

  always @*
    for (i = 0; i < LANES; i = i + 1) begin
      on[i] = state[2*i+:2] == ON;
      wake[i] = asked[i] && (state[2*i+:2] == UNCOMPENSATED || state[2*i+:2] == COMPENSATED);
    end

  always @(posedge clk)
    for (i = 0; i < LANES; i = i + 1) begin
      timer[TIME_W*i+:TIME_W] <= timer[TIME_W*i+:TIME_W] + 1'b1;
      if (rst || begin_kernel) begin
        state[2*i+:2] <= ON;
        timer[TIME_W*i+:TIME_W] <= {TIME_W{1'b0}};
      end else if (sleep[i]) begin
        state[2*i+:2] <= UNCOMPENSATED;
        timer[TIME_W*i+:TIME_W] <= {TIME_W{1'b0}};
      end else if (wake[i]) begin
        state[2*i+:2] <= WAKE_UP;
        timer[TIME_W*i+:TIME_W] <= {TIME_W{1'b0}};
      end else if (state[2*i+:2] == UNCOMPENSATED && {1'b0, timer[TIME_W*i+:TIME_W]} + ONE >= {1'b0, break_even})
        state[2*i+:2] <= COMPENSATED;
      else if (state[2*i+:2] == WAKE_UP && {1'b0, timer[TIME_W*i+:TIME_W]} + ONE >= {1'b0, wake_up_time})
        state[2*i+:2] <= ON;
    end

endmodule
