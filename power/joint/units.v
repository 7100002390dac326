// This file contains hardware that scripts/ask-gates prices in addition to the blocks of rtl/. The hardware
// is storage that is too small for CACTI, and one lane of each kind of unit. All prices come from one
// synthesis with one library, so that ratios of prices are consistent. This file is not part of the model.

// Stores words in latches. The array has READS read ports and one write port. The write enable of a word is
// the clock of the word's latches.
module small_array #(parameter WORDS = 8, BITS = 32, READS = 3, A = $clog2(WORDS)) (
    input en, input [A-1:0] waddr, input [BITS-1:0] wdata, input [READS*A-1:0] raddr,
    output [READS*BITS-1:0] rdata);
  reg [BITS-1:0] word [0:WORDS-1];
  genvar w, r;
  generate
    for (w = 0; w < WORDS; w = w + 1) begin : row
      wire open = en & (waddr == w);
      always @* if (open) word[w] = wdata;
    end
    for (r = 0; r < READS; r = r + 1) begin : port
      assign rdata[r*BITS +: BITS] = word[raddr[r*A +: A]];
    end
  endgenerate
endmodule

// Stores the tags of a cache set, and compares all of them with one key.
module tag_compare #(parameter WAYS = 6, BITS = 8, A = 3) (
    input en, input [A-1:0] waddr, input [BITS-1:0] wdata, input [BITS-1:0] key, output [WAYS-1:0] hit);
  reg [BITS-1:0] tag [0:WAYS-1];
  genvar w;
  generate
    for (w = 0; w < WAYS; w = w + 1) begin : way
      wire open = en & (waddr == w);
      always @* if (open) tag[w] = wdata;
      assign hit[w] = tag[w] == key;
    end
  endgenerate
endmodule

// One lane of the simple integer pipeline: add, subtract, logic, compare and select. Operands and result are registered.
module int_lane (input clk, input [31:0] a, input [31:0] b, input [31:0] c, input [2:0] op, output reg [31:0] y);
  reg [31:0] x, z, s;
  reg [2:0] o;
  wire [32:0] sum = {1'b0, x} + {1'b0, o[0] ? ~z : z} + o[0];
  always @(posedge clk) begin
    x <= a; z <= b; s <= c; o <= op;
    case (o[2:1])
      2'd0: y <= sum[31:0];
      2'd1: y <= o[0] ? x & z : x | z;
      2'd2: y <= o[0] ? x ^ z : {31'd0, sum[32]};
      default: y <= sum[32] ? s : z;
    endcase
  end
endmodule

// A 32-bit integer multiply-add that returns the lower half.
module int_multiply_lane (input clk, input [31:0] a, input [31:0] b, input [31:0] c, output reg [31:0] y);
  reg [31:0] x, z, s, t, p;
  always @(posedge clk) begin
    x <= a; z <= b; s <= c;
    p <= x * z; t <= s;
    y <= p + t;
  end
endmodule

// A single-precision fused multiply-add unit with three stages. The unit rounds to zero and supports only
// normal numbers.
module fp_lane (input clk, input [31:0] a, input [31:0] b, input [31:0] c, output reg [31:0] y);
  reg [31:0] x, z, s;
  wire [47:0] product = {1'b1, x[22:0]} * {1'b1, z[22:0]};
  wire [9:0] exponent = {2'b0, x[30:23]} + {2'b0, z[30:23]} - 10'd127;
  wire [9:0] distance = exponent - {2'b0, s[30:23]};
  wire [6:0] shift = distance[9] ? 7'd0 : distance > 10'd74 ? 7'd74 : distance[6:0];
  reg [75:0] p, q;
  reg [9:0] e;
  reg subtract, sign;
  wire [76:0] sum = subtract ? {1'b0, p} - {1'b0, q} : {1'b0, p} + {1'b0, q};
  wire [75:0] magnitude = subtract & sum[76] ? ~sum[75:0] : sum[75:0];
  reg [6:0] zeros;
  integer i;
  always @* begin
    zeros = 7'd76;
    for (i = 0; i < 76; i = i + 1) if (magnitude[i]) zeros = 7'd75 - i;
  end
  reg [75:0] m;
  reg [6:0] n;
  reg [9:0] f;
  reg g;
  wire [75:0] normal = m << n;
  wire [9:0] final_exponent = f - {3'b0, n} + 10'd1;
  always @(posedge clk) begin
    x <= a; z <= b; s <= c;
    p <= {2'b0, product, 26'b0};
    q <= {1'b0, 1'b1, s[22:0], 51'b0} >> shift;
    e <= exponent; subtract <= x[31] ^ z[31] ^ s[31]; sign <= x[31] ^ z[31];
    m <= magnitude; n <= zeros; f <= e; g <= sign ^ (subtract & sum[76]);
    y <= {g, final_exponent[7:0], normal[74:52]};
  end
endmodule
