// The comparisons of GPU-shrink's throttle (Jeon 2015, 8.1). A pool is the set of physical registers of one
// bank of a partition; there are POOLS pools. C is the largest number of registers that any resident CTA
// needs in a pool. k is the number of registers that a CTA has been charged for. The balance C - k is the
// number of registers that the CTA may still request. A CTA is safe if every pool has at least as many free
// registers as the CTA's balance in this pool.
module register_balance #(
    parameter CTAS = 8,
    parameter CTA_W = 3,
    parameter POOLS = 4,
    parameter W = 10       // width in bits of a number of registers
) (
    input      [POOLS*W-1:0]      free,
    input      [POOLS*W-1:0]      whole,     // C of each pool
    input      [CTAS-1:0]         resident,
    input      [CTAS*POOLS*W-1:0] charged,   // k: of CTA 0 in the lowest bits, for each pool; then of CTA 1, ...
    input      [CTAS-1:0]         requests,  // the CTA that requests `demand`
    input      [POOLS*W-1:0]      demand,    // requested registers
    output reg                    safe,      // some CTA is safe
    // safe CTA with the least balance, summed over all pools; among equals, the one with the lowest number
    output reg [CTA_W-1:0]        safe_cta,
    output reg                    any_ample, // for some CTA, every pool has more free registers than its balance
    output reg                    may_take   // after the request, some CTA is still safe
);

  reg signed [W+1:0] balance, left, taken;
  reg [CTAS-1:0] covered, ample, covered_then;
  reg [W+5:0] sum, least;
  integer c, p;

  always @* begin
    safe = 1'b0;
    safe_cta = 0;
    least = 0;
    balance = 0;
    left = 0;
    taken = 0;
    sum = 0;
    for (c = 0; c < CTAS; c = c + 1) begin
      covered[c] = resident[c];
      ample[c] = resident[c];
      covered_then[c] = resident[c];
      sum = 0;
      for (p = 0; p < POOLS; p = p + 1) begin
        balance = $signed({2'b0, whole[p*W +: W]}) - $signed({2'b0, charged[(c*POOLS+p)*W +: W]});
        left = $signed({2'b0, free[p*W +: W]});
        taken = requests[c] ? left : left - $signed({2'b0, demand[p*W +: W]});
        if (balance > left) covered[c] = 1'b0;
        if (balance >= left) ample[c] = 1'b0;
        if (balance > taken) covered_then[c] = 1'b0;
        sum = sum + {4'b0, balance};
      end
      if (covered[c] && (!safe || sum < least)) begin
        safe = 1'b1;
        safe_cta = c[CTA_W-1:0];
        least = sum;
      end
    end
    any_ample = |ample;
    may_take = |covered_then;
  end

endmodule
