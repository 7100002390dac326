#pragma once

// Counters of a machine without techniques for the operations of a machine with techniques. With them, an
// account's baseline is compared with the plain machine's price for the same accesses.

#include <cstdint>
#include <string>
#include <vector>

#include "models/core/stats.h"

namespace heddle::output {

/// Every word that operands request counts as an access of a whole row, without words that spilling adds.
/// Counters of techniques are left out.
class PlainTwin {
 public:
  /// Constructor arguments: the counters of the machine with techniques.
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
