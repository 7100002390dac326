// Selects the domains that go to sleep: those that have been idle for the idle-detect time. Coordinated
// blackout (Abdel-Majeed 2016, 3.4) adds two rules:
//   - if a domain is gated and no active warp waits for the group, idle domains are gated at once;
//   - if an active warp waits for the group, only one domain is gated at a time, the lowest number first, and
//     the last domain that is on stays on.
module sleep_select #(
    parameter CLUSTERS = 2
) (
    input                     coordinated,
    input                     waiting,      // the next instruction of an active warp needs the group
    input      [CLUSTERS-1:0] on,
    input      [CLUSTERS-1:0] gated,
    input      [CLUSTERS-1:0] idle,
    input      [CLUSTERS-1:0] idle_enough,
    output reg [CLUSTERS-1:0] sleep
);

  localparam [CLUSTERS-1:0] ONE = 1;

  wire several_on = (on & (on - ONE)) != 0;

  always @* begin
    sleep = idle_enough;
    if (coordinated && !waiting && |gated) sleep = idle;
    if (coordinated && waiting) sleep = several_on ? idle_enough & ~(idle_enough - ONE) : {CLUSTERS{1'b0}};
  end

endmodule
