#pragma once

// Chooses the CTAs that are timed of a grid whose waves access memory differently often. A stretch is a
// warm-up and windows that directly follow each other: two windows, or more in the first stretch. The first
// stretch lies at the beginning of the grid, the second in the middle of the CTAs after it, the third at the
// end. Each further stretch lies in the middle of a gap, the untimed CTAs between two successive stretches.
// The caller chooses the gap whose rate is known least (gap_rates.h).
//
// CTAs at the beginning of the grid begin together and execute the same instructions at a time. They come out
// of step within some waves. A jump to another position keeps how far CTAs are out of step, because a CTA
// begins when another one ends. The first stretch is therefore as long as half of the timed half permits.
//
// A stretch is a whole number of waves. The grid's last, incomplete wave is dispatched after all stretches, so
// that the machine drains as at the end of the launch.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/gpu/cta_dispatcher.h"

namespace heddle::estimate {

class GridStretches {
 public:
  /// Number of windows of a stretch, except the first: two windows show how far windows at one position
  /// deviate.
  static constexpr std::size_t kWindows = 2;
  /// Number of stretches that are always timed. The stretch in the middle shows how far rates between
  /// beginning and end deviate from a line.
  static constexpr std::size_t kLeast = 3;

  /// Numbers of CTAs. `head`: the CTAs before the first window of the grid. `tail`: the grid's last CTAs, which
  /// belong to no stretch.
  struct Sizes {
    std::uint64_t ctas = 0, head = 0, warm_up = 0, window = 0, tail = 0;
    std::uint64_t stretch() const { return warm_up + kWindows * window; }
    /// Returns the least number of CTAs to time for `stretches` stretches.
    std::uint64_t timed(std::uint64_t stretches) const {
      return head + kWindows * window + (stretches - 1) * stretch() + tail;
    }
  };
  explicit GridStretches(const Sizes& sizes) : sizes_(sizes) {}

  struct Window {
    /// empty if the window directly follows the previous window
    DispatchRange warm_up;
    DispatchRange window;
  };
  /// Returns the next window. Returns nothing after the last window of a stretch, if all first stretches have
  /// been timed and go_to() has not been called.
  std::optional<Window> next();
  /// Returns the number of stretches whose last window has been returned.
  std::size_t ended() const { return stretches_.size() - (left_ ? 1 : 0); }
  /// Returns true if the last window of a stretch has been returned.
  bool stretch_ended() const { return left_ == 0; }
  /// Returns the gaps in the order of the grid. A gap may be empty.
  std::vector<DispatchRange> gaps() const;
  bool holds_stretch(const DispatchRange& gap) const { return gap.count >= sizes_.stretch(); }
  /// Makes the next stretch lie in the middle of `gap`. Requires holds_stretch(gap).
  void go_to(const DispatchRange& gap) { target_ = middle_of(gap); }
  std::uint64_t stretch() const { return sizes_.stretch(); }

 private:
  std::uint64_t middle_of(const DispatchRange& gap) const {
    return gap.first + (gap.count - sizes_.stretch()) / 2;
  }
  std::optional<std::uint64_t> next_first() const;

  Sizes sizes_;
  std::vector<DispatchRange> stretches_;  ///< sorted by position
  std::optional<std::uint64_t> target_;   ///< first CTA of the next stretch
  std::size_t left_ = 0;                  ///< windows of the current stretch that have not been returned
  std::uint64_t next_ = 0;                ///< first CTA of the next window of the current stretch
};

}  // namespace heddle::estimate
