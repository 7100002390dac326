#include "models/banks/lane_segments.h"

#include <fmt/format.h>

#include "models/core/registry.h"
#include "models/ports/register_prepare.h"

namespace heddle {

LaneSegments::LaneSegments(const BankParameters& parameters, bool whole_rows, int collectors,
                           const StatsScope& stats)
    : active_(parameters.lane_gating == "active"),
      segment_(parameters.segment_lanes),
      settings_{collectors, segment_},
      masks_(static_cast<std::size_t>(collectors)),
      probe_(settings_),
      lanes_read_(stats.add("lanes_read", "lanes", "lanes driven by reads, whole segments")),
      lanes_written_(stats.add("lanes_written", "lanes", "lanes driven by writes, whole segments")),
      idle_read_(stats.add("idle_lanes_read", "lanes", "lanes that reads did not drive")),
      idle_written_(stats.add("idle_lanes_written", "lanes", "lanes that writes did not drive")) {
  if (segment_ != 1 && segment_ != 4 && segment_ != 8 && segment_ != 32)
    throw Error("register_file.banks.segment_lanes", fmt::format("segments of {} lanes", segment_),
                "1, 4, 8 or 32");
  if (!whole_rows)
    throw Error(
        parameters.format.where(),
        fmt::format("format {} with lane_gating {}: its sub-banks hold parts of all lanes, so no lane has a "
                    "segment of its own",
                    choice_name(parameters.format), parameters.lane_gating),
        "format whole, or lane_gating none");
}

void LaneSegments::announced(const RegisterAccess& prepare) {
  const std::uint32_t collector = prepare.prepare->collector.value;
  masks_[collector] = active_ ? prepare.active : prepare.mask;
  if (probe_.attached()) {
    LaneMask none = 0;
    probe_.answered({true, collector, masks_[collector]}, none);
  }
}

// Returns the lanes that a read drives. A read by an instruction in a collector drives each segment that
// contains a lane of the instruction's announced lane mask (stored by announced()). Any other read drives
// each segment that contains a lane of the read's own mask.
LaneMask LaneSegments::read(const RegisterAccess& access) {
  const bool announced = access.instruction && access.source < masks_.size();
  LaneMask driven = rounded(announced ? masks_[access.source] : access.mask);
  if (announced && probe_.attached()) probe_.answered({false, access.source, 0}, driven);
  const auto lanes = static_cast<std::uint64_t>(count_lanes(driven));
  lanes_read_ += lanes;
  idle_read_ += kLanes - lanes;
  return driven;
}

LaneMask LaneSegments::written(LaneMask mask) {
  const LaneMask driven = rounded(mask);
  const auto lanes = static_cast<std::uint64_t>(count_lanes(driven));
  lanes_written_ += lanes;
  idle_written_ += kLanes - lanes;
  return driven;
}

LaneMask LaneSegments::rounded(LaneMask mask) const {
  if (segment_ == 1 || mask == kAllLanes) return mask;
  if (segment_ == kLanes) return mask ? kAllLanes : 0;
  const LaneMask segment = (LaneMask{1} << segment_) - 1;
  LaneMask driven = 0;
  for (int at = 0; at < kLanes; at += segment_)
    if (mask & (segment << at)) driven |= segment << at;
  return driven;
}

}  // namespace heddle
