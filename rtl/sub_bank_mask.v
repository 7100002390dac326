// The sub-banks that a register opens (Radaideh 2021, IV-B3): as many as its code requires, from sub-bank 0
// upwards or, at the left, from sub-bank 3 downwards.
module sub_bank_mask (
    input      [2:0] code,
    input            left,
    output     [3:0] sub_banks
);

  // At least two, three, four bytes. A code of ones is a binary number; a code of zeros is a thermometer
  // code.
  wire two = |code[1:0];
  wire three = code[1];
  wire four = ~code[2] & code[1] & ~code[0] | (&code);

  assign sub_banks = left ? {1'b1, two, three, four} : {four, three, two, 1'b1};

endmodule
