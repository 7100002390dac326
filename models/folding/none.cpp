// Fold policy "none": every instruction takes one pass.

#include "models/core/part_arrays.h"
#include "models/core/registry.h"
#include "models/folding/i_fold_policy.h"

namespace heddle {
namespace {

class NeverFolds : public FoldPolicy {
 public:
  NeverFolds(const NoParameters&, Context&) {}
  FoldDecision decide(const FoldView&) override { return {}; }
};

const Registration<FoldPolicy, NeverFolds> none_entry{"none", "warps don't fold"};

const Arrays<FoldPolicy> none_fold_arrays{"none", {}};

}  // namespace
}  // namespace heddle
