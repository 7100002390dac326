#pragma once

// Detects when a check observes a new launch. A check may observe several launches, one after another. At a
// new launch, the check drops the state of the warps and CTAs of the previous launch.

#include "models/reference/reference.h"

namespace heddle::reference {

class CurrentLaunch {
 public:
  bool begins(const ExecutedInstruction& e) {
    if (launch_ == &e.launch && id_ == e.launch.id) return false;
    launch_ = &e.launch;
    id_ = e.launch.id;
    return true;
  }
  void forget() { launch_ = nullptr; }

 private:
  const isa::KernelLaunch* launch_ = nullptr;
  KernelId id_{};
};

}  // namespace heddle::reference
