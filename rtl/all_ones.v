// Whether all lanes of a warp are active (Abdel-Majeed 2016, 4.3.4): the bit by which the instruction buffer
// says its group.
module all_ones (
    input  [31:0] active,
    output        full
);

  assign full = &active;

endmodule
