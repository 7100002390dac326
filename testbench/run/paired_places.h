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
  void stand_for(std::uint32_t launch, const LaunchEstimate& estimate);

  std::vector<PairedPlace> places_;
  struct StandsFor {
    double cycles = 0, energy_nj = 0;
  };
  std::map<std::uint32_t, StandsFor> stands_for_;  ///< by launch
};

/// What is known of a run for a difference: its estimated cycles, half of their interval as a share of them, and its places.
struct PairedRun {
  double cycles = 0, half = 0;
  std::vector<PairedPlace> places;
  double energy_nj = 0, energy_half = 0;  ///< the same of its energy; 0: it has no account
};
struct PairedDifference {
  double ratio = 1;        ///< to the first run's
  double half = 0;         ///< of its 90 % interval, as a share of the ratio
  std::size_t places = 0;  ///< that both timed; 0: others, and the interval is that of two estimates
};
/// Of the cycles.
PairedDifference paired_difference(const PairedRun& first, const PairedRun& other);
/// Of the energies, of both runs' own accounts; none where one has none.
std::optional<PairedDifference> paired_energy(const PairedRun& first, const PairedRun& other);
/// Its interval reaches no farther than a point of the first run's cycles, or a quarter of what the difference is.
bool is_well_known(const PairedDifference& difference);

}  // namespace heddle::run
