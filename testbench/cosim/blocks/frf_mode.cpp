// rtl/frf_mode.v beside the adaptive mode of fast rows, and all that the pilot register file adds to an SM.

#include "models/banks/fast_mode.h"
#include "testbench/cosim/block.h"
#include "testbench/cosim/catalogue.h"

namespace heddle::cosim::frf_mode_block {
namespace {

BlockFit fits(const PartitionParameters&) { return {}; }

void table(BlockTable<FastModePoint>& t, const PartitionParameters& parameters) {
  t.setting("epoch_cycles", static_cast<std::uint64_t>(parameters.epoch_cycles));
  t.setting("threshold", static_cast<std::uint64_t>(parameters.low_below_issues));
  t.input("issued", [](const FastModeView& v) { return v.issued; });
  t.output(
       "low", [](const FastModeView&, const bool& low) { return low; },
       [](const FastModeView&, bool& low, bool by_rtl) { low = by_rtl; })
      .named({"high", "low"});
}

const Block<FastModePoint> block{{"frf_mode", "modes of fast rows", Clocking::per_cycle, fits, table}};

const ReportRegistration report{
    "frf_mode",
    {{"frf_mode", "frf_mode", {}, "mode of the fast rows, epochs of 50 cycles"},
     {"pilot", "pilot", {}, "all that the pilot register file adds to an SM: counters, four tables, mode"}}};

}  // namespace
}  // namespace heddle::cosim::frf_mode_block
