// Delays the wake-up of further domains. The excess is the number of waiting instructions minus the number of domains
// that are on or waking up. The output is the demand without the excess, until the excess has lasted for `cycles`
// consecutive cycles. If no domain is on or waking up, the first domain wakes at once.
module sibling_wait #(
    parameter CLUSTERS = 2,
    parameter DEMAND_W = 2,
    parameter TIME_W = 5
) (
    input                     clk,
    input                     begin_kernel,
    input      [TIME_W-1:0]   cycles,  // at least 1
    input      [DEMAND_W-1:0] demand,
    input      [CLUSTERS-1:0] up,      // domains that are on or waking up
    output     [DEMAND_W-1:0] shown
);

  reg [DEMAND_W-1:0] missing;
  reg [TIME_W-1:0] pressed;  // consecutive cycles with an excess, without this cycle; the count saturates
  integer i;

  always @* begin
    missing = demand;
    for (i = 0; i < CLUSTERS; i = i + 1) if (up[i] && missing != 0) missing = missing - 1'b1;
    if (!(|up) && missing != 0) missing = missing - 1'b1;
  end

  wire pressing = missing != 0 && !(&up);
  wire [TIME_W:0] pressed_now = {1'b0, pressed} + 1'b1;

  assign shown = pressing && pressed_now < {1'b0, cycles} ? demand - missing : demand;

  always @(posedge clk)
    if (begin_kernel || !pressing) pressed <= 0;
    else if (!(&pressed)) pressed <= pressed_now[TIME_W-1:0];

endmodule
