#pragma once

// Models ports of one kind of a small register structure: `ports` accesses a cycle, in order of arrival.

#include <algorithm>

#include "models/core/ids.h"

namespace heddle {

class AccessPorts {
 public:
  /// 0 ports: unlimited.
  explicit AccessPorts(int ports = 0) : ports_(ports) {}

  /// Returns the cycle in which an access would get a port, if it may be served from `from` on.
  Cycle next(Cycle from) const {
    if (ports_ == 0 || from > cycle_) return from;
    return taken_ < ports_ ? cycle_ : cycle_ + 1;
  }
  /// True if more than `waiting` accesses already wait for a port.
  bool is_full(Cycle from, int waiting) const {
    return ports_ > 0 && next(from) >= from + static_cast<Cycle>((waiting + ports_ - 1) / ports_);
  }
  /// Occupies a port. Returns the cycle of the access.
  Cycle take(Cycle from) {
    if (ports_ == 0) return from;
    const Cycle at = next(from);
    taken_ = at == cycle_ ? taken_ + 1 : 1;
    cycle_ = at;
    return at;
  }

 private:
  int ports_;
  int taken_ = 0;    ///< ports occupied in cycle_
  Cycle cycle_ = 0;  ///< cycle of the last access
};

/// Ports of one structure.
struct ReadWritePorts {
  AccessPorts read, write;
};

}  // namespace heddle
