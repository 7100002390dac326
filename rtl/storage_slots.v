// Assigns slots to warps. A slot is a warp's share of the entries of a scratchpad (Bailey 2018, III-A1;
// Gebhart 2012, 4.2) or of a private register cache (Gebhart 2012, 4.1). A warp without a slot gets the
// lowest free slot. When the warp leaves, its slot becomes free.
module storage_slots #(
    parameter WARPS = 48,
    parameter PARTS = 48,
    parameter WARP_W = 6,
    parameter PART_W = 6
) (
    input                   clk,
    input                   rst,
    input                   request,   // requests a slot for `warp`
    input                   leaves,
    input      [WARP_W-1:0] warp,
    output reg [PART_W-1:0] part,
    output                  held    // the warp already had the slot
);

  reg [WARPS-1:0] has;
  reg [WARPS*PART_W-1:0] parts;
  reg [PARTS-1:0] taken;
  reg [PART_W-1:0] lowest;
  wire [PART_W-1:0] own = parts[warp*PART_W+:PART_W];
  integer i;

  assign held = has[warp];

  always @* begin
    lowest = 0;
    for (i = PARTS - 1; i >= 0; i = i - 1) if (!taken[i]) lowest = i[PART_W-1:0];
    part = held ? own : lowest;
  end

  always @(posedge clk)
    if (rst) begin
      has <= 0;
      parts <= 0;
      taken <= 0;
    end else begin
      if (request && !held) begin
        has[warp] <= 1'b1;
        parts[warp*PART_W+:PART_W] <= lowest;
        taken[lowest] <= 1'b1;
      end
      if (leaves && held) begin
        has[warp] <= 1'b0;
        taken[own] <= 1'b0;
      end
    end

endmodule
