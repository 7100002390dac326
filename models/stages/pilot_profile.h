#pragma once

// Accesses of a pilot warp (Abdel-Majeed 2016, 6.3.1): a saturating counter a register; and the registers
// that change places when it has ended.

#include <cstdint>
#include <span>
#include <vector>

#include "models/core/ids.h"
#include "models/core/probe.h"
#include "models/ports/register_access.h"

namespace heddle {

/// Register `slow` gets the row of `fast`, one of the first of its warp, and the other way round.
struct RegisterSwap {
  std::uint8_t slow = 0, fast = 0;
  bool operator==(const RegisterSwap&) const = default;
};

/// The swaps that bring `top`, the most accessed registers first, into the first `fast` rows of a warp
/// (Abdel-Majeed 2016, Fig. 6.6): the i-th of those outside of them changes places with the i-th of the first
/// registers that are not among the top ones, in ascending order.
std::vector<RegisterSwap> swaps_for(std::span<const std::uint8_t> top, std::uint32_t fast);

struct PilotSettings {
  int counters = 63, counter_bits = 16, top = 4;
};

/// A kernel begins, and the counters are 0; an access is counted; the pilot has ended: the registers are
/// ranked one by one, then the first ones are read.
struct PilotView {
  enum What : std::uint8_t { begins, counts, ranks, ends } what = begins;
  std::uint32_t reg = 0;
};

struct PilotPoint {
  using Owner = PilotSettings;
  using View = PilotView;
  using Answer = std::vector<std::uint8_t>;  ///< registers, the most accessed first, where it `ends`
};

class PilotProfile {
 public:
  explicit PilotProfile(const PilotSettings& settings);

  void clear();
  void count(RegId reg);
  void count(std::span<const RegisterAccess> words);
  /// The most accessed registers, most accessed first, at most this many; among equals the lower number
  /// first.
  std::vector<std::uint8_t> top() const;
  std::uint32_t of(RegId reg) const { return counts_[reg.value]; }
  Probe<PilotPoint>& probe() { return probe_; }

 private:
  PilotSettings settings_;
  std::uint32_t limit_;
  std::vector<std::uint32_t> counts_;
  Probe<PilotPoint> probe_;
};

}  // namespace heddle
