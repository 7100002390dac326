// Fold policy "none": every instruction takes one pass.

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

}  // namespace
}  // namespace heddle
