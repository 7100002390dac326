#pragma once

// Fast and slow rows (Abdel-Majeed 2016, chapter 6): how long an access to a row takes, by its partition and
// the mode of the fast one, and what was accessed where.

#include <array>

#include "models/banks/fast_mode.h"
#include "models/banks/i_register_power.h"
#include "models/ports/register_map.h"

namespace heddle {

class RowSpeeds {
 public:
  RowSpeeds(const BankParameters& parameters, const RegisterMap& map, const StatsScope& stats);

  /// Delay of an access that is served now; counts it.
  const RowTiming& serve(Cycle now, const RegisterPlace& place, bool write) {
    const Speed speed = !map_ || !map_->is_fast(place) ? slow : mode_.low(now) ? low : high;
    ++*words_[write][speed];
    return timing_[speed];
  }
  /// A warp has these rows: those of its slow registers that had to be fast ones are counted.
  void placed(std::uint32_t registers, WarpId warp);
  FastMode& mode() { return mode_; }
  const FastMode& mode() const { return mode_; }
  std::uint64_t words(bool write) const;

 private:
  enum Speed : std::uint8_t { high, low, slow, kSpeeds };

  const RegisterMap* map_;  ///< nullptr: all rows are slow
  std::array<RowTiming, kSpeeds> timing_{};
  FastMode mode_;
  std::array<std::array<Counter*, kSpeeds>, 2> words_{};  ///< read, written
  Counter &slow_in_fast_, &fast_in_slow_;
};

}  // namespace heddle
