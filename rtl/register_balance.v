// The comparisons of GPU-shrink's throttle (Jeon 2015, 8.1), over POOLS pools of physical registers (a bank
// of a partition each). With C the most that a resident CTA needs of a pool and k what a CTA has been charged
// for, its balance C - k is what it may still ask for. A CTA is safe if its balance is free in every pool.
module register_balance #(
    parameter CTAS = 8,
    parameter CTA_W = 3,
    parameter POOLS = 4,
    parameter W = 10       // bits of a number of registers
) (
    input      [POOLS*W-1:0]      free,
    input      [POOLS*W-1:0]      whole,     // C
    input      [CTAS-1:0]         resident,
    input      [CTAS*POOLS*W-1:0] charged,   // k: a CTA's pools beside each other, CTA 0 lowest
    input      [CTAS-1:0]         asks,      // the CTA that asks for ...
    input      [POOLS*W-1:0]      demand,    // ... these
    output reg                    safe,      // some CTA is
    output reg [CTA_W-1:0]        safe_cta,  // the one with the smallest sum of balances, then the lowest
    output reg                    plenty,    // some CTA has less to ask for than is free, in every pool
    output reg                    may_take   // with the demand met, some CTA is safe
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
        taken = asks[c] ? left : left - $signed({2'b0, demand[p*W +: W]});
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
    plenty = |ample;
    may_take = |covered_then;
  end

endmodule
