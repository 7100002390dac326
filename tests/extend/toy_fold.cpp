// A plug-in fold policy: INT and FP instructions fold in turn, for a fixed number of cycles each.

#include "models/core/registry.h"
#include "models/folding/i_fold_policy.h"

namespace heddle {
namespace {

struct TurnsParameters {
  int turn_cycles = 25;
  void fields(FieldVisitor& v) {
    v.field("turn_cycles", turn_cycles, {1, 1000}, "cycles for which one type folds");
  }
};

class ToyTurns : public FoldPolicy {
 public:
  ToyTurns(const TurnsParameters& p, Context&) : turn_(static_cast<Cycle>(p.turn_cycles)) {}
  FoldDecision decide(const FoldView& view) override {
    const Cycle turn = view.now / turn_;
    return {turn % 2 == 0, turn % 2 == 1, (turn + 1) * turn_, false};
  }
  Cycle steady_cycles() const override { return turn_; }

 private:
  Cycle turn_;
};

const Registration<FoldPolicy, ToyTurns, TurnsParameters> toy_fold_entry{"toy-turns",
                                                                         "INT and FP fold in turn"};

}  // namespace
}  // namespace heddle
