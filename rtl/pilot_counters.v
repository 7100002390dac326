// The access counters of the pilot warp (Abdel-Majeed 2016, 6.3.1), and the search for the TOP registers with
// the most accesses. In each cycle of the search, the block inserts one register into a short sorted list.
// Among registers with equal counts, the register with the lower number comes first in the list. Registers
// without accesses are not inserted.
module pilot_counters #(
    parameter REGS = 63,
    parameter COUNT_W = 16,
    parameter REG_W = 6,
    parameter TOP = 4
) (
    input                    clk,
    input                    rst,
    input                    clear,
    input                    count,   // increments the counter of register_number
    input                    scan,    // inserts register_number into the list
    input  [REG_W-1:0]       register_number,
    output [TOP-1:0]         top_valid,
    output [TOP*REG_W-1:0]   top      // register numbers of the list; the highest count in the lowest bits
);

  reg [REGS*COUNT_W-1:0] counts;
  reg [TOP-1:0] valid;
  reg [TOP*REG_W-1:0] list;
  reg [TOP*COUNT_W-1:0] list_count;
  reg [TOP-1:0] above;  // bit i: the inserted register comes before entry i
  reg [COUNT_W-1:0] candidate;
  integer i, r, c;

  always @* begin
    candidate = 0;
    for (c = 0; c < REGS; c = c + 1)
      if (register_number == c[REG_W-1:0]) candidate = counts[c*COUNT_W +: COUNT_W];
  end

  always @* begin
    for (i = 0; i < TOP; i = i + 1) above[i] = !valid[i] || candidate > list_count[i*COUNT_W +: COUNT_W];
  end

  assign top_valid = valid;
  assign top = list;

  always @(posedge clk) begin
    if (rst || clear) begin
      counts <= 0;
      valid <= 0;
      list <= 0;
      list_count <= 0;
    end else begin
      for (r = 0; r < REGS; r = r + 1)
        if (count && !(&candidate) && register_number == r[REG_W-1:0])
          counts[r*COUNT_W +: COUNT_W] <= candidate + 1'b1;
      if (scan && candidate != 0)
        for (i = 0; i < TOP; i = i + 1)
          if (above[i]) begin
            if (i == 0 || !above[i-1]) begin
              valid[i] <= 1'b1;
              list[i*REG_W +: REG_W] <= register_number;
              list_count[i*COUNT_W +: COUNT_W] <= candidate;
            end else begin
              valid[i] <= valid[i-1];
              list[i*REG_W +: REG_W] <= list[(i-1)*REG_W +: REG_W];
              list_count[i*COUNT_W +: COUNT_W] <= list_count[(i-1)*COUNT_W +: COUNT_W];
            end
          end
    end
  end

endmodule
