#pragma once

// Models lane gating of register rows (COMA, Abdel-Majeed 2016, 5.4.1): an access drives only some lanes of a
// row. The word line is divided into segments. A segment without an active lane stays off, together with its
// bit lines and sense amplifiers. A table holds one lane mask for each collector, which is written when an
// instruction gets the collector. Reads use the mask of the table, and a result carries its own mask.

#include <vector>

#include "models/core/probe.h"
#include "models/core/stats.h"
#include "models/ports/i_life_listener.h"
#include "models/ports/register_access.h"
#include "models/ports/register_file_parameters.h"

namespace heddle {

/// Event of the lane mask table: either a mask is written, or a read drives the segments of a collector's
/// mask.
struct ComaView {
  bool writes = false;
  std::uint32_t collector = 0;
  LaneMask mask = 0;  ///< lane mask that is written into the table
};

struct ComaSettings {
  int collectors = 16, segment_lanes = 1;
};

struct ComaPoint {
  using Owner = ComaSettings;
  using View = ComaView;
  using Answer = LaneMask;  ///< lanes that the read drives
};

class LaneSegments {
 public:
  /// Throws Error if the segments do not divide a row evenly, or if the format spreads one lane over several
  /// sub-banks.
  LaneSegments(const BankParameters& parameters, bool whole_rows, int collectors, const StatsScope& stats);

  /// Writes the instruction's lane mask into the table entry of its collector. Called when the instruction
  /// gets the collector.
  void announced(const RegisterAccess& prepare);
  /// Returns the lanes that the read drives, and adds them to the counters.
  LaneMask read(const RegisterAccess& access);
  LaneMask written(LaneMask mask);
  /// Returns the lane mask that decides which segments a write drives.
  LaneMask mask_of(const RegisterAccess& write) const { return active_ ? write.active : write.mask; }
  void probes(const ProbeScope& scope) { scope.part("coma").add(probe_); }

 private:
  LaneMask rounded(LaneMask mask) const;

  bool active_;
  int segment_;
  ComaSettings settings_;
  std::vector<LaneMask> masks_;  ///< lane mask of each collector
  Probe<ComaPoint> probe_;
  Counter &lanes_read_, &lanes_written_, &idle_read_, &idle_written_;
};

}  // namespace heddle
