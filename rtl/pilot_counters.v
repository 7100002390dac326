// The access counters of the pilot warp (003, 6.3.1), and the search for the TOP highest of them: register after
// register, each enters a short sorted list in one cycle. Of equal counts the lower number comes first; registers that
// were not accessed do not come at all.
module pilot_counters #(
    parameter REGS = 63,
    parameter COUNT_W = 16,
    parameter REG_W = 6,
    parameter TOP = 4
) (
    input                    clk,
    input                    rst,
    input                    clear,
    input                    count,   // the counter of register_number
    input                    scan,    // register_number enters the list
    input  [REG_W-1:0]       register_number,
    output [TOP-1:0]         top_valid,
    output [TOP*REG_W-1:0]   top      // the highest in the lowest bits
);

  reg [COUNT_W-1:0] counts [0:REGS-1];
  reg [TOP-1:0] valid;
  reg [REG_W-1:0] list [0:TOP-1];
  reg [COUNT_W-1:0] list_count [0:TOP-1];
  reg [TOP-1:0] above;  // the candidate comes before entry i
  wire [COUNT_W-1:0] candidate = counts[register_number];
  integer i, r;
  genvar g;

  always @* begin
    for (i = 0; i < TOP; i = i + 1) above[i] = !valid[i] || candidate > list_count[i];
  end

  assign top_valid = valid;
  generate
    for (g = 0; g < TOP; g = g + 1) begin : out
      assign top[g*REG_W +: REG_W] = list[g];
    end
  endgenerate

  always @(posedge clk) begin
    if (rst || clear) begin
      for (r = 0; r < REGS; r = r + 1) counts[r] <= 0;
      valid <= 0;
      for (i = 0; i < TOP; i = i + 1) begin
        list[i] <= 0;
        list_count[i] <= 0;
      end
    end else begin
      if (count && !(&candidate)) counts[register_number] <= candidate + 1'b1;
      if (scan && candidate != 0)
        for (i = 0; i < TOP; i = i + 1)
          if (above[i]) begin
            if (i == 0 || !above[i-1]) begin
              valid[i] <= 1'b1;
              list[i] <= register_number;
              list_count[i] <= candidate;
            end else begin
              valid[i] <= valid[i-1];
              list[i] <= list[i-1];
              list_count[i] <= list_count[i-1];
            end
          end
    end
  end

endmodule
