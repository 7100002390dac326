// Reverses the order of the bytes in every lane of a register.
module byte_swap (
    input      [1023:0] values,
    output reg [1023:0] swapped
);

  integer lane;

  always @*
    for (lane = 0; lane < 32; lane = lane + 1)
      swapped[32*lane+:32] = {
        values[32*lane+:8], values[32*lane+8+:8], values[32*lane+16+:8], values[32*lane+24+:8]
      };

endmodule
