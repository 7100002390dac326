// Fold policy "always": every INT and FP instruction is folded into two passes. A run with this policy gives
// the largest saving and the largest slowdown of warp folding (Abdel-Majeed 2016, Fig. 4.4e).

#include "models/core/part_arrays.h"
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

const Arrays<FoldPolicy> always_fold_arrays{"always", {}};

}  // namespace
}  // namespace heddle
