#pragma once

// Computes the difference between two estimated runs that time the same CTAs of each launch. Errors that both
// runs have in common cancel in the difference.

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "testbench/estimate/launch_estimate.h"

namespace heddle::estimate {

/// Collects the groups of CTAs that a run times because a second run times them too (estimate.paired_share).
/// Also sums the cycles and energy of all launches for which each timed launch stands.
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
  /// Key: a timed launch. Value: cycles and energy of all launches that the timed launch represents.
  std::map<std::uint32_t, StandsFor> stands_for_;
};

/// Data of one run, from which the difference of two runs is computed. `cycles`: estimated cycles. `half`:
/// half of the confidence interval of the cycles, as a share of the cycles. `places`: the timed groups of
/// CTAs.
struct PairedRun {
  double cycles = 0, half = 0;
  std::vector<PairedPlace> places;
  double energy_nj = 0, energy_half = 0;
};
struct PairedDifference {
  double ratio = 1;
  double half = 0;  ///< half of the 90 % interval, as a share of the ratio
  std::size_t places =
      /// Number of groups of CTAs that both runs timed. If this number is 0, the interval treats the runs as
      /// independent estimates.
      0;
};
PairedDifference paired_difference(const PairedRun& first, const PairedRun& other);
/// Returns the difference between the energies of two runs. Each energy is computed with the technologies
/// (price tables) of its own run. Returns nothing if the energy of a run or of a place is 0, as it is without
/// technologies.
std::optional<PairedDifference> paired_energy(const PairedRun& first, const PairedRun& other);
/// Returns true if the width of the interval is at most one percent of the first run's cycles, or at most a
/// quarter of the difference.
bool is_well_known(const PairedDifference& difference);

}  // namespace heddle::estimate
