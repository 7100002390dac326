// A plug-in CTA admission constraint: at most a fixed number of CTAs on an SM.

#include <fmt/format.h>

#include <algorithm>

#include "models/core/registry.h"
#include "models/gpu/i_cta_admission.h"

namespace heddle {
namespace {

struct FewParameters {
  int spare = 6;
  void fields(FieldVisitor& v) { v.field("spare", spare, {0, 31}, "CTA slots that stay empty"); }
};

class Few : public CtaAdmission {
 public:
  Few(const FewParameters& p, Context&) : spare_(p.spare) {}

  int room(const SmResources& free, const isa::KernelLaunch&) const override {
    return std::max(0, free.ctas - spare_);
  }
  std::string demand(const SmResources& capacity, const isa::KernelLaunch&) const override {
    return fmt::format("a CTA slot beside {} that stay empty, an SM has {}", spare_, capacity.ctas);
  }

 private:
  int spare_;
};

const Registration<CtaAdmission, Few, FewParameters> toy_admission_entry{"toy-few",
                                                                         "some CTA slots stay empty"};

}  // namespace
}  // namespace heddle
