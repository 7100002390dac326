#pragma once

// Reads the configurations of all runs of an experiment. Thousands of configurations may differ in one or two
// values. The common part is therefore read once. For each configuration, only the fields that differ from
// the common part are read, checked and hashed.

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "testbench/experiment/experiment_file.h"
#include "testbench/run/scenario.h"

namespace heddle::experiment {

/// The properties of a configuration from which an experiment is planned.
struct Configured {
  std::uint64_t hash = 0;  ///< hash, equal for equal effective configurations (field_hashes.h)
  std::string address_size;
  run::PowerParameters power;
  /// Reason why the techniques of the configuration cannot be combined; empty if they can.
  std::string refusal;
};

class Configurations {
 public:
  /// `base`: a scenario without its launch; `flags`: parameters that options set in all configurations.
  explicit Configurations(const ConfigNode& base, run::Flags flags = {});
  ~Configurations();

  /// Checks a configuration made of the base, techniques and "path=value" settings, and returns its
  /// properties. Throws Error.
  Configured look_at(const std::vector<ConfigNode>& with, const std::vector<std::string>& sets);
  /// Returns the complete configuration for executing a run. Members that name files are empty. Throws Error.
  run::RunParameters read(const std::vector<ConfigNode>& with, const std::vector<std::string>& sets) const;

  /// Returns the hash of a completely read configuration. look_at() returns the same hash for this
  /// configuration.
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
  /// Shared parts of configurations. The key is the list of techniques, and with techniques also the list of
  /// paths that settings change. A shared part has no values at these paths.
  std::map<std::vector<std::string>, std::unique_ptr<Common>> commons_;
  std::set<std::string> files_;
};

}  // namespace heddle::experiment
