// Selects the gated domains that wake. As many domains must be on or waking up as there are instructions that
// need a domain. Compensated domains wake first. Among domains in the same state, the lowest number wakes
// first.
module wake_select #(
    parameter CLUSTERS = 2,
    parameter DEMAND_W = 2  // width in bits of the number of instructions
) (
    input      [DEMAND_W-1:0] demand,
    input      [CLUSTERS-1:0] up,      // domains that are on or waking up
    input      [CLUSTERS-1:0] first,   // candidates that wake before the candidates in `second`
    input      [CLUSTERS-1:0] second,
    output reg [CLUSTERS-1:0] wake
);

  reg [DEMAND_W-1:0] missing;
  integer i;

  always @* begin
    missing = demand;
    for (i = 0; i < CLUSTERS; i = i + 1) if (up[i] && missing != 0) missing = missing - 1'b1;
    wake = {CLUSTERS{1'b0}};
    for (i = 0; i < CLUSTERS; i = i + 1)
      if (first[i] && missing != 0) begin
        wake[i] = 1'b1;
        missing = missing - 1'b1;
      end
    for (i = 0; i < CLUSTERS; i = i + 1)
      if (second[i] && missing != 0) begin
        wake[i] = 1'b1;
        missing = missing - 1'b1;
      end
  end

endmodule
