// The shifting stage for one operand (Abdel-Majeed 2016, Fig. 4.7b): each lane takes the operand of one of
// the four threads of its quad. Combinational.
module quad_shift #(
    parameter QUADS = 8,
    parameter WIDTH = 32
) (
    input      [4*QUADS*WIDTH-1:0] values,   // operand of each thread
    input      [8*QUADS-1:0]       source,   // for each lane: position of its thread in the quad
    output reg [4*QUADS*WIDTH-1:0] shifted   // operand of each lane
);

  integer quad, lane;

  always @*
    for (quad = 0; quad < QUADS; quad = quad + 1)
      for (lane = 0; lane < 4; lane = lane + 1)
        case (source[8*quad+2*lane+:2])
          2'd0: shifted[WIDTH*(4*quad+lane)+:WIDTH] = values[WIDTH*4*quad+:WIDTH];
          2'd1: shifted[WIDTH*(4*quad+lane)+:WIDTH] = values[WIDTH*(4*quad+1)+:WIDTH];
          2'd2: shifted[WIDTH*(4*quad+lane)+:WIDTH] = values[WIDTH*(4*quad+2)+:WIDTH];
          default: shifted[WIDTH*(4*quad+lane)+:WIDTH] = values[WIDTH*(4*quad+3)+:WIDTH];
        endcase

endmodule
