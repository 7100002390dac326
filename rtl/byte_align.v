// Orders the bytes of each lane for the sub-banks (Radaideh 2021, IV-B2, Fig. 4b): unchanged at the right,
// reversed at the left. The same block restores the order. It moves nothing between lanes.
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
