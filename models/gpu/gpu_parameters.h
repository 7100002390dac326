#pragma once

// Parameters of the whole GPU. The files in configs/gpu set them.

#include <string>
#include <vector>

#include "models/core/fields.h"
#include "models/memory/atomic_unit.h"
#include "models/sm/sm_parameters.h"

namespace heddle {

/// Device properties that CUDA programs can query. They do not affect the timing.
struct DeviceParameters {
  int memory_bus_bits = 384;
  double memory_clock_mhz = 1848;
  int shared_bytes_per_block = 49152;
  int shared_bytes_per_block_optin = 49152;

  void fields(FieldVisitor& v) {
    v.field("memory_bus_bits", memory_bus_bits, {0, 65536}, "width of the bus to the device's memory");
    v.field("memory_clock_mhz", memory_clock_mhz, {0, 1e6},
            "clock of the memory as CUDA reports it: two transfers a cycle");
    v.field("shared_bytes_per_block", shared_bytes_per_block, {0, 1 << 24},
            "shared memory of a CTA that asks for no more; at most the SM's");
    v.field("shared_bytes_per_block_optin", shared_bytes_per_block_optin, {0, 1 << 24},
            "the same after cudaFuncSetAttribute");
  }
};

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
  DeviceParameters device;
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
    v.group("device", device, "further figures that the GPU reports to CUDA programs");
    v.choice("memory", memory, "memory model", "memory system below the SMs");
  }
};

}  // namespace heddle
