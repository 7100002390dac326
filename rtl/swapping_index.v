// The swapping table, indexed by the register number (Abdel-Majeed 2016, 6.3.1): the row of each of the
// lowest REGS registers. Every higher register is in the row that has its number.
module swapping_index #(
    parameter PAIRS = 4,
    parameter REGS = 63,
    parameter REG_W = 6
) (
    input                        clk,
    input                        rst,
    input                        load,
    input      [PAIRS-1:0]       valid,
    input      [PAIRS*REG_W-1:0] slow,
    input      [PAIRS*REG_W-1:0] fast,
    input      [REG_W-1:0]       register_number,
    output reg [REG_W-1:0]       row
);

  reg [REGS*REG_W-1:0] rows;
  reg [REGS*REG_W-1:0] loaded;
  integer r, q, i;

  always @* begin
    row = register_number;
    for (r = 0; r < REGS; r = r + 1)
      if (register_number == r[REG_W-1:0]) row = rows[r*REG_W +: REG_W];
  end

  // Computes the new contents of the table: the two registers of a valid pair exchange their rows. Every
  // other register is in the row that has the register's number.
  always @* begin
    for (q = 0; q < REGS; q = q + 1) begin
      loaded[q*REG_W +: REG_W] = q[REG_W-1:0];
      for (i = 0; i < PAIRS; i = i + 1) begin
        if (valid[i] && slow[i*REG_W +: REG_W] == q[REG_W-1:0]) loaded[q*REG_W +: REG_W] = fast[i*REG_W +: REG_W];
        if (valid[i] && fast[i*REG_W +: REG_W] == q[REG_W-1:0]) loaded[q*REG_W +: REG_W] = slow[i*REG_W +: REG_W];
      end
    end
  end

  integer k;
  always @(posedge clk) begin
    if (rst)
      for (k = 0; k < REGS; k = k + 1) rows[k*REG_W +: REG_W] <= k[REG_W-1:0];
    else if (load)
      rows <= loaded;
  end

endmodule
