#pragma once

// Microbenchmarks of a preset: what a kernel sees of latencies, rates and conflicts, measured from the issue
// events and lengths of small programs, as one does on a real GPU with its clock register.

#include <string>
#include <vector>

namespace heddle::microbench {

struct Measurement {
  std::string id;    ///< "latency.add"
  std::string what;  ///< "integer add"
  std::string unit;  ///< "cycles", "lanes per cycle and SM", "GB/s"
  double value = 0;
};

/// A preset with some of its parameters set, as "sm.register_file.collectors=48".
struct Setting {
  std::string preset;
  std::vector<std::string> set;
};
/// Value of a measurement with a switch.
struct Switched {
  Setting setting;
  std::string what, unit;
  double value = 0;
};

/// All measurements of a preset in the order of the table.
std::vector<Measurement> measure_preset(const std::string& preset);
/// Parameters in which a preset differs from its GPU: each alone, and all together.
std::vector<Switched> measure_switches();

/// The measurement that a published metric compares with; empty if there is none.
std::string measurement_of(const std::string& published_metric);

}  // namespace heddle::microbench
