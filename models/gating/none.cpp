// Gating policy without power gating: all power domains are always on.

#include "models/core/part_arrays.h"
#include "models/core/registry.h"
#include "models/gating/i_gating_policy.h"

namespace heddle {
namespace {

class NoGating : public GatingPolicy {
 public:
  NoGating(const NoParameters&, Context&) {}
  GatingDecision decide(const DomainGroupView&) override { return {}; }
  const char* refuses(DomainKind) const override { return nullptr; }
  bool never_gates() const override { return true; }
};

const Registration<GatingPolicy, NoGating> none_entry{"none", "domains stay on"};

const Arrays<GatingPolicy> no_gating_arrays{"none", {}};

}  // namespace
}  // namespace heddle
