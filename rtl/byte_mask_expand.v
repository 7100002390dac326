// A register's lanes from what the sub-banks of its row deliver, by the mask of its bytes (002, IV-B5 to the letter):
// those that are not stored are 0x00, or 0xff where `ones` says so. Sub-bank s holds one byte of every lane.
module byte_mask_expand (
    input      [1023:0] slices,
    input      [3:1]    stored,
    input      [3:1]    ones,
    input               left,
    output reg [1023:0] values
);

  integer lane, i;

  always @*
    for (lane = 0; lane < 32; lane = lane + 1)
      for (i = 0; i < 4; i = i + 1)
        values[32*lane+8*i+:8] = i != 0 && !stored[i] ? {8{ones[i]}}
            : left ? slices[256*(3-i)+8*lane+:8] : slices[256*i+8*lane+:8];

endmodule
