#pragma once

// What two runs make of the same places: the difference between them, without what they err by alike.

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "testbench/run/launch_estimate.h"

namespace heddle::run {

/// Gathers the places of a run (estimate.paired_share), and how much of it each launch that was timed stands for.
class PairedPlaces {
 public:
  /// A launch that was timed at some places.
  void add(std::uint32_t launch, const LaunchEstimate& estimate);
  /// One that lies between launches that were.
  void add_like(const LaunchEstimate& estimate);
  std::vector<PairedPlace> all() const;

 private:
  std::vector<PairedPlace> places_;
  std::map<std::uint32_t, double> stands_for_;  ///< cycles, by launch
};

/// What is known of a run for a difference: its estimated cycles, half of their interval as a share of them, and its places.
struct PairedRun {
  double cycles = 0, half = 0;
  std::vector<PairedPlace> places;
};
struct PairedDifference {
  double ratio = 1;        ///< of the cycles, to those of the first run
  double half = 0;         ///< of its 90 % interval, as a share of the ratio
  std::size_t places = 0;  ///< that both timed; 0: others, and the interval is that of two estimates
};
PairedDifference paired_difference(const PairedRun& first, const PairedRun& other);
/// Its interval reaches no farther than a point of the first run's cycles, or a quarter of what the difference is.
bool is_well_known(const PairedDifference& difference);

}  // namespace heddle::run
