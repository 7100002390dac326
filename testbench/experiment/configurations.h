#pragma once

// Reads the configurations of an experiment's points (its runs). Very many configurations may differ in one
// or two values. The shared part is therefore read once. For each configuration, only the fields that it sets
// are read, checked and hashed.

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "testbench/experiment/experiment_file.h"
#include "testbench/run/scenario.h"

namespace heddle::experiment {

/// The facts about a configuration that a plan needs.
struct Configured {
  std::uint64_t hash = 0;  ///< equal for equal effective configurations (field_hashes.h)
  std::string address_size;
  run::PowerParameters power;
  std::string refusal;  ///< reason why the configuration's techniques refuse each other; empty if they do not
};

class Configurations {
 public:
  /// `base`: a scenario without its launch; `flags`: parameters that options set in all configurations.
  explicit Configurations(const ConfigNode& base, run::Flags flags = {});
  ~Configurations();

  /// Checks a configuration that consists of the base, techniques and "path=value" settings, and returns its
  /// facts. Throws Error.
  Configured look_at(const std::vector<ConfigNode>& with, const std::vector<std::string>& sets);
  /// Returns the complete configuration, for a run. Members that name files are empty. Throws Error.
  run::RunParameters read(const std::vector<ConfigNode>& with, const std::vector<std::string>& sets) const;

  /// Returns the hash of a completely read configuration, which equals the hash that look_at() returns.
  static std::uint64_t hash_of(run::RunParameters parameters);
  /// Files that the configurations were read from.
  const std::set<std::string>& files() const { return files_; }

 private:
  class Common;
  Common& common_of(const std::vector<ConfigNode>& with, const std::vector<std::string>& sets);
  run::ScenarioRequest request_of(const std::vector<ConfigNode>& with,
                                  const std::vector<std::string>& sets) const;

  const ConfigNode& base_;
  run::Flags flags_;
  bool base_has_techniques_ = false;
  /// Shared parts of configurations, by techniques and, if there are techniques, also by the set paths. The
  /// shared part does not contain values at the set paths.
  std::map<std::vector<std::string>, std::unique_ptr<Common>> commons_;
  std::set<std::string> files_;
};

}  // namespace heddle::experiment
