// The hardware that Origami adds to an SM of two SPs (Abdel-Majeed 2016, 4.4.5): all-ones detection for two
// instructions per cycle, the groups and phases of the scheduler, and the idle counters of the lanes (4.3.4).
// In each SP, Origami adds the lane map, the shifting of operands, the re-shifting of results and the
// collection of results. Settings are constants here, as in a chip built for one setting. The counters of
// instruction types (from GATES) and the controllers of the sleep transistors (from conventional gating) are
// not included.
module origami #(
    parameter COUNT_W = 6,
    parameter PHASE_CYCLES = 300,
    parameter AGGRESSIVE_CYCLES = 210,
    parameter CONSERVATIVE_CYCLES = 120,
    parameter BUSY_SLOTS = 540,
    parameter MAX_PHASES = 2
) (
    input                clk,
    input                rst,
    input                begin_kernel,
    // instruction buffer
    input  [63:0]        active,          // active masks of two instructions
    output [1:0]         full,
    // scheduler
    input  [COUNT_W-1:0] int_count,       // INT_ACTV and FP_ACTV of GATES
    input  [COUNT_W-1:0] fp_count,
    input  [1:0]         issued,
    input  [COUNT_W-1:0] full_enter,
    input  [COUNT_W-1:0] full_leave,
    input  [COUNT_W-1:0] partial_enter,
    input  [COUNT_W-1:0] partial_leave,
    output               full_first,
    output               fold_int,
    output               fold_fp,
    // SPs, first and second
    input  [63:0]        mask,
    input  [1:0]         is_fp,
    input  [1:0]         pass,
    input  [2047:0]      a,
    input  [2047:0]      b,
    input  [2047:0]      c,
    output [63:0]        lanes,
    output [1:0]         second,
    output [2047:0]      lane_a,
    output [2047:0]      lane_b,
    output [2047:0]      lane_c,
    output [127:0]       lane_source,
    input  [2047:0]      results,
    input  [63:0]        result_lanes,
    input  [127:0]       result_source,
    input  [1:0]         result_second,
    input  [1:0]         result_pass,
    output [2047:0]      collected,
    // Order of the pipelines in the bits: INT and FP of the first SP, then INT and FP of the second SP.
    input  [127:0]       on,              // lanes that are on, from the controllers of their sleep transistors
    input  [127:0]       in_use,
    input  [127:0]       wanted,
    output [127:0]       sleep
);

  localparam PHASE_W = 9, ISSUED_W = 10, MAX_W = 2;

  all_ones ones_0 (.active(active[31:0]), .full(full[0]));
  all_ones ones_1 (.active(active[63:32]), .full(full[1]));

  origami_groups #(
      .COUNT_W(COUNT_W),
      .PHASE_W(PHASE_W),
      .MAX_W(MAX_W)
  ) groups (
      .clk(clk),
      .rst(rst),
      .phase_cycles(PHASE_CYCLES[PHASE_W-1:0]),
      .max_phases(MAX_PHASES[MAX_W-1:0]),
      .full_enter(full_enter),
      .full_leave(full_leave),
      .partial_enter(partial_enter),
      .partial_leave(partial_leave),
      .begin_kernel(begin_kernel),
      .full_first(full_first),
      .full(),
      .partial(),
      .left(),
      .phases(),
      .full_first_before()
  );

  fold_controller #(
      .COUNT_W(COUNT_W),
      .SLOTS_W(2),
      .PHASE_W(PHASE_W),
      .ISSUED_W(ISSUED_W)
  ) controller (
      .clk(clk),
      .rst(rst),
      .phase_cycles(PHASE_CYCLES[PHASE_W-1:0]),
      .aggressive_cycles(AGGRESSIVE_CYCLES[PHASE_W-1:0]),
      .conservative_cycles(CONSERVATIVE_CYCLES[PHASE_W-1:0]),
      .adaptive(1'b1),
      .busy_slots(BUSY_SLOTS[ISSUED_W-1:0]),
      .begin_kernel(begin_kernel),
      .int_count(int_count),
      .fp_count(fp_count),
      .issued(issued),
      .fold_int(fold_int),
      .fold_fp(fold_fp),
      .left(),
      .used(),
      .int_left(),
      .fp_left()
  );

  genvar sp;
  generate
    for (sp = 0; sp < 2; sp = sp + 1) begin : sps
      fold_lanes lanes_of (
          .clk(clk),
          .mask(mask[32*sp+:32]),
          .fold(is_fp[sp] ? fold_fp : fold_int),
          .pass(pass[sp]),
          .a(a[1024*sp+:1024]),
          .b(b[1024*sp+:1024]),
          .c(c[1024*sp+:1024]),
          .lanes(lanes[32*sp+:32]),
          .second(second[sp]),
          .lane_a(lane_a[1024*sp+:1024]),
          .lane_b(lane_b[1024*sp+:1024]),
          .lane_c(lane_c[1024*sp+:1024]),
          .lane_source(lane_source[64*sp+:64]),
          .results(results[1024*sp+:1024]),
          .result_lanes(result_lanes[32*sp+:32]),
          .result_source(result_source[64*sp+:64]),
          .result_second(result_second[sp]),
          .result_pass(result_pass[sp]),
          .collected(collected[1024*sp+:1024])
      );
      lane_counters int_counters (
          .clk(clk),
          .rst(rst),
          .begin_kernel(begin_kernel),
          .on(on[64*sp+:32]),
          .busy(in_use[64*sp+:32]),
          .in_use(in_use[64*sp+:32]),
          .wanted(wanted[64*sp+:32]),
          .spared({8{{2{fold_int}}, 2'b00}}),
          .idle_detect(3'd5),
          .sleep(sleep[64*sp+:32])
      );
      lane_counters fp_counters (
          .clk(clk),
          .rst(rst),
          .begin_kernel(begin_kernel),
          .on(on[64*sp+32+:32]),
          .busy(in_use[64*sp+32+:32]),
          .in_use(in_use[64*sp+32+:32]),
          .wanted(wanted[64*sp+32+:32]),
          .spared({8{{2{fold_fp}}, 2'b00}}),
          .idle_detect(3'd5),
          .sleep(sleep[64*sp+32+:32])
      );
    end
  endgenerate

endmodule
