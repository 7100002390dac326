#pragma once

// Computes the counters that a machine without techniques would have for the same operations. The counters
// give the plain machine's price, against which the baseline of an account is checked.

#include <cstdint>
#include <string>
#include <vector>

#include "models/core/stats.h"

namespace heddle::output {

/// Counts every register word that instructions request as an access to a whole row. Words that spilling adds
/// and counters of techniques are left out.
class PlainTwin {
 public:
  /// `counters`: names of the counters of the machine with techniques.
  explicit PlainTwin(const StatsRegistry& counters);

  const StatsRegistry& stats() const { return stats_; }
  /// Returns the counters of the plain machine, in the order of stats(). `counted`: the counters of the
  /// machine with techniques, in their order.
  std::vector<std::uint64_t> values(const std::vector<std::uint64_t>& counted) const;

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  /// Formula of one counter of the plain machine: `times` the counter `of`, minus the counter `less`. kNone:
  /// nothing is subtracted.
  struct Source {
    std::size_t of, less;
    std::uint64_t times;
  };
  StatsRegistry stats_;
  std::vector<Source> sources_;
};

}  // namespace heddle::output
