// Restores the values of a register's lanes, exactly as in the text of Radaideh 2021, IV-B5. The inputs are
// the sub-banks of the register's row and the mask of the register's stored bytes. Bytes that are not stored
// are 0x00, or 0xff if `ones` is set. Sub-bank s holds one byte of every lane.
module byte_mask_expand (
    input      [1023:0] slices,
    input      [2:0]    stored,  // bit i: byte i + 1 is stored
    input      [2:0]    ones,
    input               left,
    output reg [1023:0] values
);

  wire [3:0] opened = {stored, 1'b1};
  wire [3:0] fill = {ones, 1'b0};
  integer lane, i;

  always @*
    for (lane = 0; lane < 32; lane = lane + 1)
      for (i = 0; i < 4; i = i + 1)
        values[32*lane+8*i+:8] = !opened[i] ? {8{fill[i]}}
            : left ? slices[256*(3-i)+8*lane+:8] : slices[256*i+8*lane+:8];

endmodule
