#pragma once

// Units and meanings of metrics and counters. Modules describe counters when they register them, so this
// class builds GPUs that never run.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "models/core/stats.h"
#include "testbench/run/run_parameters.h"

namespace heddle::output {

struct DescribedValue {
  std::string name, unit, doc;
};

/// Descriptions of metrics, and of counters by the name that units of the same kind share
/// ("sm.issue.issued").
class DescribedValues {
 public:
  /// Builds the GPU of a configuration, with one SM, and adds its counters. The process may not run a GPU
  /// afterwards. Throws Error for an invalid configuration.
  void add_counters(const run::RunParameters& parameters);
  void add_machine(const run::RunParameters& parameters);

  /// Finds a metric, or a counter by its full or shared name; nullptr if there is none.
  const DescribedValue* find(const std::string& name) const;
  const std::map<std::string, DescribedValue>& counters() const { return counters_; }
  const std::map<std::string, DescribedValue>& metrics() const { return metrics_; }

 private:
  using Visit = std::function<void(const StatsRegistry& stats, const run::RunParameters& parameters)>;
  void build(run::RunParameters parameters, const Visit& visit);
  void add_metric(const std::string& name);

  std::map<std::string, DescribedValue> counters_;
  mutable std::map<std::string, DescribedValue> metrics_;
};

/// Describes every preset, and the default preset with one technique or one implementation, plug-ins
/// included. Leaves out combinations that the default preset refuses.
DescribedValues describe_all_machines();

}  // namespace heddle::output
