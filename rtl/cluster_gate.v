// One power domain: the state machine of its sleep transistor (Abdel-Majeed 2016, Fig. 2.5c), with the
// counters for break-even time and wake-up delay.
//
//   on --sleep--> uncompensated --break_even cycles--> compensated
//   uncompensated, compensated --wake--> wake_up --wake_up_time cycles--> on
//
// The inputs of a cycle determine the state of the next cycle. gating_controller.v decides which domains
// sleep and wake. A single down-counter serves as blackout counter (Abdel-Majeed 2016, 3.5) and for the
// wake-up delay, because the two never count at the same time.
module cluster_gate #(
    parameter IDLE_W = 4,  // width in bits of idle-detect
    parameter TIME_W = 5   // width in bits of the break-even time and the wake-up delay (both at least 1)
) (
    input                   clk,
    input                   begin_kernel,  // the domain is set to on, with an idle count of 0
    input                   in_use,        // an instruction is in the domain, so it stays on
    input                   busy,          // this cycle does not count as idle
    input  [IDLE_W-1:0]     idle_detect,
    input  [TIME_W-1:0]     break_even,
    input  [TIME_W-1:0]     wake_up_time,
    input                   sleep,         // puts the domain to sleep; allowed only while idle
    input                   wake,          // wakes the domain; allowed only while gated
    output reg [1:0]        state,
    output reg [TIME_W-1:0] timer,         // remaining cycles of uncompensated or wake_up, including this cycle
    output reg [IDLE_W-1:0] idle_count,    // idle cycles so far, without this cycle; the count saturates
    output                  idle,          // the domain is on, and no instruction is in it
    output                  idle_enough,   // idle for idle_detect cycles, including this one
    output reg              just_paid,     // first cycle in the state `compensated`
    output                  last_unpaid    // last cycle of the break-even time
);

  localparam [1:0] ON = 2'd0, UNCOMPENSATED = 2'd1, COMPENSATED = 2'd2, WAKE_UP = 2'd3;
  localparam [TIME_W-1:0] LAST = 1;

  assign idle = state == ON && !in_use;
  wire [IDLE_W:0] idle_now = {1'b0, idle_count} + 1'b1;
  assign idle_enough = idle && !busy && idle_now >= {1'b0, idle_detect};

  assign last_unpaid = state == UNCOMPENSATED && timer == LAST;
  wire counting = state == ON && !busy;

  always @(posedge clk) begin
    just_paid <= 1'b0;
    if (begin_kernel) begin
      state <= ON;
      timer <= 0;
      idle_count <= 0;
    end else begin
      idle_count <= !counting || sleep ? {IDLE_W{1'b0}} : (&idle_count ? idle_count : idle_now[IDLE_W-1:0]);
      case (state)
        ON:
        if (sleep) begin
          state <= UNCOMPENSATED;
          timer <= break_even;
        end
        WAKE_UP: begin
          if (timer == LAST) state <= ON;
          timer <= timer - 1'b1;
        end
        default:
        if (wake) begin
          state <= WAKE_UP;
          timer <= wake_up_time;
        end else if (state == UNCOMPENSATED) begin
          if (timer == LAST) begin
            state <= COMPENSATED;
            just_paid <= 1'b1;
          end
          timer <= timer - 1'b1;
        end
      endcase
    end
  end

endmodule
