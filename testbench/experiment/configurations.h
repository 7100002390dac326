#pragma once

// Configurations of an experiment's points. There may be very many that differ in one or two values: the
// shared part is read once, and only the fields that a configuration sets are read, checked and hashed for
// it.

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "testbench/experiment/experiment_file.h"
#include "testbench/run/scenario.h"

namespace heddle::experiment {

/// Facts about a configuration that a plan needs.
struct Configured {
  std::uint64_t hash = 0;  ///< equal for equal effective configurations (field_hashes.h)
  std::string address_size;
  run::PowerParameters power;
  std::string refusal;  ///< reason why its techniques refuse each other; empty if they do not
};

class Configurations {
 public:
  /// `base`: a scenario without its launch; `flags`: parameters that options set in all configurations.
  explicit Configurations(const ConfigNode& base, run::Flags flags = {});
  ~Configurations();

  /// A configuration of the base with techniques and "path=value" settings. Throws Error.
  Configured look_at(const std::vector<ConfigNode>& with, const std::vector<std::string>& sets);
  /// The same configuration, complete, for a run; members that name files are empty. Throws Error.
  run::RunParameters read(const std::vector<ConfigNode>& with, const std::vector<std::string>& sets) const;

  /// Hash of a configuration that was read whole; equals the hash that look_at() gives.
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
  /// By techniques, and by the paths that are set if there are techniques; the shared part lacks these paths.
  std::map<std::vector<std::string>, std::unique_ptr<Common>> commons_;
  std::set<std::string> files_;
};

}  // namespace heddle::experiment
