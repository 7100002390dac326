// The release flag cache (Jeon 2015, 7.2): a direct-mapped cache of the flags in pir words (words in the
// program with release flags of the next instructions). The number of the word in the program determines
// index and tag. The paper's cache has ten entries of 54 bits.
module release_flag_cache #(
    parameter ENTRIES = 10,
    parameter WORD_W = 16   // width in bits of a word's number in the program
) (
    input               clk,
    input               rst,
    input               clear,    // a kernel begins: all entries become invalid
    input               replace,  // the entry of `word` becomes `decoded` in the next cycle
    input  [WORD_W-1:0] word,
    input  [53:0]       decoded,
    output reg          hit,
    output reg [53:0]   flags
);

  reg [ENTRIES-1:0] valid;
  reg [ENTRIES*WORD_W-1:0] words;
  reg [ENTRIES*54-1:0] held;
  wire [31:0] index = {{(32-WORD_W){1'b0}}, word} % ENTRIES;
  reg [ENTRIES-1:0] selected;  // one-hot: selects the entry to which `word` maps
  integer i;

  always @* begin
    hit = 1'b0;
    flags = 54'd0;
    for (i = 0; i < ENTRIES; i = i + 1) begin
      selected[i] = index == i;
      if (selected[i]) begin
        hit = valid[i] && words[i*WORD_W +: WORD_W] == word;
        flags = held[i*54 +: 54];
      end
    end
  end

  always @(posedge clk) begin
    if (rst) begin
      valid <= 0;
      words <= 0;
      held <= 0;
    end else if (clear)
      valid <= 0;
    else if (replace)
      for (i = 0; i < ENTRIES; i = i + 1)
        if (selected[i]) begin
          valid[i] <= 1'b1;
          words[i*WORD_W +: WORD_W] <= word;
          held[i*54 +: 54] <= decoded;
        end
  end

endmodule
