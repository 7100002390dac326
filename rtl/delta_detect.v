// Compresses a register to a base and differences (Warped-Compression, Lee 2015). The base is the value of
// the lowest live lane. The difference of a lane is the lane's value minus the base, modulo 2^32. The
// difference of a lane that is not live is 0. `code` is 0, 1 or 2: every difference can be restored by sign
// extension from this number of bytes. Code 3 means that the row holds the uncompressed words. `differences`:
// the low 16 bits of each difference.
module delta_detect (
    input      [1023:0] values,
    input      [31:0]   live,
    output reg [1:0]    code,
    output reg [31:0]   base,
    output reg [511:0]  differences
);

  wire [31:0] lowest = live & (~live + 32'd1);
  // some: a difference is not 0. above_byte: a difference does not fit in one byte. above_half: a difference
  // does not fit in two bytes.
  reg some, above_byte, above_half;
  reg [31:0] difference;
  integer lane;

  always @* begin
    base = 32'd0;
    for (lane = 0; lane < 32; lane = lane + 1)
      base = base | (values[32*lane+:32] & {32{lowest[lane]}});
    some = 1'b0;
    above_byte = 1'b0;
    above_half = 1'b0;
    differences = 512'd0;
    for (lane = 0; lane < 32; lane = lane + 1) begin
      difference = (values[32*lane+:32] - base) & {32{live[lane]}};
      differences[16*lane+:16] = difference[15:0];
      some = some | (|difference);
      above_byte = above_byte | ((|difference[31:7]) & ~(&difference[31:7]));
      above_half = above_half | ((|difference[31:15]) & ~(&difference[31:15]));
    end
    code = above_half ? 2'd3 : above_byte ? 2'd2 : {1'b0, some};
  end

endmodule
