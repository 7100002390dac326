#pragma once

// Models lane gating of register rows (COMA, Abdel-Majeed 2016, 5.4.1). The word line of a row is divided into
// segments. A segment without an active lane stays off, with its bit lines and sense amplifiers. A table holds
// one lane mask for each collector: the mask of the instruction in this collector. This mask gates the reads of
// the instruction.

#include <vector>

#include "models/core/probe.h"
#include "models/core/stats.h"
#include "models/ports/i_life_listener.h"
#include "models/ports/register_access.h"
#include "models/ports/register_file_parameters.h"

namespace heddle {

/// Event at the table of lane masks, which has one entry per collector: an instruction writes its lane mask
/// into the entry of its collector, or a read of the instruction uses this mask.
struct ComaView {
  bool writes = false;
  std::uint32_t collector = 0;
  LaneMask mask = 0;
};

struct ComaSettings {
  int collectors = 16, segment_lanes = 1;
};

struct ComaPoint {
  using Owner = ComaSettings;
  using View = ComaView;
  using Answer = LaneMask;
};

class LaneSegments {
 public:
  /// Throws Error if the segments do not divide a row evenly, or if the format stores the bytes of one lane
  /// in several sub-banks.
  LaneSegments(const BankParameters& parameters, bool whole_rows, int collectors, const StatsScope& stats);

  /// Writes the instruction's lane mask into the table entry of its collector.
  void announced(const RegisterAccess& prepare);
  LaneMask read(const RegisterAccess& access);
  LaneMask written(LaneMask mask);
  LaneMask mask_of(const RegisterAccess& write) const { return active_ ? write.active : write.mask; }
  void probes(const ProbeScope& scope) { scope.part("coma").add(probe_); }

 private:
  LaneMask rounded(LaneMask mask) const;

  bool active_;
  int segment_;
  ComaSettings settings_;
  std::vector<LaneMask> masks_;
  Probe<ComaPoint> probe_;
  Counter &lanes_read_, &lanes_written_, &idle_read_, &idle_written_;
};

}  // namespace heddle
