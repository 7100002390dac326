// Selects the access that a bank serves in the same cycle as its current access (Radaideh 2021, IV-B3). The
// block selects the oldest ready access whose sub-banks do not overlap those of the current access. The
// output is WINDOW if no access can be selected.
module pair_select #(
    parameter WINDOW = 16,
    parameter INDEX_W = 5
) (
    input      [3:0]          first,
    input      [4*WINDOW-1:0] others,
    input      [WINDOW-1:0]   ready,
    output reg [INDEX_W-1:0]  partner
);

  integer i;

  always @* begin
    partner = WINDOW[INDEX_W-1:0];
    for (i = WINDOW - 1; i >= 0; i = i - 1)
      if (ready[i] && (first & others[4*i+:4]) == 4'b0) partner = i[INDEX_W-1:0];
  end

endmodule
