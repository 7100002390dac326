#pragma once

// Models the pilot warp: the first warp of a kernel, whose register accesses are counted while it is resident
// (Abdel-Majeed 2016, 6.3.1).

#include <optional>
#include <span>
#include <vector>

#include "models/core/stats.h"
#include "models/stages/pilot_profile.h"

namespace heddle {

class PilotWarp {
 public:
  PilotWarp(const PilotSettings& settings, const StatsScope& stats)
      : profile_(settings),
        pilots_(stats.add("pilots", "warps", "pilot warps that ended")),
        cycles_(stats.add("pilot_cycles", "cycles", "cycles in which a pilot warp was resident")),
        accesses_(stats.add("pilot_accesses", "accesses", "words of pilot warps that were counted")) {}

  void kernel_begins(bool wanted) {
    warp_.reset();
    profile_.clear();
    wanted_ = wanted;
  }
  void warp_begins(Cycle now, WarpId warp) {
    if (!wanted_) return;
    wanted_ = false;
    warp_ = warp;
    counted_to_ = now;
    counted_before_ = accesses_.value();
  }
  bool runs() const { return warp_.has_value(); }
  bool is(WarpId warp) const { return warp_ == warp; }
  void count(std::span<const RegisterAccess> words) {
    accesses_ += words.size();
    profile_.count(words);
  }
  std::uint64_t counted() const { return accesses_.value() - counted_before_; }
  std::vector<std::uint8_t> end(Cycle now) {
    count_to(now);
    warp_.reset();
    ++pilots_;
    return profile_.top();
  }
  void count_to(Cycle cycle) {
    if (!warp_ || cycle <= counted_to_) return;
    cycles_ += cycle - counted_to_;
    counted_to_ = cycle;
  }
  Probe<PilotPoint>& probe() { return profile_.probe(); }

 private:
  PilotProfile profile_;
  std::optional<WarpId> warp_;
  bool wanted_ = false;
  Cycle counted_to_ = 0;
  std::uint64_t counted_before_ = 0;
  Counter &pilots_, &cycles_, &accesses_;
};

}  // namespace heddle
