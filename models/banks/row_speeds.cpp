#include "models/banks/row_speeds.h"

#include <fmt/format.h>

#include "models/core/error.h"

namespace heddle {

// The configured access times of fast and slow rows include the banks' latency. Therefore only the cycles in
// excess of this latency delay the data of a read.
RowSpeeds::RowSpeeds(const BankParameters& parameters, const RegisterMap& map, const StatsScope& stats)
    : map_(parameters.partition.kind == "all-slow" ? nullptr : &map),
      mode_(parameters.partition, stats),
      slow_in_fast_(stats.add("slow_in_fast_rows", "registers",
                              "registers that got a fast row because no slow row was free")),
      fast_in_slow_(stats.add("fast_in_slow_rows", "registers",
                              "registers that got a slow row because no fast row was free")) {
  const PartitionParameters& p = parameters.partition;
  const int cycles[kSpeeds] = {p.fast_cycles, p.low_cycles, p.slow_cycles};
  const char* const names[kSpeeds] = {"fast_cycles", "low_cycles", "slow_cycles"};
  for (std::size_t s = 0; s < kSpeeds; ++s) {
    if (cycles[s] < parameters.latency_cycles)
      throw Error(
          fmt::format("register_file.banks.partition.{}", names[s]),
          fmt::format("{} cycles, less than the banks' latency of {}", cycles[s], parameters.latency_cycles),
          "at least banks.latency_cycles");
    timing_[s].added_cycles = static_cast<Cycle>(cycles[s] - parameters.latency_cycles);
    timing_[s].busy_cycles = p.busy == "whole-access" ? static_cast<Cycle>(cycles[s]) : 1;
  }
  constexpr const char* kNames[kSpeeds] = {"fast_high", "fast_low", "slow"};
  for (std::size_t s = 0; s < kSpeeds; ++s) {
    words_[0][s] = &stats.add(fmt::format("{}_reads", kNames[s]), "accesses", "reads of rows of this speed");
    words_[1][s] =
        &stats.add(fmt::format("{}_writes", kNames[s]), "accesses", "writes of rows of this speed");
  }
}

void RowSpeeds::placed(std::uint32_t registers, WarpId warp) {
  if (!map_) return;
  for (std::uint32_t r = 0; r < registers; ++r) {
    const bool fast = map_->is_fast(map_->place(warp, RegId(r)));
    if (fast && r >= map_->fast_registers()) ++slow_in_fast_;
    if (!fast && r < map_->fast_registers()) ++fast_in_slow_;
  }
}

std::uint64_t RowSpeeds::words(bool write) const {
  std::uint64_t sum = 0;
  for (const Counter* counter : words_[write]) sum += counter->value();
  return sum;
}

}  // namespace heddle
