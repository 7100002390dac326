// Computes which lanes execute in one pass of a warp-instruction. For each of these lanes, also computes the
// lane of the quad from which it takes its operands (Abdel-Majeed 2016, 4.3.1 to 4.3.3, the bottom of the
// shifting stage in Fig. 4.8). Threads are assigned to passes by position: the mask is ANDed with the
// constants 1100 and 0011 (lane 0 leftmost). Combinational.
//
// A folded instruction takes a single pass if no thread is at positions 0 and 1 of the quads, or none at
// positions 2 and 3. This pass uses lanes 0 and 1 of each quad.
module fold_mask (
    input      [31:0] mask,     // threads that execute
    input             fold,     // instructions of this type are folded
    input             pack,     // threads move to the lowest lanes of their quad
    input             pass,     // 1: the second of two passes
    output reg [31:0] lanes,    // lanes that execute in this pass
    output reg [63:0] source,   // for each lane: position in the quad of its thread; 0 if the lane does not execute
    output            second    // the instruction has a second pass
);

  localparam [31:0] LOWER = 32'h33333333;

  wire [31:0] low = mask & LOWER;
  wire [31:0] high = mask & ~LOWER;
  assign second = fold && |low && |high;

  wire upper = fold && (pass || ~|low);  // this pass executes the positions 2 and 3
  wire [31:0] threads = !fold ? mask : upper ? high : low;

  integer quad, thread;
  reg [2:0] taken;
  reg [1:0] lane;

  always @* begin
    lanes = 32'd0;
    source = 64'd0;
    taken = 3'd0;
    lane = 2'd0;
    for (quad = 0; quad < 8; quad = quad + 1) begin
      taken = 3'd0;
      for (thread = 0; thread < 4; thread = thread + 1) begin
        lane = pack ? taken[1:0] : upper ? {1'b0, thread[0]} : thread[1:0];
        if (threads[4*quad+thread]) begin
          lanes[4*quad+{30'd0, lane}] = 1'b1;
          source[8*quad+2*{30'd0, lane}+:2] = thread[1:0];
          taken = taken + 3'd1;
        end
      end
    end
  end

endmodule
