#pragma once

// Computes the difference between two estimated runs that time the same CTAs of each launch. Errors that both
// runs share do not affect the difference.

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "testbench/estimate/launch_estimate.h"

namespace heddle::estimate {

/// Collects the paired places of a run (groups of timed CTAs, estimate.paired_share), and the weight of each
/// timed launch.
class PairedPlaces {
 public:
  /// Adds a launch of which some places were timed.
  void add(std::uint32_t launch, const LaunchEstimate& estimate);
  /// Adds a launch that was not timed. The launch `estimate.like` represents it.
  void add_like(const LaunchEstimate& estimate);
  std::vector<PairedPlace> all() const;

 private:
  void stand_for(std::uint32_t launch, const LaunchEstimate& estimate);

  std::vector<PairedPlace> places_;
  struct StandsFor {
    double cycles = 0, energy_nj = 0;
  };
  /// By launch: the cycles and the energy of all launches that this launch represents.
  std::map<std::uint32_t, StandsFor> stands_for_;
};

/// Data of a run from which a difference is computed: estimated cycles, half of their interval as a share,
/// and the run's paired places.
struct PairedRun {
  double cycles = 0, half = 0;
  std::vector<PairedPlace> places;
  /// Energy of the run, and half of its interval; 0 without an energy account.
  double energy_nj = 0, energy_half = 0;
};
struct PairedDifference {
  double ratio = 1;  ///< value of the second run divided by that of the first run
  double half = 0;   ///< half of the 90 % interval, as a share of the ratio
  std::size_t places =
      /// Number of places that both runs timed; 0: none, so the interval is that of two independent
      /// estimates.
      0;
};
PairedDifference paired_difference(const PairedRun& first, const PairedRun& other);
/// Returns the difference of the energies. Each energy is priced by the account of its own run. Returns
/// nothing if a run has no account.
std::optional<PairedDifference> paired_energy(const PairedRun& first, const PairedRun& other);
/// Returns true if the difference is known well enough: its interval is at most one percentage point of the
/// first run's cycles wide, or at most a quarter of the difference.
bool is_well_known(const PairedDifference& difference);

}  // namespace heddle::estimate
