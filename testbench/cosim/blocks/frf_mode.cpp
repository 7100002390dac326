// Compares rtl/frf_mode.v with how the model chooses the mode of fast register rows in each epoch: one cycle
// per access, or two cycles with less energy. Also adds the area of the whole pilot register file to the
// report.

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
     {"pilot", "pilot", {}, "all that the pilot register file adds to an SM: counters, four tables, mode"}},
    {{"pilot",
      "The paper calls the counters and their sorting logic negligible beside the register file, which takes "
      "0.2 mm2 at 7 nm, and has no number (Abdel-Majeed 2016, 6.6.2). A file of 256 KB takes 2.26 mm2 by "
      "CACTI 7 at 45 nm: sixteen banks of 16 KB (power/joint/arrays-cacti7.csv).",
      "", 0, 2.26, "a register file"}}};

}  // namespace
}  // namespace heddle::cosim::frf_mode_block
