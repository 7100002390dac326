// The hardware that warp folding adds to the pipelines of one SP (Abdel-Majeed 2016, Fig. 4.8). At the start
// of a pipeline, the block computes the lane map of the pass and shifts the operands of the pass to their
// lanes. At the end of the pipeline, the block shifts the results back, and a buffer collects the results of
// both passes. There are pipeline registers after the shift of the operands and after the shift of the
// results. {second, pass, temp_Mask} travel through the pipeline with the threads. The pipeline itself is not
// part of this block.
module fold_lanes (
    input               clk,
    input      [31:0]   mask,
    input               fold,
    input               pass,
    input      [1023:0] a,
    input      [1023:0] b,
    input      [1023:0] c,
    output     [31:0]   lanes,
    output              second,
    output reg [1023:0] lane_a,
    output reg [1023:0] lane_b,
    output reg [1023:0] lane_c,
    output reg [63:0]   lane_source,
    // from the end of the pipeline
    input      [1023:0] results,
    input      [31:0]   result_lanes,
    input      [63:0]   result_source,
    input               result_second,  // the instruction has two passes
    input               result_pass,
    output     [1023:0] collected       // to the result bus
);

  wire [63:0] source;
  wire [1023:0] shifted_a, shifted_b, shifted_c, returned;

  fold_mask map (.mask(mask), .fold(fold), .pack(1'b1), .pass(pass), .lanes(lanes), .source(source), .second(second));
  quad_shift shift_a (.values(a), .source(source), .shifted(shifted_a));
  quad_shift shift_b (.values(b), .source(source), .shifted(shifted_b));
  quad_shift shift_c (.values(c), .source(source), .shifted(shifted_c));
  quad_reshift reshift (
      .results(results), .lanes(result_lanes), .source(result_source), .returned(returned), .write()
  );

  // The buffer keeps positions 0 and 1 of every quad until the second pass, because the first of two passes
  // executes only threads of these positions.
  reg [511:0] buffer;
  reg [1023:0] out;
  wire both = result_second && result_pass;
  integer quad;

  assign collected = out;

  always @(posedge clk) begin
    lane_a <= shifted_a;
    lane_b <= shifted_b;
    lane_c <= shifted_c;
    lane_source <= source;
    for (quad = 0; quad < 8; quad = quad + 1) begin
      if (result_second && !result_pass) buffer[64*quad+:64] <= returned[128*quad+:64];
      out[128*quad+:64] <= both ? buffer[64*quad+:64] : returned[128*quad+:64];
      out[128*quad+64+:64] <= returned[128*quad+64+:64];
    end
  end

endmodule
