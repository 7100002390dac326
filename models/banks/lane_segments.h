#pragma once

// Models the lanes of a row that an access drives (COMA, Abdel-Majeed 2016, 5.4.1). The word line is divided
// into segments. Segments without a lane of the mask stay off, with their bit lines and sense amplifiers.
// Reads take their mask from a table with one entry for each collector, which is written when an instruction
// gets the collector. A result carries its own mask.

#include <vector>

#include "models/core/probe.h"
#include "models/core/stats.h"
#include "models/ports/i_life_listener.h"
#include "models/ports/register_access.h"
#include "models/ports/register_file_parameters.h"

namespace heddle {

/// Events of COMA: a table entry is written, or a read drives the segments of an entry.
struct ComaView {
  bool writes = false;
  std::uint32_t collector = 0;
  LaneMask mask = 0;  ///< mask that is written
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
  /// Throws Error for segments that do not divide a row, and for formats that spread a lane over sub-banks.
  LaneSegments(const BankParameters& parameters, bool whole_rows, int collectors, const StatsScope& stats);

  /// The instruction has a collector: writes the collector's mask into the table.
  void announced(const RegisterAccess& prepare);
  /// Returns the lanes that the read drives, and counts them.
  LaneMask read(const RegisterAccess& access);
  LaneMask written(LaneMask mask);
  /// Mask whose segments a write drives.
  LaneMask mask_of(const RegisterAccess& write) const { return active_ ? write.active : write.mask; }
  void probes(const ProbeScope& scope) { scope.part("coma").add(probe_); }

 private:
  LaneMask rounded(LaneMask mask) const;

  bool active_;
  int segment_;
  ComaSettings settings_;
  std::vector<LaneMask> masks_;  ///< by collector
  Probe<ComaPoint> probe_;
  Counter &lanes_read_, &lanes_written_, &idle_read_, &idle_written_;
};

}  // namespace heddle
