// Selects the gated domains that wake, so that one domain is on or waking up for each of the `demand`
// instructions that need a domain. Domains that have been off for the break-even time (input `first`) wake
// before those in `second`. Within each set, the domain with the lowest number wakes first.
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
