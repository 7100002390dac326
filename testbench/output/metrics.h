#pragma once

// Metrics derived from the counters of a launch or a run, such as IPC, occupancy and shares.

#include <string>
#include <vector>

#include "models/core/ids.h"
#include "models/gpu/gpu_parameters.h"
#include "testbench/output/counter_view.h"

namespace heddle::output {

struct Metric {
  std::string name;  ///< key in result.json
  double value = 0;
};

class Metrics {
 public:
  Metrics(const CounterView& counters, const GpuParameters& gpu, Cycle cycles);

  const std::vector<Metric>& all() const { return metrics_; }
  double get(const std::string& name) const;

 private:
  void add(std::string name, double value);
  void add_stalls(const CounterView& counters);
  void add_units(const CounterView& counters, Cycle cycles);
  std::vector<Metric> metrics_;
};

}  // namespace heddle::output
