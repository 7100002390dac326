// The re-shifting stage for one result (Abdel-Majeed 2016, Fig. 4.7c): returns the result of each lane to the
// thread whose operands the lane used. Combinational. `write` marks the threads that have results in this
// pass. The result collection buffer writes only the results of these threads.
module quad_reshift #(
    parameter QUADS = 8,
    parameter WIDTH = 32
) (
    input      [4*QUADS*WIDTH-1:0] results,   // result of each lane
    input      [4*QUADS-1:0]       lanes,     // lanes that executed
    input      [8*QUADS-1:0]       source,    // for each lane: position of its thread in the quad
    output reg [4*QUADS*WIDTH-1:0] returned,  // result of each thread; 0 where `write` is not set
    output reg [4*QUADS-1:0]       write
);

  integer quad, thread, lane;

  always @* begin
    returned = {4 * QUADS * WIDTH{1'b0}};
    write = {4 * QUADS{1'b0}};
    for (quad = 0; quad < QUADS; quad = quad + 1)
      for (thread = 0; thread < 4; thread = thread + 1)
        for (lane = 0; lane < 4; lane = lane + 1)
          if (lanes[4*quad+lane] && source[8*quad+2*lane+:2] == thread[1:0]) begin
            write[4*quad+thread] = 1'b1;
            returned[WIDTH*(4*quad+thread)+:WIDTH] =
                returned[WIDTH*(4*quad+thread)+:WIDTH] | results[WIDTH*(4*quad+lane)+:WIDTH];
          end
  end

endmodule
