// Lanes of one pass of a warp-instruction (Abdel-Majeed 2016, 4.3.1 to 4.3.3, the bottom of the shifting
// stage in Fig. 4.8): which lanes execute, and from which lane of its quad each takes its operands. The split
// is by position: the constants 1100 and 0011 (lane 0 leftmost) are ANDed with the mask. Combinational.
//
// A folded instruction with an empty half takes one pass, in the lanes 0 and 1.
module fold_mask (
    input      [31:0] mask,     // threads that execute
    input             fold,     // the instruction's type folds
    input             pack,     // threads move to the lowest lanes of their quad
    input             pass,     // the second one of two
    output reg [31:0] lanes,    // lanes that execute in this pass
    output reg [63:0] source,   // by lane: position in the quad of its thread; 0 if the lane does not execute
    output            second    // there is a second pass
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
