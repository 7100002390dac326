#pragma once

// Rates (quantities such as cycles, per warp-instruction) of the untimed CTAs between timed stretches of a
// grid whose waves access memory differently often (grid_stretches.h).
//
// How often the CTAs of a gap access memory is known from the untimed execution. The rate of a gap is the
// value, at these accesses, of the regression line through two windows on each side of the gap:
// rate over segments of global memory per instruction. Rates near the gap are used because they also follow
// what changes along the grid for other reasons, such as caches that fill.
//
// The confidence interval has two parts, which are added:
// - Deviation of the windows from the lines (Student's distribution). The sum over all gaps is a weighted sum
//   of the windows' rates, so its variance follows from the weights. A window counts with its relative
//   deviation, because windows with higher rates deviate more.
// - Shape: for each gap, the difference between the rate from its own line and the rate from the line through
//   all windows. If the rate follows one line in the whole grid, both agree. If not, the rate within a gap may
//   also deviate from the gap's own line, but by less, because its windows are nearer.
//
// If the windows next to a gap access memory equally often, they show no slope. The rate of the gap is then
// the mean of these windows. The interval includes the rate at which cycles would be proportional to accesses.

#include <cstddef>
#include <vector>

namespace heddle::estimate {

/// One measured window. Windows are sorted by position. `stretch`: index of its stretch in the grid.
struct StretchWindow {
  std::size_t stretch = 0;
  double segments = 0, rate = 0;  ///< both per warp-instruction
};
/// Untimed CTAs between two stretches. `stretch`: index of the stretch before them.
struct GapCtas {
  std::size_t stretch = 0;
  double instructions = 0, segments = 0;  ///< warp-instructions; segments per warp-instruction
};

struct GapsEstimate {
  double quantity = 0;  ///< sum over all gaps
  double half_width = 0;
  /// For each window: number of the gaps' instructions that the window represents. May be negative.
  std::vector<double> weights;
  std::vector<double> doubts;  ///< for each gap: its contribution to the half width
};

/// `usual`: relative deviation between windows, as measured in other launches; counts as much as
/// kUsualFreedom measured deviations. 0: unknown.
GapsEstimate across_gaps(const std::vector<StretchWindow>& windows, const std::vector<GapCtas>& gaps,
                         double usual);

}  // namespace heddle::estimate
