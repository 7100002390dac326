// Models the policy "always": every INT and FP instruction folds. It gives the upper limit of what folding
// can save and of what it can cost (Abdel-Majeed 2016, Fig. 4.4e).

#include "models/core/registry.h"
#include "models/folding/i_fold_policy.h"

namespace heddle {
namespace {

class AlwaysFolds : public FoldPolicy {
 public:
  AlwaysFolds(const NoParameters&, Context&) {}
  FoldDecision decide(const FoldView&) override { return {true, true, kNever, false}; }
};

const Registration<FoldPolicy, AlwaysFolds> always_entry{"always", "all INT and FP instructions fold"};

}  // namespace
}  // namespace heddle
