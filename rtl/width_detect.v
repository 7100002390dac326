// Computes how many low bytes determine the values of all lanes of a register (Radaideh 2021, IV-B5). For
// each byte position, the block computes OR and NAND of all bits over the written lanes. Codes 000, 001 and
// 011: all bytes above the lowest 1, 2 or 3 are 0x00. Codes 100, 101 and 110: all bytes above the lowest 1, 2
// or 3 are 0xff. Code 111: all four bytes are needed.
module width_detect (
    input      [1023:0] values,
    input      [31:0]   lanes,
    output reg [2:0]    code
);

  reg [3:1] one, zero;  // bit i: byte i of a written lane has a bit that is 1 (one), or a bit that is 0 (zero)
  integer lane, i;

  always @* begin
    one = 3'b0;
    zero = 3'b0;
    for (lane = 0; lane < 32; lane = lane + 1)
      for (i = 1; i < 4; i = i + 1)
        if (lanes[lane]) begin
          one[i] = one[i] | (|values[32*lane+8*i+:8]);
          zero[i] = zero[i] | ~(&values[32*lane+8*i+:8]);
        end
  end

  // Number of bytes that must be stored besides the lowest byte. zeros_need: if the omitted bytes are 0x00. ones_need:
  // if they are 0xff.
  wire [1:0] zeros_need = one[3] ? 2'd3 : one[2] ? 2'd2 : {1'b0, one[1]};
  wire [1:0] ones_need = zero[3] ? 2'd3 : zero[2] ? 2'd2 : {1'b0, zero[1]};

  always @*
    if (ones_need < zeros_need) code = {1'b1, ones_need};
    else
      case (zeros_need)
        2'd0: code = 3'b000;
        2'd1: code = 3'b001;
        2'd2: code = 3'b011;
        default: code = 3'b111;
      endcase

endmodule
