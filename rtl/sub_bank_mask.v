// Computes the sub-banks that an access to a register opens (Radaideh 2021, IV-B3). The register's width code
// determines the number of opened sub-banks. For a right-aligned register, the opened sub-banks are sub-bank
// 0 and the next higher ones. For a left-aligned register, they are sub-bank 3 and the next lower ones.
module sub_bank_mask (
    input      [2:0] code,
    input            left,
    output     [3:0] sub_banks
);

  // `two`, `three`, `four`: the register has at least 2, 3 or 4 stored bytes. If the omitted bytes are 0xff, the code
  // is a binary number. If they are 0x00, the code is a thermometer code.
  wire two = |code[1:0];
  wire three = code[1];
  wire four = ~code[2] & code[1] & ~code[0] | (&code);

  assign sub_banks = left ? {1'b1, two, three, four} : {four, three, two, 1'b1};

endmodule
