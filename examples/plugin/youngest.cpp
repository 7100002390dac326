// SPDX-License-Identifier: Apache-2.0
// A warp scheduler: it issues from the ready warp in the highest slot. The object `registered` adds the
// scheduler to Heddle's list of schedulers.

#include <bit>

#include "models/core/registry.h"
#include "models/scheduler/i_scheduler_policy.h"

namespace {

struct Youngest : heddle::SchedulerPolicy {
  Youngest(const heddle::NoParameters&, heddle::SchedulerContext&) {}
  bool choose(const heddle::SchedulerView& view, heddle::PickList& picks) override {
    if (view.ready)
      picks.add(heddle::WarpId(63 - static_cast<unsigned>(std::countl_zero(view.ready.bits()))));
    return false;
  }
};

const heddle::Registration<heddle::SchedulerPolicy, Youngest> youngest_entry{
    "youngest", "the ready warp in the highest slot"};

}  // namespace
