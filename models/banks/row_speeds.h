#pragma once

// Models fast and slow rows of the register file (Abdel-Majeed 2016, chapter 6). The access time of a row
// depends on whether the row is fast or slow. For fast rows it also depends on their mode (fast_mode.h).

#include <array>

#include "models/banks/fast_mode.h"
#include "models/banks/i_register_power.h"
#include "models/ports/register_map.h"

namespace heddle {

class RowSpeeds {
 public:
  RowSpeeds(const BankParameters& parameters, const RegisterMap& map, const StatsScope& stats);

  /// Returns the delays of an access that is served in cycle `now`. Adds the access to the counter for the
  /// current speed of its row.
  const RowTiming& serve(Cycle now, const RegisterPlace& place, bool write) {
    const Speed speed = !map_ || !map_->is_fast(place) ? slow : mode_.low(now) ? low : high;
    ++*words_[write][speed];
    return timing_[speed];
  }
  /// Counts the registers of a newly placed warp that lie in rows of the wrong speed: registers meant for
  /// fast rows in slow rows, and the reverse.
  void placed(std::uint32_t registers, WarpId warp);
  FastMode& mode() { return mode_; }
  const FastMode& mode() const { return mode_; }
  std::uint64_t words(bool write) const;

 private:
  enum Speed : std::uint8_t { high, low, slow, kSpeeds };

  const RegisterMap* map_;
  std::array<RowTiming, kSpeeds> timing_{};
  FastMode mode_;
  std::array<std::array<Counter*, kSpeeds>, 2> words_{};
  Counter &slow_in_fast_, &fast_in_slow_;
};

}  // namespace heddle
