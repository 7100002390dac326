// Selects the mode of the fast register file (Abdel-Majeed 2016, 6.5.2.1). The block counts the issued instructions
// of each epoch. After an epoch with fewer than `threshold` issues, the back gate of the rows' transistors is off for
// the next epoch.
module frf_mode #(
    parameter EPOCH_W = 6,   // width in bits of the cycle count of an epoch
    parameter COUNT_W = 9,   // width in bits of the issue count of an epoch
    parameter ISSUE_W = 4    // width in bits of the issue count of a cycle
) (
    input                    clk,
    input                    rst,
    input      [EPOCH_W-1:0] epoch_cycles,
    input      [COUNT_W-1:0] threshold,
    input      [ISSUE_W-1:0] issued,
    output                   low       // 1: the back gate is off in the next cycle
);

  reg [EPOCH_W-1:0] cycle;
  reg [COUNT_W-1:0] issues;
  reg low_now;

  wire [EPOCH_W-1:0] cycle_next = cycle + 1'b1;
  wire epoch_ends = cycle_next == epoch_cycles;
  wire [COUNT_W-1:0] issues_next = issues + {{(COUNT_W-ISSUE_W){1'b0}}, issued};

  assign low = epoch_ends ? issues_next < threshold : low_now;

  always @(posedge clk) begin
    if (rst) begin
      cycle <= 0;
      issues <= 0;
      low_now <= 1'b0;
    end else begin
      low_now <= low;
      cycle <= epoch_ends ? {EPOCH_W{1'b0}} : cycle_next;
      issues <= epoch_ends ? {COUNT_W{1'b0}} : issues_next;
    end
  end

endmodule
