#pragma once

// Parameters of the whole GPU, as in the files of configs/gpu.

#include <string>
#include <vector>

#include "models/core/fields.h"
#include "models/memory/atomic_unit.h"
#include "models/sm/sm_parameters.h"

namespace heddle {

struct GpuParameters {
  std::string name;
  std::string description;
  int sms = 1;
  double core_clock_mhz = 1400;
  std::vector<ConfigNode> admission = {ConfigNode::make_string("warps"), ConfigNode::make_string("ctas"),
                                       ConfigNode::make_string("registers"),
                                       ConfigNode::make_string("shared-memory")};
  SmParameters sm;
  AtomicUnitParameters atomics;
  ConfigNode memory = ConfigNode::make_string("fixed-latency");

  void fields(FieldVisitor& v) {
    v.field("name", name, {}, "name of the preset");
    v.field("description", description, {}, "hardware that the preset models");
    v.field("sms", sms, {1, 256}, "streaming multiprocessors");
    v.field("core_clock_mhz", core_clock_mhz, {1, 100000}, "clock of the SMs");
    v.choices("admission", admission, "CTA admission constraint",
              "constraints that must admit a CTA before it is placed on an SM");
    v.group("sm", sm, "each SM");
    v.group("atomics", atomics, "unit between the SMs and the memory that executes atomics");
    v.choice("memory", memory, "memory model", "memory system below the SMs");
  }
};

}  // namespace heddle
