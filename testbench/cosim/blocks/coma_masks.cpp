// Compares rtl/coma_masks.v with the model's choice of the row segments that an access drives
// (models/banks/lane_segments.h). A segment is a group of neighbouring lanes with a word line of its own.

#include "models/banks/lane_segments.h"
#include "testbench/cosim/block.h"
#include "testbench/cosim/catalogue.h"

namespace heddle::cosim::coma_masks_block {
namespace {

constexpr int kCollectors = 32;

BlockFit fits(const ComaSettings& settings) {
  if (settings.collectors > kCollectors) return {{}, "it has more collectors than the RTL has masks"};
  return {{{"SEGMENT", settings.segment_lanes}}, ""};
}

void table(BlockTable<ComaPoint>& t, const ComaSettings&) {
  t.input("write", [](const ComaView& v) { return v.writes; });
  t.input("collector", [](const ComaView& v) { return v.collector; });
  t.input("mask", [](const ComaView& v) { return v.mask; });
  t.output(
      "driven",
      [](const ComaView& v, const LaneMask& driven) {
        return v.writes ? std::optional<LaneMask>{} : std::optional<LaneMask>{driven};
      },
      [](const ComaView& v, LaneMask& driven, LaneMask by_rtl) {
        if (!v.writes) driven = by_rtl;
      });
}

const Block<ComaPoint> block{{"coma_masks", "mask tables of banks", Clocking::per_event, fits, table}};

const ReportRegistration report{
    "coma_masks",
    {{"coma_masks", "coma_masks", {}, "masks of 16 collectors, a word line segment a lane"},
     {"coma_masks_8", "coma_masks", {{"SEGMENT", 8}}, "the same, segments of eight lanes"}}};

}  // namespace
}  // namespace heddle::cosim::coma_masks_block
