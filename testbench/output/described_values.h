#pragma once

// Units and meanings of metrics and counters. Modules describe their counters when they register them. To get
// the descriptions, this class builds GPUs that never run.

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

/// Descriptions of counters, by the name that units of the same kind share ("sm.issue.issued"), and of
/// metrics.
class DescribedValues {
 public:
  /// Builds the GPU of a configuration, with one SM, and adds the descriptions of its counters. Throws Error
  /// for an invalid configuration. The process may not run a GPU afterwards.
  void add_counters(const run::RunParameters& parameters);
  /// Adds the descriptions of the counters and metrics of a configuration. Builds its GPU, like
  /// add_counters().
  void add_machine(const run::RunParameters& parameters);

  /// Returns the description of a counter, by its full or shared name, or of a metric; nullptr if there is
  /// none.
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

/// Describes every machine that can be put together from one preset, one technique or one part of a family,
/// plug-ins included. A part or technique that the default preset refuses is left out.
DescribedValues describe_all_machines();

}  // namespace heddle::output
