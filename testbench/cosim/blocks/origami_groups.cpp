// Compares rtl/origami_groups.v with the two groups of warps of an origami scheduler: warps with all 32 lanes
// active (full), and other warps (partial).

#include "models/scheduler/origami_groups.h"

#include <algorithm>

#include "testbench/cosim/block.h"
#include "testbench/cosim/catalogue.h"

namespace heddle::cosim::origami_groups_block {
namespace {

void table(BlockTable<OrigamiGroupsPoint>& t, const OrigamiGroupsParameters& p) {
  using View = OrigamiGroupsInputs;
  t.setting("phase_cycles", static_cast<std::uint64_t>(p.phase_cycles));
  t.setting("max_phases", static_cast<std::uint64_t>(p.max_group_phases));

  // The block receives how many warps enter and leave each group in a cycle, but the model has only the
  // number of warps in each group. Each call adds a row to the port table. The function of a `leave` row also
  // stores the new numbers. Each `leave` row must therefore follow its `enter` row: the function of the
  // `enter` row needs the old numbers.
  const auto full = std::make_shared<int>(0), partial = std::make_shared<int>(0);
  t.entering("full_enter", [full](const View& v) { return std::max(0, v.full - *full); });
  t.entering("full_leave",
             [full](const View& v) { return std::max(0, std::exchange(*full, v.full) - v.full); });
  t.entering("partial_enter", [partial](const View& v) { return std::max(0, v.partial - *partial); });
  t.entering("partial_leave", [partial](const View& v) {
    return std::max(0, std::exchange(*partial, v.partial) - v.partial);
  });
  t.input("begin_kernel", [](const View& v) { return v.begins && v.now == v.begun; });

  t.output(
       "full_first", [](const View&, const OrigamiGroupsOutputs& out) { return out.full_first; },
       [](const View&, OrigamiGroupsOutputs& out, bool full_first) { out.full_first = full_first; })
      .named({"no", "yes"});
  for (const char* port : {"full_first", "full", "partial", "left", "phases"}) t.wave(port, port);
}

const Block<OrigamiGroupsPoint> block{{"origami_groups", "groups of origami schedulers", Clocking::per_cycle,
                                       [](const OrigamiGroupsParameters&) { return BlockFit{}; }, table}};

const ReportRegistration report{
    "origami_groups",
    {{"all_ones", "all_ones", {}, "32 active lanes or fewer"},
     {"origami_groups", "origami_groups", {}, "two counters, phases, whose turn it is"}}};

}  // namespace
}  // namespace heddle::cosim::origami_groups_block
