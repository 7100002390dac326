#pragma once

// Which lanes of a row an access drives (Abdel-Majeed 2016, 5.4.1, COMA). The word line is divided into
// segments; those without a lane of the mask stay off, with their bit lines and sense amplifiers. Reads find
// their mask in a table, an entry a collector, written when an instruction takes the collector; a result
// brings its own.

#include <vector>

#include "models/core/probe.h"
#include "models/core/stats.h"
#include "models/ports/i_life_listener.h"
#include "models/ports/register_access.h"
#include "models/ports/register_file_parameters.h"

namespace heddle {

/// Events of COMA: an entry that is written, or a read whose segments it drives.
struct ComaView {
  bool writes = false;
  std::uint32_t collector = 0;
  LaneMask mask = 0;  ///< written
};

struct ComaSettings {
  int collectors = 16, segment_lanes = 1;
};

struct ComaPoint {
  using Owner = ComaSettings;
  using View = ComaView;
  using Answer = LaneMask;  ///< driven by the read
};

class LaneSegments {
 public:
  /// Throws Error for segments that do not divide a row, and for formats that do not keep a lane in one place.
  LaneSegments(const BankParameters& parameters, bool whole_rows, int collectors, const StatsScope& stats);

  /// The instruction has a collector.
  void announced(const RegisterAccess& prepare);
  /// Lanes that the read drives; it is counted.
  LaneMask read(const RegisterAccess& access);
  LaneMask written(LaneMask mask);
  /// Mask by which a write drives.
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
