#pragma once

// Computes the counters that a machine without techniques would have for the same operations. They give the
// plain machine's price, with which an account's baseline is compared.

#include <cstdint>
#include <string>
#include <vector>

#include "models/core/stats.h"

namespace heddle::output {

/// Counts every word that operands request as an access to a whole row, without the words that spilling adds.
/// Leaves out counters of techniques.
class PlainTwin {
 public:
  /// `counters`: those of the machine with techniques.
  explicit PlainTwin(const StatsRegistry& counters);

  const StatsRegistry& stats() const { return stats_; }
  /// Returns values in the order of stats(). `counted` is in the order of the machine's counters.
  std::vector<std::uint64_t> values(const std::vector<std::uint64_t>& counted) const;

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  /// A value: `times` the counter `of`, minus the counter `less` if it is not kNone.
  struct Source {
    std::size_t of, less;
    std::uint64_t times;
  };
  StatsRegistry stats_;
  std::vector<Source> sources_;
};

}  // namespace heddle::output
