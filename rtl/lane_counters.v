// The idle counter of every lane of a pipeline (003, 4.3.4): 3 bits, up to an idle-detect of 5 cycles. `sleep` are the
// lanes that may be gated: idle for long enough, or spared by folding and idle at all (eager gating, 4.3.3).
module lane_counters #(
    parameter LANES = 32,
    parameter IDLE_DETECT = 5
) (
    input                  clk,
    input                  rst,
    input      [LANES-1:0] in_use,
    input      [LANES-1:0] wanted,
    input                  fold,     // the type of the pipeline folds
    output reg [LANES-1:0] sleep
);

  reg [3*LANES-1:0] idle;
  integer i;

  always @*
    for (i = 0; i < LANES; i = i + 1)
      sleep[i] = !in_use[i] && !wanted[i] && (idle[3*i+:3] >= IDLE_DETECT[2:0] - 3'd1 || (fold && i % 4 >= 2));

  always @(posedge clk)
    for (i = 0; i < LANES; i = i + 1)
      if (rst || in_use[i]) idle[3*i+:3] <= 3'd0;
      else if (idle[3*i+:3] != 3'd7) idle[3*i+:3] <= idle[3*i+:3] + 3'd1;

endmodule
