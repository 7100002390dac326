#pragma once

// Which CTAs of a grid are timed for an estimate: a head of some waves and, right behind it, a place; further places; and, where
// CTAs differ in length, a wave at the grid's end: the machine drains as it will at the end of the whole. Places
// are strata of the grid, ordered by how many instructions their CTAs take and then by where they lie; each stands for as
// many CTAs as any other.
//
// Paired places (estimate.paired_share) lie evenly over the grid, and follow from the launch, the CTAs that SMs hold and whether
// CTAs differ in length: runs with and without a technique time the same CTAs, and what these differ by is no doubt of the
// difference. None depends on what was measured before.

#include <cstdint>
#include <optional>
#include <vector>

#include "models/gpu/cta_dispatcher.h"
#include "testbench/run/estimate_parameters.h"

namespace heddle::run {

class CtaPlaces {
 public:
  /// `instructions`: of every CTA of the grid. `wave`: CTAs that so many SMs hold at once.
  CtaPlaces(std::vector<std::uint32_t> instructions, std::uint64_t wave, int sms,
            const EstimateParameters& parameters);

  /// So few waves that next to nothing would be saved.
  bool times_whole() const { return whole_; }
  /// Its CTAs begin one after the other (HeadRamp): those of a long grid of equal CTAs are out of step.
  bool ramps() const { return ramps_; }
  /// When all of it has been handed out, the machine has settled.
  DispatchRange head() const { return whole_ ? DispatchRange{0, head_} : DispatchRange{begin_, head_}; }
  DispatchRange tail() const { return {ctas() - tail_, tail_}; }

  struct Place {
    DispatchRange warm_up;  ///< none of a window right behind the one before; of the first place the head
    DispatchRange window;
    double position = 0;  ///< among the strata, 0..1
  };
  /// Windows that are timed at least: one more where CTAs differ in length.
  std::size_t least() const { return least_; }
  /// The place that is timed next; any first few are spread over all strata. None where all have been. Where CTAs are of one
  /// length, some windows follow right behind a place's first.
  std::optional<Place> next();

  std::uint64_t ctas() const { return instructions_.size(); }
  /// Instructions of a range of CTAs.
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
  std::vector<Block> blocks_;  ///< in the order of the strata
  std::size_t begins_ = 0;     ///< the first place's
  std::size_t places_ = 0;     ///< given so far; each may have several windows in a row
  std::size_t in_a_row_ = 0;
  std::size_t pairs_ = 0, pair_windows_ = 0;  ///< paired places and the windows of all; 0: none are paired
  Place last_;
};

}  // namespace heddle::run
