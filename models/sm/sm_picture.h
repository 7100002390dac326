#pragma once

// Describes the parts of an SM for observers that draw the SM. The description contains the order of the parts.
// For each part, it contains what the part holds in a cycle, and the part's counters. The parts add further
// values to draw (gauges) in their functions probes().

#include <string>
#include <vector>

#include "models/core/probe.h"
#include "models/core/warp_set.h"
#include "models/sm/sm_parameters.h"

namespace heddle {

class IssueStage;
class LoadStoreUnit;
class PartitionUnits;
class RegisterPort;

struct PartsOfSm {
  struct Partition {
    RegisterPort* port;
    PartitionUnits* units;
    WarpSet warps;
  };
  const SmParameters& parameters;
  IssueStage& issue;
  LoadStoreUnit& load_store;
  std::vector<Partition> partitions{};
};

/// Adds the parts to the description `scope`, in the order in which instructions pass through them. `owner`:
/// owner of the SM's counters.
void describe_parts(const PartsOfSm& sm, const ProbeScope& scope, const std::string& owner);

}  // namespace heddle
