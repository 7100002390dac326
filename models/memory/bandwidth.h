#pragma once

// Models a channel that transfers a limited number of bytes per cycle. Times are in units of 1/65536 cycle,
// so that the sum of transfer times has no rounding error of whole cycles.

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "models/core/ids.h"

namespace heddle {

class Bandwidth {
 public:
  static constexpr unsigned kFraction = 16;
  /// `bytes_per_cycle`: bandwidth of the channel; 0: no limit
  explicit Bandwidth(double bytes_per_cycle)
      : per_byte_(bytes_per_cycle > 0 ? std::ldexp(1.0, kFraction) / bytes_per_cycle : 0) {}

  /// Times in units of 1/65536 cycle. free_from(): earliest start of the next transfer. cost(): duration of a
  /// transfer of `bytes` bytes.
  std::uint64_t free_from() const { return free_; }
  std::uint64_t cost(unsigned bytes) const {
    return static_cast<std::uint64_t>(std::llround(per_byte_ * bytes));
  }
  void occupy(std::uint64_t start, unsigned bytes) { free_ = start + cost(bytes); }

  /// Transfers `bytes` bytes from cycle `now` on, or as soon as the channel is free. Returns the first cycle
  /// of the transfer.
  Cycle transfer(Cycle now, unsigned bytes) {
    const std::uint64_t start = std::max(now << kFraction, free_);
    occupy(start, bytes);
    return start >> kFraction;
  }
  Cycle free_cycle() const { return free_ >> kFraction; }

 private:
  double per_byte_;
  std::uint64_t free_ = 0;
};

}  // namespace heddle
