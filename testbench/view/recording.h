#pragma once

// The recording of one SM in a window of cycles, which the HTML page of heddle view shows. It contains the
// SM's parts as the modules declare them (PartPicture, models/core/gauge.h), and every change of the parts'
// gauges (values that a module offers to the page) and counters. It also contains the instructions, and the
// accesses that register-file stages pass on.

#include <cstdint>
#include <string>
#include <vector>

#include "models/core/gauge.h"
#include "models/ports/register_access.h"
#include "testbench/output/pipeline_record.h"

namespace heddle::view {

struct RecordedCounter {
  std::string name, unit, doc;
};

struct RecordedPart {
  std::string path;  ///< path in the SM, such as "partition0.int0"
  PartPicture picture;
  std::size_t first_gauge = 0;  ///< index of the part's first gauge among the gauges of all parts
  std::vector<RecordedCounter> counters;
  std::size_t first_counter = 0;
};

/// A change of a gauge: from the cycle of its RecordedCycle on, cell `cell` of the gauge has the value
/// `value`.
struct GaugeChange {
  std::uint32_t gauge = 0, cell = 0;
  std::uint64_t value = 0;
};
struct CounterStep {
  std::uint32_t counter = 0;
  std::uint64_t step = 0;
};
/// An access that a register-file stage has passed to the stage below. `part`: index of the stage's RecordedPart.
struct PassedAccess {
  std::uint32_t part = 0;
  RegisterCommand command{};
  std::uint16_t warp = 0;
  std::uint8_t reg = 0, row = 0;
  RegisterPlace place;
};

struct RecordedCycle {
  Cycle cycle = 0;
  std::vector<GaugeChange> gauges;
  std::vector<CounterStep> counters;
  std::vector<PassedAccess> passes;
};

struct Recording {
  int sm = 0;
  Cycle from = 0, to = 0;  ///< first and last cycle of the window
  /// True if the window ends before the last cycle that the user asked for, because the recording has reached
  /// its largest size.
  bool cut = false;
  std::string gpu;
  std::vector<std::string> techniques, kernels;
  int warps = 0;
  int shared_banks = 0, shared_bank_bytes = 0;
  std::vector<RecordedPart> parts;
  std::vector<RecordedCycle> cycles;  ///< only cycles with an event
  output::PipelineLog log;
};

}  // namespace heddle::view
