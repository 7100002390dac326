#pragma once

// What a machine without a technique would count for the operations of one with techniques, so that the baseline of an
// account can be held against what the plain machine pays for the same accesses.

#include <cstdint>
#include <string>
#include <vector>

#include "models/core/stats.h"

namespace heddle::output {

/// Every word that the operands ask for is an access of a whole row, but for those that spilling adds; what techniques count
/// beside is not there.
class PlainTwin {
 public:
  /// Of a machine that has these counters.
  explicit PlainTwin(const StatsRegistry& counters);

  const StatsRegistry& stats() const { return stats_; }
  /// In the order of stats(), from values in the order of the machine's counters.
  std::vector<std::uint64_t> values(const std::vector<std::uint64_t>& counted) const;

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  /// `times` the counter `of`, less the counter `less` if there is one.
  struct Source {
    std::size_t of, less;
    std::uint64_t times;
  };
  StatsRegistry stats_;
  std::vector<Source> sources_;
};

}  // namespace heddle::output
