// The shifter that prior work needs instead of byte_align (Radaideh 2021, Table II: cross-thread shifters).
// The shifter rotates the 32-byte slices of a register by up to three places. This block serves only to
// compare the shifter's area with the area of byte_align; the model does not contain it.
module warp_shift (
    input      [1023:0] slices,
    input      [1:0]    places,
    output reg [1023:0] shifted
);

  always @*
    case (places)
      2'd0: shifted = slices;
      2'd1: shifted = {slices[767:0], slices[1023:768]};
      2'd2: shifted = {slices[511:0], slices[1023:512]};
      default: shifted = {slices[255:0], slices[1023:256]};
    endcase

endmodule
