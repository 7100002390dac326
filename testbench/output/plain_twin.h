#pragma once

// Computes the counters that a machine without techniques would have if it executed the same instructions.
// The energy that an account computes from these counters must equal the account's baseline.

#include <cstdint>
#include <string>
#include <vector>

#include "models/core/stats.h"

namespace heddle::output {

/// Computes the counters of a machine without techniques from those of a machine with techniques. Every
/// register word that an instruction requests counts as an access to a whole row of a bank. Words that
/// spilling adds do not count. stats() registers the counters of the machine without techniques.
class PlainTwin {
 public:
  explicit PlainTwin(const StatsRegistry& counters);

  const StatsRegistry& stats() const { return stats_; }
  /// Returns the counter values of the machine without techniques, in the order of stats(). `counted`: values
  /// of the machine with techniques.
  std::vector<std::uint64_t> values(const std::vector<std::uint64_t>& counted) const;

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  /// Formula of one counter: `times` * (counter `of` - counter `less`). `less` is kNone if nothing is
  /// subtracted.
  struct Source {
    std::size_t of, less;
    std::uint64_t times;
  };
  StatsRegistry stats_;
  std::vector<Source> sources_;
};

}  // namespace heddle::output
