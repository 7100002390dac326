// Detects whether all lanes of a warp are active (Abdel-Majeed 2016, 4.3.4). The instruction buffer uses this
// bit to assign the warp to a group (full or partial warps).
module all_ones (
    input  [31:0] active,
    output        full
);

  assign full = &active;

endmodule
