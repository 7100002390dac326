#pragma once

// Metrics derived from the counters of a launch or a run: IPC, occupancy, shares. result.json, the terminal
// summary and comparisons show them.

#include <string>
#include <vector>

#include "models/core/ids.h"
#include "models/gpu/gpu_parameters.h"
#include "testbench/output/counter_view.h"

namespace heddle::output {

struct Metric {
  std::string name;  ///< key of the metric in result.json; metric_texts.h has its unit and meaning
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
