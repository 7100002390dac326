#include "models/reference/sight.h"

namespace heddle::reference {

void Sight::passed(const WarpState& warp, const DecodedInstruction& d, LaneMask executing) const {
  if (d.instruction->op == isa::Opcode::membar) observer_->fenced(view(warp, d, executing));
}

void Sight::noted(const WarpState& warp, const DecodedInstruction& d) const {
  observer_->noted(view(warp, d, warp.stack.active()));
}

}  // namespace heddle::reference
