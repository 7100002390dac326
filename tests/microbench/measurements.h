#pragma once

// Microbenchmarks of a preset: latencies, rates and conflicts. They are measured from issue events and run
// times of small programs, as on a real GPU with its clock register.

#include <string>
#include <vector>

namespace heddle::microbench {

struct Measurement {
  std::string id;    ///< name of the measurement, for example "latency.add"
  std::string what;  ///< description of what is measured, for example "integer add"
  std::string unit;  ///< unit: "cycles", "lanes per cycle and SM" or "GB/s"
  double value = 0;
};

/// A preset with some changed parameters, for example "sm.register_file.collectors=48".
struct Setting {
  std::string preset;
  std::vector<std::string> set;
};
/// A measurement of a preset with changed parameters.
struct Switched {
  Setting setting;
  std::string what, unit;
  double value = 0;
};

/// Returns all measurements of a preset, in the order of the table.
std::vector<Measurement> measure_preset(const std::string& preset);
/// Some parameters of a preset differ from the GPU that the preset models. Returns measurements with these
/// parameters changed: each parameter alone, and all together.
std::vector<Switched> measure_switches();

/// Returns the measurement that corresponds to a published metric, or "".
std::string measurement_of(const std::string& published_metric);

}  // namespace heddle::microbench
