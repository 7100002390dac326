// The tri-modal control of one row of the register file (Abdel-Majeed 2016, 5.3.1). The row is off if it has
// no register. A row with a register is drowsy; it is on only around its uses. The block counts the current
// uses. The beginning of a use takes effect in the same cycle, the end of a use in the next cycle.
module tric_row #(
    parameter USE_W = 6,   // width in bits of the count of current uses
    parameter TIME_W = 3   // width in bits of the wake-up time
) (
    input                   clk,
    input                   rst,
    input  [TIME_W-1:0]     wake_up_time,
    input                   unallocated_off,  // 0: a row without a register stays drowsy
    input                   allocated,        // the row is allocated in this cycle
    input                   freed,
    input  [USE_W-1:0]      begins,
    input  [USE_W-1:0]      ends,
    output [1:0]            state             // state of the row in the next cycle
);

  localparam OFF = 2'd0, DROWSY = 2'd1, WAKING = 2'd2, ON = 2'd3;

  reg [USE_W-1:0] uses;
  reg owned;
  reg awake;
  reg [TIME_W-1:0] timer;  // cycles until the row is on

  wire owned_next = allocated || (owned && !freed);
  wire may_wake = owned_next || !unallocated_off;
  wire [USE_W-1:0] begun = uses + begins;
  wire [USE_W-1:0] uses_next = begun - ends;
  wire wakes = !awake && may_wake && begun != 0;
  wire awake_next = (awake || wakes) && uses_next != 0 && may_wake;
  wire [TIME_W-1:0] time_left = wakes ? wake_up_time : timer;
  wire [TIME_W-1:0] timer_next = time_left == 0 ? {TIME_W{1'b0}} : time_left - 1'b1;

  assign state = awake_next ? (timer_next == 0 ? ON : WAKING) : may_wake ? DROWSY : OFF;

  always @(posedge clk) begin
    if (rst) begin
      uses <= 0;
      owned <= 1'b0;
      awake <= 1'b0;
      timer <= 0;
    end else begin
      uses <= uses_next;
      owned <= owned_next;
      awake <= awake_next;
      timer <= timer_next;
    end
  end

endmodule
