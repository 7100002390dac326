#pragma once

// Models the access profile of a pilot warp (Abdel-Majeed 2016, 6.3.1). The pilot is one warp of a kernel; its
// register accesses are counted. The profile has one saturating counter for each register. When the pilot warp
// ends, the profile returns the registers with the most accesses.

#include <cstdint>
#include <span>
#include <vector>

#include "models/core/ids.h"
#include "models/core/probe.h"
#include "models/ports/register_access.h"

namespace heddle {

/// Two registers of one warp; they exchange their rows. `fast`: register in a fast row. `slow`: frequently
/// accessed register that moves to this fast row.
struct RegisterSwap {
  std::uint8_t slow = 0, fast = 0;
  bool operator==(const RegisterSwap&) const = default;
};

/// Returns the swaps that move the registers of `top` into the first `fast` rows of a warp (Abdel-Majeed
/// 2016, Fig. 6.6). `top`: most accessed registers, in descending order. Registers of `top` that already lie
/// in these rows stay there. Each other register of `top` is swapped with the lowest register of these rows
/// that is not in `top` and not yet swapped.
std::vector<RegisterSwap> swaps_for(std::span<const std::uint8_t> top, std::uint32_t fast);

struct PilotSettings {
  int counters = 63, counter_bits = 16, top = 4;
};

/// Event of the profile. `begins`: a kernel begins, and all counters are cleared. `counts`: an access is
/// counted. `ranks`: after the end of the pilot warp, the next register is ranked. `ends`: the stage reads
/// the ranking.
struct PilotView {
  enum What : std::uint8_t { begins, counts, ranks, ends } what = begins;
  std::uint32_t reg = 0;
};

struct PilotPoint {
  using Owner = PilotSettings;
  using View = PilotView;
  using Answer = std::vector<std::uint8_t>;
};

class PilotProfile {
 public:
  explicit PilotProfile(const PilotSettings& settings);

  void clear();
  void count(RegId reg);
  void count(std::span<const RegisterAccess> words);
  /// Returns the most accessed registers in descending order of accesses, at most PilotSettings::top. Among
  /// equal counts, the lower register number comes first.
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
