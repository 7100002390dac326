#pragma once

// Chooses the CTAs of a grid that are timed for an estimate. The timed CTAs are some waves at the start
// (head), a window of CTAs directly after the head, and further windows. A place is a position of the grid
// where windows are timed.
//
// - A short grid of equal CTAs is timed window after window, from its first CTA on.
// - Of a long grid of equal CTAs, windows in the middle and at the end are timed. Then the first waves of the
//   grid are timed; their CTAs begin in the same cycle.
// - Of a grid of equal CTAs whose waves access memory differently often, stretches are timed
//   (grid_stretches.h).
// - If CTAs differ in length, blocks of CTAs are sorted by instructions, and each place represents the same
//   number of CTAs. The grid's last wave is also timed, so that the machine drains as at the end of the
//   launch.
// - Paired places (estimate.paired_share) are spread evenly over the grid and do not depend on measurements.
//   Runs with and without a technique therefore time the same CTAs, and the choice of CTAs adds no error to
//   their difference.

#include <cstdint>
#include <optional>
#include <vector>

#include "models/gpu/cta_dispatcher.h"
#include "testbench/estimate/estimate_parameters.h"
#include "testbench/estimate/grid_stretches.h"

namespace heddle::estimate {

class CtaPlaces {
 public:
  /// Minimum number of timed CTA windows at the beginning of the grid. The first half of them is not used,
  /// because the SMs still fill.
  static constexpr std::size_t kLeastOfBeginning = 2;
  /// If in_order() and the grid has at least kWavesOfHalf waves, timing stops at this share of the CTAs if
  /// the confidence interval is then narrow enough. The estimate thus saves at least half of the cost.
  static constexpr double kMostInOrder = 0.5, kWavesOfHalf = 20;

  /// Plans which CTAs of a grid are timed. `instructions`: warp-instructions of each CTA. `segments`: number
  /// of global-memory segments that each CTA accesses; empty if unknown.
  CtaPlaces(std::vector<std::uint32_t> instructions, std::uint64_t wave, int sms,
            const EstimateParameters& parameters, std::vector<std::uint32_t> segments = {});

  bool times_whole() const { return whole_; }
  /// Returns true if the grid is timed from its first CTA, window after window, and then at its end. This
  /// holds for short grids of equal CTAs. The machine fills, settles or drains during most of a short grid,
  /// so windows from the middle do not represent such a grid.
  bool in_order() const { return in_order_; }
  /// Makes the next call of next() return the last window of the grid. Later calls continue at the position
  /// of the grid before this jump.
  void go_to_end() { to_end_ = true; }
  /// Returns the CTAs that are not timed if timing stops now: they follow the last window timed in order, and
  /// end before the warm-up of the grid's last window. Call only if in_order().
  DispatchRange rest() const;
  std::uint64_t window() const { return window_; }
  /// Returns the number of CTAs to time for one more window of a grid that is timed from its first CTA on.
  /// After the jump back from the grid's end, this number includes a warm-up.
  std::uint64_t next_window() const { return window_ + (is_back() ? warm_up_ : 0); }
  /// Returns true if next() has returned the last window of the grid.
  bool at_end() const { return ended_; }
  /// Returns true if the first timed CTAs do not begin together, but one after the other. This imitates the
  /// middle of a long grid, where CTAs of equal length no longer begin and end in the same cycles.
  bool ramps() const { return ramps_; }
  /// Returns true if the first CTAs of the grid are timed after all other windows, on empty SMs. They all
  /// begin in the same cycle, as at the start of the launch; other timed CTAs do not (ramps()). In some
  /// kernels, CTAs that begin together stay aligned up to the end of the grid.
  bool times_beginning() const { return times_beginning_; }
  /// Returns the first CTAs of the grid, one wave. Call only if times_beginning().
  DispatchRange beginning() const { return {0, wave_}; }
  /// Returns the next window after the grid's first wave, beginning(). Returns nothing if CTAs of this window
  /// have already been timed.
  std::optional<DispatchRange> next_of_beginning();
  /// Returns the CTAs that are timed first. Measuring may begin when all of them have been dispatched.
  DispatchRange head() const { return whole_ ? DispatchRange{0, head_} : DispatchRange{begin_, head_}; }
  DispatchRange tail() const { return {ctas() - tail_, tail_}; }

  struct Place {
    /// CTAs that run before the window and are not measured; empty if the window directly follows the
    /// previous one
    DispatchRange warm_up;
    DispatchRange window;
    /// Position, from 0 to 1, of the window's block in the list of blocks of consecutive CTAs, sorted
    /// by Block::order. Position in the grid if in_order() or if two runs time the same CTAs.
    double position = 0;
  };
  /// Returns the least number of windows to time; of a grid with stretches(), the least number of stretches.
  std::size_t least() const { return least_; }
  /// Returns the next CTA window to time; nothing after the last one. If CTAs differ in their number of
  /// instructions, the first few windows are spread from the shortest to the longest CTAs. If CTAs are
  /// equally long, further windows directly follow the first. If in_order(), each window directly follows the
  /// previous window, up to the end of the grid or until go_to_end() is called.
  std::optional<Place> next();

  std::uint64_t ctas() const { return instructions_.size(); }
  std::uint64_t instructions(DispatchRange range) const;
  /// Returns the stretches to time if CTAs are equally long, but some waves access more segments of global
  /// memory per instruction than others: a window in the middle of the grid would not represent all CTAs.
  /// Null for other grids.
  GridStretches* stretches() { return stretches_ ? &*stretches_ : nullptr; }
  /// Returns the number of global memory segments that these CTAs access per warp-instruction.
  double segments(DispatchRange range) const;

 private:
  struct Block {
    std::uint64_t first = 0;
    double order = 0;  ///< sort key: instructions
    bool taken = false;
  };
  void set_head(std::uint64_t settle, std::uint64_t least);
  void make_blocks();
  /// Returns the number of CTAs of a block: a warm-up and a window.
  std::uint64_t block_size() const { return warm_up_ + window_; }
  void plan_stretches(double grid_waves, int places);
  double deviation(double mean) const;
  bool waves_vary() const;
  std::optional<std::size_t> nearest(double position) const;
  std::optional<Place> further();
  std::optional<Place> next_at_end();
  std::uint64_t plan_pairs(double share);
  std::size_t windows_of_pair(std::size_t place) const;
  std::uint64_t begin_of_pair(std::size_t place) const;
  std::optional<Place> next_pair();
  std::optional<Place> next_in_order();
  bool is_back() const { return ended_ && last_.position == 1; }
  double most_in_a_window(double grid_waves, const EstimateParameters& parameters) const;
  std::optional<Place> next_in_stretches();

  std::vector<std::uint32_t> instructions_, segments_;
  std::uint64_t wave_, begin_ = 0, head_ = 0, tail_ = 0, warm_up_ = 0, window_ = 0;
  bool whole_ = false, differ_ = false, ramps_ = false, in_order_ = false, varies_ = false;
  bool times_beginning_ = false;
  std::optional<GridStretches> stretches_;
  std::uint64_t beginning_window_ = 0, beginning_end_ = 0;
  bool to_end_ = false, ended_ = false;  ///< go_to_end() was called; next() has returned the last window
  std::uint64_t in_order_end_ = 0;       ///< end of the CTAs that next() has returned in order
  std::size_t least_ = 1;
  std::vector<Block> blocks_;  ///< blocks of CTAs that may be timed, sorted by Block::order
  std::size_t begins_ = 0;     ///< index in blocks_ of the block that is timed first
  std::size_t places_ = 0;
  std::size_t in_a_row_ = 0;
  std::size_t pairs_ = 0, pair_windows_ = 0;
  Place last_;
};

}  // namespace heddle::estimate
