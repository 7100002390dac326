#pragma once

// Reads the configurations of all runs of an experiment. Thousands of configurations may differ in one or two
// values, so the common part is read once. For each configuration, only the differing fields are read,
// checked and hashed.

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "testbench/experiment/experiment_file.h"
#include "testbench/run/scenario.h"

namespace heddle::experiment {

struct Configured {
  std::uint64_t hash = 0;
  std::string address_size;
  run::PowerParameters power;
  /// Reason why the techniques cannot be combined; empty if they can.
  std::string refusal;
};

class Configurations {
 public:
  /// Prepares to read configurations. `base`: their common part, a scenario without its launch; `flags`:
  /// parameters that command-line options set in all configurations.
  explicit Configurations(const ConfigNode& base, run::Flags flags = {});
  ~Configurations();

  /// Applies the techniques `with` and the "path=value" settings `sets` to the configuration `base`. Checks
  /// the result, and returns its hash and energy prices. Throws Error.
  Configured look_at(const std::vector<ConfigNode>& with, const std::vector<std::string>& sets);
  /// Returns the complete configuration for executing a run. Members that name input or output files are
  /// empty. Throws Error.
  run::RunParameters read(const std::vector<ConfigNode>& with, const std::vector<std::string>& sets) const;

  static std::uint64_t hash_of(run::RunParameters parameters);
  const std::set<std::string>& files() const { return files_; }

 private:
  class Common;
  Common& common_of(const std::vector<ConfigNode>& with, const std::vector<std::string>& sets);
  run::ScenarioRequest request_of(const std::vector<ConfigNode>& with,
                                  const std::vector<std::string>& sets) const;

  const ConfigNode& base_;
  run::Flags flags_;
  bool base_has_techniques_ = false;
  /// Shared parts of configurations. The key is the list of techniques and, if there are techniques, also the
  /// parameter paths that settings change. A shared part has no values at these paths.
  std::map<std::vector<std::string>, std::unique_ptr<Common>> commons_;
  std::set<std::string> files_;
};

}  // namespace heddle::experiment
