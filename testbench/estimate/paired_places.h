#pragma once

// Difference between two runs that time the same places, without the errors that both share.

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "testbench/estimate/launch_estimate.h"

namespace heddle::estimate {

/// Collects the places of a run (estimate.paired_share), and the weight of each timed launch.
class PairedPlaces {
 public:
  /// Adds a launch that was timed at some places.
  void add(std::uint32_t launch, const LaunchEstimate& estimate);
  /// Adds a launch between timed ones.
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

/// The data of a run for a difference: its estimated cycles, half of their interval as a share, and its
/// places.
struct PairedRun {
  double cycles = 0, half = 0;
  std::vector<PairedPlace> places;
  double energy_nj = 0, energy_half = 0;  ///< the same for energy; 0 without an account
};
struct PairedDifference {
  double ratio = 1;  ///< other run / first run
  double half = 0;   ///< half of the 90 % interval, as a share of the ratio
  std::size_t places =
      0;  ///< places that both runs timed; 0: none, so the interval is that of two independent estimates
};
/// Returns the difference of the cycles.
PairedDifference paired_difference(const PairedRun& first, const PairedRun& other);
/// Returns the difference of the energies, each by its own run's account; nothing if a run has no account.
std::optional<PairedDifference> paired_energy(const PairedRun& first, const PairedRun& other);
/// Returns true if the interval is at most one percentage point of the first run's cycles wide, or at most a
/// quarter of the difference.
bool is_well_known(const PairedDifference& difference);

}  // namespace heddle::estimate
