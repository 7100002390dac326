// All hardware of a warp that handles the control bits of the warp's instructions: 41 flip-flops (Huerta
// 2025, section 7.5).
module control_bits (
    input         clk,
    input         rst,
    input         begin_warp,
    input         hold,
    input         issue,
    input         bits_set,
    input  [3:0]  stall,
    input         yields,
    input  [5:0]  control_write,
    input  [5:0]  control_read,
    input  [11:0] falls,
    input  [5:0]  wait_mask,
    input  [5:0]  next_raises,
    output        eligible
);

  wire stalled, waits, full;
  wire [35:0] count;

  stall_count stalls (
      .clk(clk), .rst(rst), .begin_warp(begin_warp), .hold(hold), .issue(issue), .bits_set(bits_set), .stall(stall),
      .yields(yields), .changed(1'b0), .stalled(stalled));
  dependence_counters counters (
      .clk(clk), .rst(rst), .begin_warp(begin_warp), .control_write(control_write), .control_read(control_read),
      .falls(falls), .wait_mask(wait_mask), .next_raises(next_raises), .waits(waits), .full(full), .count(count));

  assign eligible = !(stalled || waits || full);

endmodule
