#pragma once

// Models the read ports or the write ports of a small register structure, such as a cache. In each cycle, the
// ports serve up to `ports` accesses, in order of arrival.

#include <algorithm>

#include "models/core/ids.h"

namespace heddle {

class AccessPorts {
 public:
  /// `ports`: accesses per cycle; 0 means unlimited.
  explicit AccessPorts(int ports = 0) : ports_(ports) {}

  /// Returns the cycle in which an access would get a port. `from`: first cycle in which the access may be
  /// served.
  Cycle next(Cycle from) const {
    if (ports_ == 0 || from > cycle_) return from;
    return taken_ < ports_ ? cycle_ : cycle_ + 1;
  }
  bool is_full(Cycle from, int waiting) const {
    return ports_ > 0 && next(from) >= from + static_cast<Cycle>((waiting + ports_ - 1) / ports_);
  }
  /// Occupies a port for an access that may be served from cycle `from` on. Returns the cycle of the service.
  Cycle take(Cycle from) {
    if (ports_ == 0) return from;
    const Cycle at = next(from);
    taken_ = at == cycle_ ? taken_ + 1 : 1;
    cycle_ = at;
    return at;
  }

 private:
  int ports_;
  int taken_ = 0;
  Cycle cycle_ = 0;
};

struct ReadWritePorts {
  AccessPorts read, write;
};

}  // namespace heddle
