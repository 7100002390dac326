// The tri-modal control of the rows of a bank (Abdel-Majeed 2016, 5.3.1). A row without a register is off. A
// row with a register is drowsy; it is on only around its uses. Each row has two bits: allocated (the paper's
// allocation information) and used. All rows share a few counters. Each counter serves one row at a time: the
// counter counts the current uses of the row and the cycles of the row's wake-up. At its first use, a row
// takes the lowest free counter. After its last use, the counter is free again.
//
// The beginning of a use takes effect in the same cycle, the end of a use in the next cycle. `full`: no
// counter is free for a new use, so the use must wait.
module tric #(
    parameter ROWS = 64,
    parameter ROW_W = 6,
    parameter COUNTERS = 8,
    parameter BEGINS = 2,    // uses that may begin in a cycle: words that a collector will read or write
    parameter ENDS = 2,      // uses that may end in a cycle: the bank's read and its write
    parameter USE_W = 4,     // width in bits of the count of uses of a row
    parameter TIME_W = 3     // width in bits of the wake-up time
) (
    input                         clk,
    input                         rst,
    input      [TIME_W-1:0]       wake_up_time,
    input                         unallocated_off,  // 0: rows without a register stay drowsy
    input      [ROWS-1:0]         allocated,        // rows that are allocated in this cycle
    input      [ROWS-1:0]         freed,
    input      [BEGINS-1:0]       begins,
    input      [BEGINS*ROW_W-1:0] begin_rows,
    input      [ENDS-1:0]         ends,
    input      [ENDS*ROW_W-1:0]   end_rows,
    output reg                    full,
    // States of the next cycle.
    output reg [ROWS-1:0]           owned,
    output reg [ROWS-1:0]           on,      // rows that are on or waking up
    output reg [COUNTERS-1:0]       waking,  // for each counter: its row is waking up
    output reg [COUNTERS*ROW_W-1:0] rows
);

  reg [ROWS-1:0] owners, used, begun, ended;
  // for each counter: counts: the counter serves a row; was_on: this row was on in the last cycle
  reg [COUNTERS-1:0] counts, was_on;
  reg [COUNTERS*ROW_W-1:0] row_of;
  reg [COUNTERS*USE_W-1:0] uses;
  reg [COUNTERS*TIME_W-1:0] timer;  // for each counter: cycles until its row is on

  reg [COUNTERS-1:0] counts_now, on_now;
  reg [COUNTERS*USE_W-1:0] uses_now, uses_next;
  reg [COUNTERS*TIME_W-1:0] timer_next;
  reg [TIME_W-1:0] left;
  reg found, last;
  integer i, c;

  always @* begin
    owned = (owners & ~freed) | allocated;
    begun = 0;
    ended = 0;
    counts_now = counts;
    rows = row_of;
    uses_now = uses;
    full = 1'b0;
    for (i = 0; i < BEGINS; i = i + 1) begin
      found = !begins[i];
      for (c = 0; c < COUNTERS; c = c + 1)
        if (!found && counts_now[c] && rows[c*ROW_W+:ROW_W] == begin_rows[i*ROW_W+:ROW_W]) begin
          found = 1'b1;
          uses_now[c*USE_W+:USE_W] = uses_now[c*USE_W+:USE_W] + 1'b1;
        end
      for (c = 0; c < COUNTERS; c = c + 1)
        if (!found && !counts_now[c]) begin
          found = 1'b1;
          counts_now[c] = 1'b1;
          rows[c*ROW_W+:ROW_W] = begin_rows[i*ROW_W+:ROW_W];
          uses_now[c*USE_W+:USE_W] = {{(USE_W-1){1'b0}}, 1'b1};
        end
      if (!found) full = 1'b1;
      else if (begins[i]) begun[begin_rows[i*ROW_W+:ROW_W]] = 1'b1;
    end
    uses_next = uses_now;
    for (i = 0; i < ENDS; i = i + 1) begin
      last = 1'b0;
      for (c = 0; c < COUNTERS; c = c + 1)
        if (ends[i] && counts_now[c] && rows[c*ROW_W+:ROW_W] == end_rows[i*ROW_W+:ROW_W]) begin
          uses_next[c*USE_W+:USE_W] = uses_next[c*USE_W+:USE_W] - 1'b1;
          last = uses_next[c*USE_W+:USE_W] == 0;
        end
      if (last) ended[end_rows[i*ROW_W+:ROW_W]] = 1'b1;
    end
    on = (used | begun) & ~ended & (owned | {ROWS{!unallocated_off}});
    for (c = 0; c < COUNTERS; c = c + 1) begin
      left = was_on[c] ? timer[c*TIME_W+:TIME_W] : wake_up_time;
      on_now[c] = counts_now[c] && uses_next[c*USE_W+:USE_W] != 0 &&
          (owned[rows[c*ROW_W+:ROW_W]] || !unallocated_off);
      timer_next[c*TIME_W+:TIME_W] = left == 0 ? {TIME_W{1'b0}} : left - 1'b1;
      waking[c] = on_now[c] && timer_next[c*TIME_W+:TIME_W] != 0;
    end
  end

  always @(posedge clk)
    if (rst) begin
      owners <= 0;
      used <= 0;
      counts <= 0;
      was_on <= 0;
      row_of <= 0;
      uses <= 0;
      timer <= 0;
    end else begin
      owners <= owned;
      used <= (used | begun) & ~ended;
      row_of <= rows;
      uses <= uses_next;
      was_on <= on_now;
      timer <= timer_next;
      for (c = 0; c < COUNTERS; c = c + 1) counts[c] <= counts_now[c] && uses_next[c*USE_W+:USE_W] != 0;
    end

endmodule
