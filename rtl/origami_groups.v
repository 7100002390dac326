// Selects the group of warps that has priority (Abdel-Majeed 2016, 4.3.2, 4.3.3): the group of warps with 32
// active lanes, or the group of warps with fewer active lanes. When a phase begins, the larger group gets
// priority for the phase. After `max_phases` consecutive phases with priority for one group, the other group
// gets the priority, unless the other group is empty.
//
// In each cycle, the counter of a group adds the warps that enter the group and subtracts the warps that
// leave the group. A counter stays at its highest value instead of overflowing, because the paper's five bits
// cannot represent 32 warps.
module origami_groups #(
    parameter COUNT_W = 6,
    parameter PHASE_W = 9,
    parameter MAX_W = 2
) (
    input                    clk,
    input                    rst,
    // settings
    input      [PHASE_W-1:0] phase_cycles,
    input      [MAX_W-1:0]   max_phases,
    // numbers of warps that enter and leave the groups, sampled at the clock edge that begins the cycle
    input      [COUNT_W-1:0] full_enter,
    input      [COUNT_W-1:0] full_leave,
    input      [COUNT_W-1:0] partial_enter,
    input      [COUNT_W-1:0] partial_leave,
    // values of this cycle
    input                    begin_kernel,
    output                   full_first,
    // registers
    output reg [COUNT_W-1:0] full,
    output reg [COUNT_W-1:0] partial,
    output reg [PHASE_W-1:0] left,             // remaining cycles of the phase; 0: a phase begins
    output reg [MAX_W-1:0]   phases,           // consecutive phases with priority for the same group
    output reg               full_first_before
);

  localparam [PHASE_W-1:0] ONE = 1;
  localparam [MAX_W-1:0] ONE_PHASE = 1;

  wire begins = begin_kernel || left == 0;
  wire was_full = begin_kernel || full_first_before;
  wire [MAX_W-1:0] row = begin_kernel ? {MAX_W{1'b0}} : phases;
  wire larger = full == partial ? was_full : full > partial;
  wire turn = larger == was_full && row >= max_phases;
  wire others = was_full ? |partial : |full;
  wire changes = turn ? others : larger != was_full;

  assign full_first = begins ? was_full ^ changes : full_first_before;

  function [COUNT_W-1:0] next_count(input [COUNT_W-1:0] count, input [COUNT_W-1:0] enter, input [COUNT_W-1:0] leave);
    reg [COUNT_W:0] sum;
    begin
      sum = {1'b0, count} + {1'b0, enter};
      sum = sum - {1'b0, leave};
      next_count = sum[COUNT_W] ? {COUNT_W{1'b1}} : sum[COUNT_W-1:0];
    end
  endfunction

  always @(posedge clk)
    if (rst) begin
      full <= 0;
      partial <= 0;
      left <= 0;
      phases <= 0;
      full_first_before <= 1'b1;
    end else begin
      full <= next_count(full, full_enter, full_leave);
      partial <= next_count(partial, partial_enter, partial_leave);
      left <= begins ? phase_cycles - ONE : left - ONE;
      full_first_before <= full_first;
      if (begins) phases <= changes ? ONE_PHASE : (turn ? {MAX_W{1'b0}} : row) + ONE_PHASE;
    end

endmodule
