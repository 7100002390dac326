// The idle counters of the lanes of a pipeline (Abdel-Majeed 2016, 4.3.4). Each has 3 bits, for idle-detect
// times of up to 5 cycles. `sleep` marks the lanes that may be gated: lanes that have been idle for the
// idle-detect time and, with eager gating (4.3.3), idle lanes that folding does not need. While a lane is not
// on, its counter is 0, and `sleep` does not mark the lane.
module lane_counters #(
    parameter LANES = 32,
    parameter IDLE_W = 3
) (
    input                   clk,
    input                   rst,
    input                   begin_kernel,
    input      [LANES-1:0]  on,
    input      [LANES-1:0]  busy,
    input      [LANES-1:0]  in_use,
    input      [LANES-1:0]  wanted,
    input      [LANES-1:0]  spared,
    input      [IDLE_W-1:0] idle_detect,
    output reg [LANES-1:0]  sleep
);

  localparam [IDLE_W-1:0] MOST = {IDLE_W{1'b1}};
  localparam [IDLE_W:0] ONE = 1;

  reg [IDLE_W*LANES-1:0] idle;
  integer i;

  always @*
    for (i = 0; i < LANES; i = i + 1)
      sleep[i] = on[i] && !in_use[i] && !wanted[i] &&
                 ({1'b0, idle[IDLE_W*i+:IDLE_W]} + ONE >= {1'b0, idle_detect} || spared[i]);

  always @(posedge clk)
    for (i = 0; i < LANES; i = i + 1)
      if (rst || begin_kernel || busy[i] || !on[i]) idle[IDLE_W*i+:IDLE_W] <= {IDLE_W{1'b0}};
      else if (idle[IDLE_W*i+:IDLE_W] != MOST) idle[IDLE_W*i+:IDLE_W] <= idle[IDLE_W*i+:IDLE_W] + 1'b1;

endmodule
