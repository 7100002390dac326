// Restores the values of a register's lanes from the sub-banks of the register's row (Radaideh 2021, IV-B4,
// IV-C). Bytes that the width code marks as not stored are filled with 0x00 or 0xff. Sub-bank s holds one
// byte of every lane.
module width_expand (
    input      [1023:0] slices,
    input      [2:0]    code,
    input               left,
    output reg [1023:0] values
);

  wire [3:0] stored;
  sub_bank_mask mask (
      .code(code),
      .left(1'b0),
      .sub_banks(stored)
  );
  wire [7:0] fill = {8{code[2] & ~(&code)}};
  integer lane, i;

  always @*
    for (lane = 0; lane < 32; lane = lane + 1)
      for (i = 0; i < 4; i = i + 1)
        values[32*lane+8*i+:8] = !stored[i] ? fill
            : left ? slices[256*(3-i)+8*lane+:8] : slices[256*i+8*lane+:8];

endmodule
