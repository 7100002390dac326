#pragma once

// Computes the difference between two estimated runs that time the same CTAs of each launch. Errors that both
// runs share cancel.

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "testbench/estimate/launch_estimate.h"

namespace heddle::estimate {

/// Collects the timed CTA groups of a run (estimate.paired_share) and the weight of each timed launch.
class PairedPlaces {
 public:
  void add(std::uint32_t launch, const LaunchEstimate& estimate);
  void add_like(const LaunchEstimate& estimate);
  std::vector<PairedPlace> all() const;

 private:
  void stand_for(std::uint32_t launch, const LaunchEstimate& estimate);

  std::vector<PairedPlace> places_;
  struct StandsFor {
    double cycles = 0, energy_nj = 0;
  };
  /// For each representing launch: cycles and energy of all launches that it represents.
  std::map<std::uint32_t, StandsFor> stands_for_;
};

/// Data from which the difference of two runs is computed: estimated cycles, half of the cycles' interval as
/// a share, and the timed CTA groups.
struct PairedRun {
  double cycles = 0, half = 0;
  std::vector<PairedPlace> places;
  double energy_nj = 0, energy_half = 0;
};
struct PairedDifference {
  double ratio = 1;
  double half = 0;  ///< half of the 90 % interval, as a share of the ratio
  std::size_t places =
      /// Number of CTA groups that both runs timed. 0: the interval treats the runs as independent estimates.
      0;
};
PairedDifference paired_difference(const PairedRun& first, const PairedRun& other);
/// Returns the difference of the energies, each priced by its run's account; nothing if a run has no account.
std::optional<PairedDifference> paired_energy(const PairedRun& first, const PairedRun& other);
/// Returns true if the interval is at most one percentage point of the first run's cycles wide, or at most a
/// quarter of the difference wide.
bool is_well_known(const PairedDifference& difference);

}  // namespace heddle::estimate
