#pragma once

// Sums the architected registers of the resident warps over time (register-cycles). A register file without
// renaming would allocate all these registers.

#include <algorithm>
#include <vector>

#include "models/core/ids.h"
#include "models/core/stats.h"

namespace heddle {

class ResidentRegisters {
 public:
  ResidentRegisters(int warps, const StatsScope& stats)
      : registers_(static_cast<std::size_t>(warps)),
        peak_(
            stats.add("allocated_peak", "entries", "the most registers that resident warps had at one time")),
        cycles_(stats.add("allocated_cycles", "entry-cycles", "registers of resident warps")) {}

  bool any() const { return present_ != 0; }
  void begins(Cycle now, WarpId warp, std::uint32_t registers) {
    count_to(now);
    registers_[warp.value] = registers;
    present_ += registers;
    peak_ += std::max(std::uint64_t{present_}, peak_.value()) - peak_.value();
  }
  void ends(Cycle now, WarpId warp) {
    count_to(now);
    present_ -= std::exchange(registers_[warp.value], 0);
  }
  void count_to(Cycle cycle) {
    if (cycle <= counted_to_) return;
    cycles_ += (cycle - counted_to_) * present_;
    counted_to_ = cycle;
  }

 private:
  std::vector<std::uint32_t> registers_;
  std::uint32_t present_ = 0;
  Cycle counted_to_ = 0;
  Counter &peak_, &cycles_;
};

}  // namespace heddle
