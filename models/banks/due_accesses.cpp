#include "models/banks/due_accesses.h"

namespace heddle {

void DueAccesses::advance_far(Cycle now) {
  std::erase_if(far_, [&](const Far& far) {
    if (far.from > now) return false;
    coming_ -= far.due.accesses;
    due_.add(far.due);
    return true;
  });
}

}  // namespace heddle
