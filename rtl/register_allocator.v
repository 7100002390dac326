// The free list of one bank of the register file (Jeon 2015, 7.1). It has one bit per entry; the bit is set
// while the entry is free. The next allocated entry is the lowest free entry of the lowest subarray that is
// on (Jeon 2015, 8.2). If no subarray that is on has a free entry, `wake` selects the subarray that must
// wake.
module register_allocator #(
    parameter ENTRIES = 64,
    parameter SUBARRAYS = 4,
    parameter INDEX_W = 6    // width in bits of an entry's number
) (
    input                      clk,
    input                      rst,
    input      [SUBARRAYS-1:0] awake,
    input      [INDEX_W-1:0]   reserved,  // number of lowest entries for registers that are not renamed
    input                      take,      // allocates the entry that the search has found
    input                      give,      // frees entry `given`: it is free from the next cycle on
    input      [INDEX_W-1:0]   given,
    output reg                 found,
    output reg [INDEX_W-1:0]   entry,
    output reg [SUBARRAYS-1:0] wake,
    output reg [SUBARRAYS-1:0] occupied   // subarrays with an allocated entry
);

  localparam LENGTH = (ENTRIES + SUBARRAYS - 1) / SUBARRAYS;

  reg [ENTRIES-1:0] free;
  integer i;

  always @* begin
    found = 1'b0;
    entry = 0;
    wake = 0;
    occupied = 0;
    for (i = ENTRIES - 1; i >= 0; i = i - 1) begin
      if (!free[i]) occupied[i / LENGTH] = 1'b1;
      if (free[i] && i >= reserved && awake[i / LENGTH]) begin
        found = 1'b1;
        entry = i[INDEX_W-1:0];
      end
      if (free[i] && i >= reserved && !awake[i / LENGTH]) begin
        wake = 0;
        wake[i / LENGTH] = 1'b1;
      end
    end
  end

  always @(posedge clk) begin
    if (rst)
      free <= {ENTRIES{1'b1}};
    else
      for (i = 0; i < ENTRIES; i = i + 1) begin
        if (take && found && entry == i[INDEX_W-1:0]) free[i] <= 1'b0;
        if (give && given == i[INDEX_W-1:0]) free[i] <= 1'b1;
      end
  end

endmodule
