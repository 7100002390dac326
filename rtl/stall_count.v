// Stall counter and yield bit of a warp (Huerta 2025, section 4). The control bits of an instruction state
// how many cycles the warp waits after this instruction. The block takes over the control bits in the cycle
// in which the instruction issues. The counter stops in cycles in which the operand stage holds the warp's
// instructions (`hold`).
module stall_count #(
    parameter COUNT_W = 4,  // with the paper's 4 bits, a yield without a stall lasts 16 cycles instead of 45
    parameter PATHS = 0     // 1: a warp may change to another path without a branch
) (
    input        clk,
    input        rst,
    input        begin_warp,
    input        hold,      // the operand stage holds the warp's instructions in this cycle
    input        issue,     // the warp issues an instruction, with these control bits
    input        bits_set,  // 0: the instruction has no control bits; then the largest stall applies
    input  [3:0] stall,
    input        yields,
    input        changed,   // the next instruction does not follow the last one; the largest stall applies
    output       stalled
);

  localparam LARGEST = 15, LARGEST_PLAIN = 11, YIELD_ALONE = 45;

  reg [COUNT_W-1:0] count;
  reg yielding;     // the warp yields: it does not issue in the cycle after the issue
  reg [3:0] since;  // largest stall minus the number of cycles since the last issue

  // Remaining cycles of the wait, counted from the cycle after the issue.
  wire [6:0] left = !bits_set                             ? LARGEST - 1
                  : yields && stall == 0                  ? YIELD_ALONE - 1
                  : !yields && stall > LARGEST_PLAIN[3:0] ? 7'd1
                  : stall == 0                            ? 7'd0
                                                          : {3'b0, stall} - 7'd1;
  wire [6:0] most = {{(7-COUNT_W){1'b0}}, {COUNT_W{1'b1}}};
  wire [6:0] loaded = left > most ? most : left;

  assign stalled = PATHS != 0 && changed ? since != 0 : count != 0 || yielding;

  always @(posedge clk) begin
    if (rst || begin_warp) begin
      count <= 0;
      yielding <= 1'b0;
      since <= 4'd0;
    end else if (issue) begin
      count <= loaded[COUNT_W-1:0];
      yielding <= bits_set && yields;
      since <= LARGEST - 1;
    end else if (!hold) begin
      if (count != 0) count <= count - 1'b1;
      yielding <= 1'b0;
      if (since != 0) since <= since - 1'b1;
    end
  end

endmodule
