// Compares rtl/tric_row.v with the power states (on, drowsy, off) of rows in the model's tri-modal banks.
// Only the first four rows are compared.

#include "models/banks/tri_modal_point.h"
#include "testbench/cosim/block.h"
#include "testbench/cosim/catalogue.h"

namespace heddle::cosim::tric_row_block {
namespace {

BlockFit fits(const TricSettings& settings) {
  if (settings.look_ahead_cycles != 0) return {{}, "there is no RTL of rows that wake ahead of their use"};
  return {};
}

void table(BlockTable<TricPoint>& t, const TricSettings& settings) {
  t.setting("wake_up_time", static_cast<std::uint64_t>(settings.wake_up_cycles));
  t.setting("unallocated_off", settings.unallocated_off);
  t.input("allocated", [](const TricView& v) { return v.allocated; });
  t.input("freed", [](const TricView& v) { return v.freed; });
  t.input("begins", [](const TricView& v) { return v.begins; });
  t.input("ends", [](const TricView& v) { return v.ends; });
  t.output("state", [](const TricView&, const TricState& state) {
     return state;
   }).named({"off", "drowsy", "waking", "on"});
}

const Block<TricPoint> block{{"tric_row", "rows of tri-modal banks", Clocking::per_cycle, fits, table}};

const ReportRegistration report{
    "tric_row",
    {{"tric_row", "tric_row", {}, "states of a row with a counter of its own: off, drowsy, waking, on"}},
    {{"tric_row",
      "The same for a row with a counter of its own, of a bank's 64 (0.00189 mm2 each, by CACTI 7).",
      "all that the paper adds, 4 %", 75.8, 0.00189, "a row"}}};

}  // namespace
}  // namespace heddle::cosim::tric_row_block
