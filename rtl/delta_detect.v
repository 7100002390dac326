// Finds how many bytes hold the differences of a register's lanes from its base, the lowest live lane
// (Warped-Compression, Lee 2015). Differences are modulo 2^32 and sign-extended from 0, 1 or 2 bytes; code 3:
// a row of whole words. Lanes that do not live have the difference 0. `differences`: the low 16 bits.
module delta_detect (
    input      [1023:0] values,
    input      [31:0]   live,
    output reg [1:0]    code,
    output reg [31:0]   base,
    output reg [511:0]  differences
);

  wire [31:0] lowest = live & (~live + 32'd1);
  reg some, above_byte, above_half;  // some difference is not 0, or does not fit in one or two bytes
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
