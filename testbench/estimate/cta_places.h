#pragma once

// Chooses the CTAs of a grid that are timed for an estimate. A wave is the number of CTAs that all SMs hold
// at once. The timed CTAs are a head of some waves, a place (a window of CTAs) directly after the head, and
// further places. If CTAs differ in length, a wave at the grid's end is added, so that the machine drains as
// at the end of the whole launch. Places are strata of the grid: the grid's blocks are sorted by their CTAs'
// instructions and then by position, and each place represents the same number of CTAs.
//
// Paired places (estimate.paired_share) are spread evenly over the grid. They depend only on the launch, the
// number of CTAs that SMs hold, and whether CTAs differ in length. So runs with and without a technique time
// the same CTAs, and the choice of CTAs adds no error to the difference of the runs. Paired places never
// depend on earlier measurements.

#include <cstdint>
#include <optional>
#include <vector>

#include "models/gpu/cta_dispatcher.h"
#include "testbench/estimate/estimate_parameters.h"

namespace heddle::estimate {

class CtaPlaces {
 public:
  /// `instructions`: warp-instructions of every CTA of the grid. `wave`: number of CTAs that the SMs hold at
  /// one time.
  CtaPlaces(std::vector<std::uint32_t> instructions, std::uint64_t wave, int sms,
            const EstimateParameters& parameters);

  /// Returns true if the grid has so few waves that an estimate would save little.
  bool times_whole() const { return whole_; }
  /// Returns true if the first timed CTAs (the head) begin one after the other (HeadRamp). This imitates a
  /// long grid, in which CTAs of equal length do not run in step.
  bool ramps() const { return ramps_; }
  /// Returns the head, the CTAs that are timed first. When all CTAs of the head have been dispatched, the
  /// machine is full, and measuring may begin.
  DispatchRange head() const { return whole_ ? DispatchRange{0, head_} : DispatchRange{begin_, head_}; }
  DispatchRange tail() const { return {ctas() - tail_, tail_}; }

  struct Place {
    DispatchRange
        /// CTAs that run before the place is measured. Before the first place, these CTAs are the head. A
        /// window directly after the previous window has no such CTAs.
        warm_up;
    DispatchRange window;
    /// Position of the place among the strata (blocks of CTAs sorted by length), from 0 to 1.
    double position = 0;
  };
  /// Returns the smallest number of windows of CTAs that must be timed.
  std::size_t least() const { return least_; }
  /// Returns the next place (window of CTAs) to time. Returns nothing after the last place. The first few
  /// places are spread over all strata. With CTAs of equal length, further windows directly follow the first
  /// window of a place.
  std::optional<Place> next();

  std::uint64_t ctas() const { return instructions_.size(); }
  /// Returns the warp-instructions of a range of CTAs.
  std::uint64_t instructions(DispatchRange range) const;

 private:
  struct Block {
    std::uint64_t first = 0, instructions = 0;
    bool taken = false;
  };
  void set_head(std::uint64_t settle, std::uint64_t least);
  void make_blocks();
  double deviation(double mean) const;
  std::optional<std::size_t> nearest(double position) const;
  std::optional<Place> further();
  std::uint64_t plan_pairs(double share);
  std::size_t windows_of_pair(std::size_t place) const;
  std::uint64_t begin_of_pair(std::size_t place) const;
  std::optional<Place> next_pair();

  std::vector<std::uint32_t> instructions_;
  std::uint64_t wave_, begin_ = 0, head_ = 0, tail_ = 0, warm_up_ = 0, window_ = 0;
  bool whole_ = false, differ_ = false, ramps_ = false;
  std::size_t least_ = 1;
  std::vector<Block> blocks_;  ///< blocks of CTAs that may be timed, in the order of the strata
  std::size_t begins_ = 0;     ///< index in blocks_ of the place that is timed first
  std::size_t places_ = 0;  ///< number of places returned so far; each may have several consecutive windows
  std::size_t in_a_row_ = 0;
  std::size_t pairs_ = 0, pair_windows_ =
                              /// Number of paired places, and number of their windows; both are 0 without
                          /// estimate.paired_share.
                          0;
  Place last_;
};

}  // namespace heddle::estimate
