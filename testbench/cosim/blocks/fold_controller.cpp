// Compares rtl/fold_controller.v with the model's policy `phased`, which decides when an SM partition folds
// the warps of INT or FP instructions (executes their threads in two passes on half of the lanes).

#include "models/folding/phased.h"
#include "models/folding/warp_folding.h"
#include "testbench/cosim/block.h"
#include "testbench/cosim/catalogue.h"

namespace heddle::cosim::fold_controller_block {
namespace {

BlockFit fits(const FoldOwner& owner) {
  return {{}, choice_name(owner.policy) == "phased" ? "" : "there is no RTL of this policy"};
}

void table(BlockTable<FoldPoint>& t, const FoldOwner& owner) {
  PhasedFoldParameters p;
  read_fields(choice_parameters(owner.policy), p);
  t.setting("phase_cycles", static_cast<std::uint64_t>(p.phase_cycles));
  t.setting("aggressive_cycles", p.window(p.aggressive_percent));
  t.setting("conservative_cycles", p.window(p.conservative_percent));
  t.setting("adaptive", p.adaptive);
  t.setting("busy_slots", p.busy(owner.slots));

  using View = FoldProbeView;
  t.input("begin_kernel", [](const View& v) { return v.begins; });
  t.input("int_count", [](const View& v) { return v.int_count; });
  t.input("fp_count", [](const View& v) { return v.fp_count; });
  // The block receives, in each cycle, the number of issue slots that issued an instruction, and adds these
  // numbers up. The model has only their sum, so the port table stores the sum of the previous cycle and
  // passes the difference of the two sums.
  const auto before = std::make_shared<std::uint64_t>(0);
  t.input("issued", [before](const View& v) {
    const std::uint64_t last = std::exchange(*before, v.issued);
    return v.begins ? 0 : v.issued - last;
  });

  t.output(
      "fold_int", [](const View&, const FoldDecision& d) { return d.int_; },
      [](const View&, FoldDecision& d, bool folds) { d.int_ = folds; });
  t.output(
      "fold_fp", [](const View&, const FoldDecision& d) { return d.fp; },
      [](const View&, FoldDecision& d, bool folds) { d.fp = folds; });
  for (const char* port : {"fold_int", "fold_fp", "left", "used"}) t.wave(port, port);
}

const Block<FoldPoint> block{{"fold_controller", "fold policies", Clocking::per_cycle, fits, table}};

const ReportRegistration report{
    "fold_controller",
    {{"fold_controller", "fold_controller", {}, "phases, windows, busy slots of a partition"}}};

}  // namespace
}  // namespace heddle::cosim::fold_controller_block
