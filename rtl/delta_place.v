// Places a compressed register (delta_detect.v) in the bytes of its row, beginning with sub-bank 0. Codes 0
// to 2: the base is in bytes 0 to 3, and the differences of all lanes follow, with `code` bytes for each
// lane. Code 3: the row holds the uncompressed words. `sub_banks` marks the sub-banks that hold the placed
// bytes (4, 36, 68 or 128 bytes for codes 0 to 3). Higher sub-banks are not written.
module delta_place #(
    parameter SUB_BANKS = 8
) (
    input      [1:0]           code,
    input      [31:0]          base,
    input      [511:0]         differences,  // 16 bits for each lane, from delta_detect
    input      [1023:0]        values,
    output reg [SUB_BANKS-1:0] sub_banks,
    output reg [1023:0]        row
);

  localparam BYTES = 128 / SUB_BANKS;
  integer i;

  always @* begin
    for (i = 0; i < SUB_BANKS; i = i + 1)
      case (code)
        2'd0: sub_banks[i] = BYTES * i < 4;
        2'd1: sub_banks[i] = BYTES * i < 36;
        2'd2: sub_banks[i] = BYTES * i < 68;
        default: sub_banks[i] = 1'b1;
      endcase
    row = values;
    if (code != 2'd3) row[31:0] = base;
    if (code == 2'd1)
      for (i = 0; i < 32; i = i + 1) row[32+8*i+:8] = differences[16*i+:8];
    if (code == 2'd2) row[543:32] = differences;
  end

endmodule
