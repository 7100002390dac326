// Computes which bytes of a register are stored, exactly as in the text of Radaideh 2021, IV-B5. For each of
// bytes 1 to 3, the block computes OR and NAND of all bits of this byte over the written lanes. A byte is not
// stored if it is 0x00 in every written lane, or 0xff in every written lane. In the second case, the block
// sets `ones`.
module byte_mask_detect (
    input      [1023:0] values,
    input      [31:0]   lanes,
    output reg [2:0]    stored,  // bit i: byte i + 1 is stored
    output reg [2:0]    ones
);

  reg [2:0] one, zero;  // bit i: byte i + 1 of a written lane has a bit that is 1 (one), or a bit that is 0 (zero)
  integer lane, i;

  always @* begin
    one = 3'b0;
    zero = 3'b0;
    for (lane = 0; lane < 32; lane = lane + 1)
      for (i = 0; i < 3; i = i + 1)
        if (lanes[lane]) begin
          one[i] = one[i] | (|values[32*lane+8*i+8+:8]);
          zero[i] = zero[i] | ~(&values[32*lane+8*i+8+:8]);
        end
    stored = one & zero;
    ones = one & ~zero;
  end

endmodule
