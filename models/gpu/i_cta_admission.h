#pragma once

// Family "CTA admission constraint": decides whether another CTA fits on an SM. All constraints must agree.

#include <string>

#include "models/isa/launch.h"
#include "models/sm/sm_resources.h"

namespace heddle {

class CtaAdmission {
 public:
  struct Context {
    int sms = 1;
  };
  static constexpr const char* kFamily = "CTA admission constraint";
  static constexpr const char* kPlace = "gpu.admission";
  virtual ~CtaAdmission() = default;

  /// Returns the number of further CTAs of the launch that fit in these free resources under this constraint.
  virtual int room(const SmResources& free, const isa::KernelLaunch& launch) const = 0;
  /// Returns the needs of a CTA, for the error if not even one fits: "96 KiB of shared memory, the SM has
  /// 48".
  virtual std::string demand(const SmResources& capacity, const isa::KernelLaunch& launch) const = 0;
};

}  // namespace heddle
