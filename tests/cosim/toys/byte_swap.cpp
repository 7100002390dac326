// Connects the Verilog block byte_swap.v to the register stage toy-byte-swap.

#include "testbench/cosim/block.h"
#include "tests/cosim/toys/toys.h"

namespace heddle::cosim::byte_swap {
namespace {

void table(BlockTable<SwapPoint>& t, const NoParameters&) {
  t.input("values", [](const SwapView& v) { return v.values; });
  t.output(
      "swapped", [](const SwapView&, const LaneVec& swapped) { return swapped; },
      [](const SwapView&, LaneVec& swapped, const LaneVec& by_rtl) { swapped = by_rtl; });
}

BlockFit fits(const NoParameters&) { return {{}, toys_wanted() ? "" : "no toys are wanted"}; }

const Block<SwapPoint> block{{"byte_swap", "byte swaps", Clocking::none, fits, table}};

}  // namespace
}  // namespace heddle::cosim::byte_swap
