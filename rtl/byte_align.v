// Puts the bytes of each lane into the order of the sub-banks (Radaideh 2021, IV-B2, Fig. 4b). The order is
// unchanged for a right-aligned register, and reversed for a left-aligned one. After a read, the same block
// restores the original order. No byte moves to another lane.
module byte_align (
    input      [1023:0] values,
    input               left,
    output reg [1023:0] words
);

  integer lane;

  always @*
    for (lane = 0; lane < 32; lane = lane + 1)
      words[32*lane+:32] = left ? {
        values[32*lane+:8], values[32*lane+8+:8], values[32*lane+16+:8], values[32*lane+24+:8]
      } : values[32*lane+:32];

endmodule
