// Restores a register's lanes from its row. Codes 0 to 2: the value of a lane is the base (bytes 0 to 3 of
// the row) plus the lane's sign-extended difference (from byte 4 on, `code` bytes for each lane). Code 3: the
// row holds the uncompressed words.
module delta_expand (
    input      [1023:0] row,
    input      [1:0]    code,
    output reg [1023:0] values
);

  reg [7:0] byte_of;
  reg [15:0] half_of;
  reg [31:0] difference;
  integer lane;

  always @*
    for (lane = 0; lane < 32; lane = lane + 1) begin
      byte_of = row[32+8*lane+:8];
      half_of = row[32+16*lane+:16];
      difference = {{16{half_of[15]}}, half_of};
      if (code == 2'd1) difference = {{24{byte_of[7]}}, byte_of};
      if (code == 2'd0) difference = 32'd0;
      values[32*lane+:32] = code == 2'd3 ? row[32*lane+:32] : row[31:0] + difference;
    end

endmodule
