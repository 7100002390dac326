#pragma once

// Ports of one kind of a small register structure: `ports` accesses a cycle, in the order in which they come.

#include <algorithm>

#include "models/core/ids.h"

namespace heddle {

class AccessPorts {
 public:
  /// 0 ports: unlimited.
  explicit AccessPorts(int ports = 0) : ports_(ports) {}

  /// The cycle in which an access that may go from `from` on would get a port.
  Cycle next(Cycle from) const {
    if (ports_ == 0 || from > cycle_) return from;
    return taken_ < ports_ ? cycle_ : cycle_ + 1;
  }
  /// More than `waiting` accesses wait for a port already.
  bool is_full(Cycle from, int waiting) const {
    return ports_ > 0 && next(from) >= from + static_cast<Cycle>((waiting + ports_ - 1) / ports_);
  }
  /// Takes that port.
  Cycle take(Cycle from) {
    if (ports_ == 0) return from;
    const Cycle at = next(from);
    taken_ = at == cycle_ ? taken_ + 1 : 1;
    cycle_ = at;
    return at;
  }

 private:
  int ports_;
  int taken_ = 0;    ///< in cycle_
  Cycle cycle_ = 0;  ///< of the last access
};

/// Ports of one structure.
struct ReadWritePorts {
  AccessPorts read, write;
};

}  // namespace heddle
