// Counters of active warps by the type of their next instruction (Abdel-Majeed 2016, 3.5). INT_ACTV and
// FP_ACTV count all active warps whose next instruction has the type. *_RDY count those of these warps that
// could issue. In each cycle, a counter adds the warps that enter its set and subtracts the warps that leave
// it.
//
// Types in all blocks: 0 INT, 1 FP, 2 SFU, 3 LDST.
module type_counters #(
    parameter COUNT_W = 6  // width in bits of a count of warps
) (
    input                      clk,
    input                      rst,
    input      [2*COUNT_W-1:0] active_enter,
    input      [2*COUNT_W-1:0] active_leave,
    input      [4*COUNT_W-1:0] ready_enter,
    input      [4*COUNT_W-1:0] ready_leave,
    output reg [2*COUNT_W-1:0] active,        // INT_ACTV, FP_ACTV
    output reg [4*COUNT_W-1:0] ready          // INT_RDY, FP_RDY, SFU_RDY, LDST_RDY
);

  integer i;

  always @(posedge clk) begin
    for (i = 0; i < 2; i = i + 1)
      active[COUNT_W*i+:COUNT_W] <= rst ? {COUNT_W{1'b0}} :
          active[COUNT_W*i+:COUNT_W] + active_enter[COUNT_W*i+:COUNT_W] - active_leave[COUNT_W*i+:COUNT_W];
    for (i = 0; i < 4; i = i + 1)
      ready[COUNT_W*i+:COUNT_W] <= rst ? {COUNT_W{1'b0}} :
          ready[COUNT_W*i+:COUNT_W] + ready_enter[COUNT_W*i+:COUNT_W] - ready_leave[COUNT_W*i+:COUNT_W];
  end

endmodule
