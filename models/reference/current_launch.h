#pragma once

// The launch that a check observes. A check may observe several launches in turn, and drops the state of
// warps and CTAs at the next launch.

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
