#pragma once

// Units and meanings of metrics and counters. Modules describe counters when they register them. To get these
// descriptions, this class builds GPUs that it never runs.

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

/// Descriptions of metrics and of counters. A counter's key is the name that units of the same kind share
/// ("sm.issue.issued").
class DescribedValues {
 public:
  /// Builds the GPU of a configuration, with one SM, and adds its counters. Afterwards, this process must not
  /// run a GPU. Throws Error for an invalid configuration.
  void add_counters(const run::RunParameters& parameters);
  void add_machine(const run::RunParameters& parameters);

  /// Finds a metric by its name, or a counter by its full name or the name that units share; nullptr if there
  /// is none.
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

/// Describes every preset. Also describes the default preset with each technique and with each part (such as
/// a scheduler), including parts from plug-ins. Leaves out techniques and parts that cannot be combined with
/// the default preset.
DescribedValues describe_all_machines();

}  // namespace heddle::output
