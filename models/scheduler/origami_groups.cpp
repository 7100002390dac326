#include "models/scheduler/origami_groups.h"

namespace heddle {

OrigamiGroupsOutputs OrigamiGroups::step(const OrigamiGroupsInputs& inputs) {
  if (inputs.begins) {
    full_first_ = true;
    phases_ = 0;
    end_ = inputs.begun;
    before_ = {};
  }
  while (end_ < inputs.now) begin_phase(before_);
  if (end_ == inputs.now) begin_phase(inputs);
  before_ = inputs;
  return {full_first_};
}

void OrigamiGroups::begin_phase(const OrigamiGroupsInputs& inputs) {
  end_ += static_cast<Cycle>(p_.phase_cycles);
  bool full = inputs.full == inputs.partial ? full_first_ : inputs.full > inputs.partial;
  if (full == full_first_ && phases_ >= p_.max_group_phases) {
    const int others = full ? inputs.partial : inputs.full;
    if (others > 0)
      full = !full;
    else
      phases_ = 0;
  }
  phases_ = full == full_first_ ? phases_ + 1 : 1;
  full_first_ = full;
}

}  // namespace heddle
