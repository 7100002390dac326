// Encodes the states of rows under tri-modal control (tric.v) as words, for comparison with the model. In
// hardware, only the two bits of each row would control the switches of the row.
module tric_states #(
    parameter ROWS = 4,
    parameter ROW_W = 2,
    parameter COUNTERS = 4,
    parameter EVENTS = 16,
    parameter USE_W = 16,
    parameter TIME_W = 7
) (
    input                         clk,
    input                         rst,
    input      [TIME_W-1:0]       wake_up_time,
    input                         unallocated_off,
    input      [ROWS-1:0]         allocated,
    input      [ROWS-1:0]         freed,
    input      [EVENTS-1:0]       begins,
    input      [EVENTS*ROW_W-1:0] begin_rows,
    input      [EVENTS-1:0]       ends,
    input      [EVENTS*ROW_W-1:0] end_rows,
    output                        full,
    output reg [2*ROWS-1:0]       state
);

  localparam OFF = 2'd0, DROWSY = 2'd1, WAKING = 2'd2, ON = 2'd3;

  wire [ROWS-1:0] owned, on;
  wire [COUNTERS-1:0] waking;
  wire [COUNTERS*ROW_W-1:0] rows;
  integer r, c;

  tric #(
      .ROWS(ROWS),
      .ROW_W(ROW_W),
      .COUNTERS(COUNTERS),
      .BEGINS(EVENTS),
      .ENDS(EVENTS),
      .USE_W(USE_W),
      .TIME_W(TIME_W)
  ) control (
      .clk(clk),
      .rst(rst),
      .wake_up_time(wake_up_time),
      .unallocated_off(unallocated_off),
      .allocated(allocated),
      .freed(freed),
      .begins(begins),
      .begin_rows(begin_rows),
      .ends(ends),
      .end_rows(end_rows),
      .full(full),
      .owned(owned),
      .on(on),
      .waking(waking),
      .rows(rows)
  );

  always @* begin
    for (r = 0; r < ROWS; r = r + 1)
      state[2*r+:2] = on[r] ? ON : owned[r] || !unallocated_off ? DROWSY : OFF;
    for (c = 0; c < COUNTERS; c = c + 1) if (waking[c]) state[2*rows[c*ROW_W+:ROW_W]+:2] = WAKING;
  end

endmodule
