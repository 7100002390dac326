// The six dependence counters of a warp (Huerta 2025, section 4). An instruction increments up to two
// counters in the stage Control, one cycle after its issue. The first counter is decremented when the results
// are written, the second counter when the sources are read. The warp's next instruction waits until all
// counters in `wait_mask` are 0.
module dependence_counters #(
    parameter COUNT_W = 6,
    parameter FALL_W = 2   // width in bits of the number of decrements of a counter in a cycle
) (
    input                       clk,
    input                       rst,
    input                       begin_warp,
    input      [5:0]            control_write,  // counter that Control increments for the results of its instruction
    input      [5:0]            control_read,
    input      [6*FALL_W-1:0]   falls,
    input      [5:0]            wait_mask,      // counters for which the next instruction waits
    input      [5:0]            next_raises,    // counters that the next instruction will increment
    output reg                  waits,
    output reg                  full,           // a counter in `next_raises` is at its maximum
    output reg [6*COUNT_W-1:0]  count
);

  localparam [COUNT_W+1:0] MOST = (1 << COUNT_W) - 1;

  reg [6*COUNT_W-1:0] count_next;
  reg [COUNT_W+1:0] raised, fallen, left;
  integer c;

  always @* begin
    waits = 1'b0;
    full = 1'b0;
    raised = 0;
    fallen = 0;
    left = 0;
    count_next = count;
    for (c = 0; c < 6; c = c + 1) begin
      raised = {2'b0, count[c*COUNT_W +: COUNT_W]} + {{(COUNT_W+1){1'b0}}, control_write[c]}
             + {{(COUNT_W+1){1'b0}}, control_read[c]};
      if (wait_mask[c] && count[c*COUNT_W +: COUNT_W] != 0) waits = 1'b1;
      if (next_raises[c] && raised >= MOST) full = 1'b1;
      fallen = {{(COUNT_W+2-FALL_W){1'b0}}, falls[c*FALL_W +: FALL_W]};
      left = raised > fallen ? raised - fallen : {(COUNT_W+2){1'b0}};
      count_next[c*COUNT_W +: COUNT_W] = left > MOST ? MOST[COUNT_W-1:0] : left[COUNT_W-1:0];
    end
  end

  always @(posedge clk) begin
    if (rst || begin_warp) count <= 0;
    else count <= count_next;
  end

endmodule
