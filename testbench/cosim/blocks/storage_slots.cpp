// Compares rtl/storage_slots.v with how the model assigns a slot to a warp. A slot is the warp's own part of
// a scratchpad, or of a register cache that warps do not share.

#include "models/stages/storage_points.h"
#include "testbench/cosim/block.h"
#include "testbench/cosim/catalogue.h"

namespace heddle::cosim::storage_slots_block {
namespace {

using View = SlotsPoint::View;

BlockFit fits(const SlotsPoint::Owner& slots) {
  return {{{"WARPS", slots.warps}, {"PARTS", slots.warps}}, ""};
}

void table(BlockTable<SlotsPoint>& t, const SlotsPoint::Owner&) {
  t.input("request", [](const View& v) { return !v.leaves; });
  t.input("leaves", [](const View& v) { return v.leaves; });
  t.input("warp", [](const View& v) { return v.warp.value; });
  t.output(
      "part", [](const View&, std::size_t part) { return part; },
      [](const View&, std::size_t& part, std::size_t by_rtl) { part = by_rtl; });
}

const Block<SlotsPoint> block{
    {"storage_slots", "parts of storage by warp", Clocking::per_event, fits, table}};

const ReportRegistration report{"storage_slots",
                                {{"storage_slots",
                                  "storage_slots",
                                  {{"WARPS", 48}, {"PARTS", 8}, {"PART_W", 3}},
                                  "which of eight parts of a scratchpad (Bailey 2018) or of private caches "
                                  "(Gebhart 2012) each of 48 warps holds"}}};

}  // namespace
}  // namespace heddle::cosim::storage_slots_block
