// Compares rtl/stall_count.v with the model's stall counters of warps. After an instruction, a stall counter
// keeps the warp from issuing for the number of cycles that the instruction's control bits state (Huerta
// 2025, 4).

#include "models/scheduler/constraints/warp_points.h"
#include "testbench/cosim/block.h"
#include "testbench/cosim/catalogue.h"

namespace heddle::cosim::stall_count_block {
namespace {

using View = StallPoint::View;

BlockFit fits(const IssuePoints& sm) {
  if (!sm.one_issue) return {{}, "the RTL takes one instruction a partition and cycle"};
  return {};
}

template <class F>
auto of_issued(F value) {
  return [value](const View& v) { return v.issued ? static_cast<unsigned>(value(*v.issued)) : 0u; };
}

void table(BlockTable<StallPoint>& t, const IssuePoints&) {
  t.entering("begin_warp", [](const View& v) { return v.begins; });
  t.entering("issue", [](const View& v) { return v.issued != nullptr; });
  t.entering("bits_set", of_issued([](const isa::ControlBits& bits) { return bits.set; }));
  t.entering("stall", of_issued([](const isa::ControlBits& bits) { return bits.stall; }));
  t.entering("yields", of_issued([](const isa::ControlBits& bits) { return bits.yield; }));
  t.input("hold", [](const View& v) { return v.held; });
  t.input("changed", [](const View& v) { return v.changed; });
  t.output(
       "stalled", [](const View&, bool stalled) { return stalled; },
       [](const View&, bool& stalled, bool by_rtl) { stalled = by_rtl; })
      .named({"no", "yes"});
}

const Block<StallPoint> block{{"stall_count", "stall counts of warps", Clocking::per_cycle, fits, table}};

const ReportRegistration report{
    "stall_count", {{"stall_count", "stall_count", {}, "stall counter and yield bit of a warp"}}};

}  // namespace
}  // namespace heddle::cosim::stall_count_block
