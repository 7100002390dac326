// Adaptive idle-detect (Abdel-Majeed 2016, 3.4.1 and 3.5): the critical wake-up counter and the idle-detect
// register of one unit type.
//
// A wake-up is critical if it is decided in the first cycle after the break-even time. After an epoch with
// more than `threshold` critical wake-ups, idle-detect (the idle cycles after which a domain is gated)
// increases by one. After `calm_epochs` consecutive epochs with at most `threshold` critical wake-ups,
// idle-detect decreases by one. Idle-detect stays between `low` and `high`. Epochs count from the beginning
// of a kernel. Idle-detect keeps its value from one kernel to the next.
module adaptive_idle_detect #(
    parameter CLUSTERS = 2,
    parameter IDLE_W = 4,       // width in bits of idle-detect
    parameter EPOCH_W = 10,     // width in bits of the cycle count of an epoch
    parameter CRITICAL_W = 3,   // width in bits of the critical wake-up counter; it must hold threshold + 1
    parameter CALM_W = 3        // width in bits of the count of calm epochs
) (
    input                       clk,
    input                       rst,          // power-on reset
    input                       begin_kernel,
    input                       enable,       // 0: idle-detect stays at initial_value
    input      [CLUSTERS-1:0]   critical,     // domains whose critical wake-up is decided in this cycle
    input      [IDLE_W-1:0]     initial_value,
    input      [IDLE_W-1:0]     low,
    input      [IDLE_W-1:0]     high,
    input      [EPOCH_W-1:0]    epoch_cycles,
    input      [CRITICAL_W-1:0] threshold,
    input      [CALM_W-1:0]     calm_epochs,
    output reg [IDLE_W-1:0]     idle_detect,
    output reg [EPOCH_W-1:0]    epoch_count,     // cycles of the epoch so far, without this cycle
    output reg [CRITICAL_W-1:0] critical_count,  // critical wake-ups so far in the epoch; stays at its highest value
    output reg [CALM_W-1:0]     calm_count
);

  reg [CRITICAL_W-1:0] critical_now;
  integer i;

  always @* begin
    critical_now = critical_count;
    for (i = 0; i < CLUSTERS; i = i + 1)
      if (critical[i] && !(&critical_now)) critical_now = critical_now + 1'b1;
  end

  wire [EPOCH_W-1:0] epoch_next = epoch_count + 1'b1;
  wire epoch_ends = epoch_next == epoch_cycles;
  wire busy = critical_now > threshold;
  wire [CALM_W-1:0] calm_next = calm_count + 1'b1;
  wire calm_ends = calm_next == calm_epochs;

  always @(posedge clk) begin
    if (rst || !enable) idle_detect <= initial_value;
    else if (epoch_ends && busy && idle_detect < high) idle_detect <= idle_detect + 1'b1;
    else if (epoch_ends && !busy && calm_ends && idle_detect > low) idle_detect <= idle_detect - 1'b1;

    if (rst || begin_kernel || !enable) begin
      epoch_count <= 0;
      critical_count <= 0;
      calm_count <= 0;
    end else if (epoch_ends) begin
      epoch_count <= 0;
      critical_count <= 0;
      calm_count <= busy || calm_ends ? {CALM_W{1'b0}} : calm_next;
    end else begin
      epoch_count <= epoch_next;
      critical_count <= critical_now;
    end
  end

endmodule
