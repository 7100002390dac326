// Compares rtl/dependence_counters.v with the model's dependence counters of warps. The control bits of an
// instruction name the counters that the instruction raises and waits for (Huerta 2025, 4).

#include "models/scheduler/constraints/warp_points.h"
#include "testbench/cosim/block.h"
#include "testbench/cosim/catalogue.h"

namespace heddle::cosim::dependence_counters_block {
namespace {

using View = DependencePoint::View;
using Answer = DependencePoint::Answer;

BlockFit fits(const IssuePoints& sm) {
  if (!sm.one_issue) return {{}, "the RTL takes one instruction a partition and cycle"};
  return {};
}

unsigned mask_of(unsigned counter) { return counter < isa::kDependenceCounters ? 1u << counter : 0; }

/// Adds an output of the Verilog block to the table `t`: an answer about the warp's next instruction. If the
/// warp has no next instruction, the output is not compared.
void add(BlockTable<DependencePoint>& t, const char* port, bool Answer::*value) {
  t.output(
       port,
       [value](const View& v, const Answer& answer) {
         return v.candidate ? std::optional<bool>{answer.*value} : std::nullopt;
       },
       [value](const View& v, Answer& answer, bool by_rtl) {
         if (v.candidate) answer.*value = by_rtl;
       })
      .named({"no", "yes"});
}

void table(BlockTable<DependencePoint>& t, const IssuePoints&) {
  t.entering("begin_warp", [](const View& v) { return v.begins; });
  t.entering("falls", [](const View& v) { return v.falls; });
  t.input("control_write", [](const View& v) { return mask_of(v.control[0]); });
  t.input("control_read", [](const View& v) { return mask_of(v.control[1]); });
  t.input("wait_mask", [](const View& v) { return v.mask; });
  t.input("next_raises", [](const View& v) { return mask_of(v.next[0]) | mask_of(v.next[1]); });
  t.output("count", [](const View&, const Answer& answer) { return answer.counts; });
  add(t, "waits", &Answer::waits);
  add(t, "full", &Answer::full);
}

const Block<DependencePoint> block{
    {"dependence_counters", "dependence counters of warps", Clocking::per_cycle, fits, table}};

const ReportRegistration report{
    "dependence_counters",
    {{"dependence_counters", "dependence_counters", {}, "six counters of a warp, 6 bits each"}}};

}  // namespace
}  // namespace heddle::cosim::dependence_counters_block
