#pragma once

// Microbenchmarks of a preset: latencies, rates and conflicts. Small programs run on the model. Their issue
// events and run times give the results. On a real GPU, a program would read the clock register instead.

#include <string>
#include <vector>

namespace heddle::microbench {

struct Measurement {
  std::string id;
  std::string what;
  std::string unit;
  double value = 0;
};

struct Setting {
  std::string preset;
  std::vector<std::string> set;
};
struct Switched {
  Setting setting;
  std::string what, unit;
  double value = 0;
};

/// name of the machine with matrix units: maxwell-gtx980 with the technique matrix-unit
inline const std::string kMatrixUnit = "matrix-unit";
/// Returns latency and rate of each shape and type of matrix instructions.
std::vector<Measurement> measure_matrix_unit();

std::vector<Measurement> measure_preset(const std::string& preset);
/// Measures presets unchanged, and with changed parameters that explain differences between a preset and its
/// GPU, alone or together.
std::vector<Switched> measure_switches();

std::string measurement_of(const std::string& published_metric);

}  // namespace heddle::microbench
