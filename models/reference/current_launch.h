#pragma once

// The launch that a check observes. A check may observe several launches, one after another. When a new
// launch begins, the check drops the state of the warps and CTAs of the previous launch.

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
