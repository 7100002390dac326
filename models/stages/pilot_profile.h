#pragma once

// Models the profile of a pilot warp (Abdel-Majeed 2016, 6.3.1): one saturating counter of accesses for each
// register. When the pilot has ended, the profile returns the most accessed registers.

#include <cstdint>
#include <span>
#include <vector>

#include "models/core/ids.h"
#include "models/core/probe.h"
#include "models/ports/register_access.h"

namespace heddle {

/// The registers `slow` and `fast` exchange their rows. `fast` is one of the first registers of its warp.
struct RegisterSwap {
  std::uint8_t slow = 0, fast = 0;
  bool operator==(const RegisterSwap&) const = default;
};

/// Returns the swaps that move the registers `top` into the first `fast` rows of a warp (Abdel-Majeed 2016,
/// Fig. 6.6). `top` lists the most accessed registers first. Registers of `top` outside these rows are
/// swapped, in their order, with the first registers that are not in `top`, in ascending order.
std::vector<RegisterSwap> swaps_for(std::span<const std::uint8_t> top, std::uint32_t fast);

struct PilotSettings {
  int counters = 63, counter_bits = 16, top = 4;
};

/// Events of a profile. begins: a kernel begins, and the counters are cleared. counts: an access is counted.
/// ranks: the pilot has ended, and one register is ranked. ends: the result is read.
struct PilotView {
  enum What : std::uint8_t { begins, counts, ranks, ends } what = begins;
  std::uint32_t reg = 0;
};

struct PilotPoint {
  using Owner = PilotSettings;
  using View = PilotView;
  using Answer = std::vector<std::uint8_t>;  ///< for `ends`: registers, the most accessed first
};

class PilotProfile {
 public:
  explicit PilotProfile(const PilotSettings& settings);

  void clear();
  void count(RegId reg);
  void count(std::span<const RegisterAccess> words);
  /// Returns at most PilotSettings::top registers, the most accessed first. Among equals, the lower number is
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
