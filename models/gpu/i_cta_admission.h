#pragma once

// Interface of the CTA admission constraints. A CTA is placed on an SM only if all configured constraints
// allow it.

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

  /// Returns how many further CTAs of the launch this constraint allows on an SM with the resources `free`.
  virtual int room(const SmResources& free, const isa::KernelLaunch& launch) const = 0;
  /// Returns the resources that a CTA needs, for the error text about a CTA that does not fit. Example: "96 KiB
  /// of shared memory, the SM has 48".
  virtual std::string demand(const SmResources& capacity, const isa::KernelLaunch& launch) const = 0;
};

}  // namespace heddle
