#pragma once

// Computes the counters that a machine without techniques would have for the same operations. The price of
// these counters must equal the baseline of an energy account.

#include <cstdint>
#include <string>
#include <vector>

#include "models/core/stats.h"

namespace heddle::output {

/// Counts every register word that instructions request as an access to a whole row. Leaves out words that
/// spilling adds. stats() has no counters of techniques.
class PlainTwin {
 public:
  explicit PlainTwin(const StatsRegistry& counters);

  const StatsRegistry& stats() const { return stats_; }
  /// Returns the counters in the order of stats(). `counted`: counters of the machine with techniques.
  std::vector<std::uint64_t> values(const std::vector<std::uint64_t>& counted) const;

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  /// Formula of one counter: `times` the counter `of`, minus the counter `less`. kNone: nothing is
  /// subtracted.
  struct Source {
    std::size_t of, less;
    std::uint64_t times;
  };
  StatsRegistry stats_;
  std::vector<Source> sources_;
};

}  // namespace heddle::output
