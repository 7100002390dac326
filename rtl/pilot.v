// The hardware that the pilot register file adds to an SM of four schedulers (Abdel-Majeed 2016, 6.3.1, 6.5.2.1):
// counters and search, the number of the pilot warp, the profile bit, one swapping table per scheduler, and the mode
// of the fast rows. This block serves only to measure the area of this hardware.
module pilot #(
    parameter REGS = 63,
    parameter COUNT_W = 16,
    parameter REG_W = 6,
    parameter TOP = 4,
    parameter TABLES = 4
) (
    input                        clk,
    input                        rst,
    input                        begin_kernel,
    input                        choose,      // the warp that begins becomes the pilot
    input                        pilot_ends,
    input      [7:0]             warp,
    input                        access,      // a warp accesses a register
    input      [REG_W-1:0]       register_number,
    input                        scan,
    input      [TABLES-1:0]      load,        // one bit per table, so that synthesis keeps the tables separate
    input      [TOP-1:0]         valid,
    input      [TOP*REG_W-1:0]   slow,
    input      [TOP*REG_W-1:0]   fast,
    input      [TABLES*REG_W-1:0] looked_up,
    input      [3:0]             issued,
    output     [TABLES*REG_W-1:0] rows,
    output     [TOP-1:0]         top_valid,
    output     [TOP*REG_W-1:0]   top,
    output                       low
);

  reg [7:0] pilot_warp;
  reg profiling;
  genvar g;

  always @(posedge clk) begin
    if (rst) begin
      pilot_warp <= 0;
      profiling <= 1'b0;
    end else begin
      if (choose) pilot_warp <= warp;
      profiling <= begin_kernel || (profiling && !pilot_ends);
    end
  end

  pilot_counters #(.REGS(REGS), .COUNT_W(COUNT_W), .REG_W(REG_W), .TOP(TOP)) counters (
      .clk(clk), .rst(rst), .clear(begin_kernel), .count(access && profiling && warp == pilot_warp), .scan(scan),
      .register_number(register_number), .top_valid(top_valid), .top(top));

  generate
    for (g = 0; g < TABLES; g = g + 1) begin : tables
      wire [REG_W-1:0] row;
      swapping_cam #(.PAIRS(TOP), .REG_W(REG_W)) table_copy (
          .clk(clk), .rst(rst), .load(load[g]), .valid(valid), .slow(slow), .fast(fast),
          .register_number(looked_up[g*REG_W +: REG_W]), .row(row));
      assign rows[g*REG_W +: REG_W] = profiling ? looked_up[g*REG_W +: REG_W] : row;
    end
  endgenerate

  frf_mode mode (.clk(clk), .rst(rst), .epoch_cycles(6'd50), .threshold(9'd85), .issued(issued), .low(low));

endmodule
