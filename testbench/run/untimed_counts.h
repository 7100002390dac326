#pragma once

// The machine program of a launch (after all passes) executed without time: what it counts is exact, but where its
// control flow depends on order or time.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/core/stats.h"
#include "models/reference/reference.h"

namespace heddle::run {

struct UntimedCounts {
  reference::ReferenceResult result;
  std::vector<std::uint32_t> by_cta;  ///< warp-instructions of every CTA of the grid
  /// Counters of the issue stages that follow, by their names after "sm*.issue.", summed over the SMs.
  std::vector<std::pair<std::string, std::uint64_t>> counters;
};

/// The lines of global memory that a launch has touched last.
class LastLines : public reference::AccessSink {
 public:
  static constexpr std::uint64_t kLineBytes = 128;
  /// Enough of them to fill a cache of so many lines, as far as neighbouring accesses touch different ones.
  explicit LastLines(std::size_t cache_lines) : ring_(4 * cache_lines) {}
  void accessed(std::span<const std::uint64_t, kLanes> addresses) override {
    if (ring_.empty()) return;
    for (const std::uint64_t address : addresses) {
      const std::uint64_t line = address / kLineBytes;
      if (line == last_) continue;
      last_ = line;
      ring_[count_++ % ring_.size()] = line;
    }
  }
  /// each(address), in the order in which they were touched.
  template <class Each>
  void for_each(Each&& each) const {
    const std::uint64_t first = count_ > ring_.size() ? count_ - ring_.size() : 0;
    for (std::uint64_t i = first; i < count_; ++i) each(ring_[i % ring_.size()] * kLineBytes);
  }

 private:
  std::vector<std::uint64_t> ring_;
  std::uint64_t count_ = 0, last_ = ~std::uint64_t{0};
};

/// Executes all CTAs on `memory`. Throws what the reference throws.
UntimedCounts execute_untimed(const isa::KernelLaunch& launch, MemoryImage& memory,
                              reference::ReferenceOptions options);

/// Positions in the registry of one counter of the issue stages ("issued", "branches"), an SM each.
std::vector<std::size_t> issue_counters(const StatsRegistry& stats, std::string_view name);

/// Gives the counters of all SMs (in the order of `stats`) the sums that are known: each keeps its share of the sum.
/// Counters that a timed part shows otherwise keep what was estimated: these are added at run time (spills).
void put_exact(const UntimedCounts& counts, const StatsRegistry& stats, std::vector<std::uint64_t>& counters);

}  // namespace heddle::run
