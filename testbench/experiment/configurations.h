#pragma once

// The configurations of an experiment's points, of which there may be very many that differ in a value or two: what
// they have in common is read once, and of each only the fields that it sets are read, checked and hashed.

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "testbench/experiment/experiment_file.h"
#include "testbench/run/scenario.h"

namespace heddle::experiment {

/// What a plan has to know of a configuration.
struct Configured {
  std::uint64_t hash = 0;  ///< equal for equal effective configurations (field_hashes.h)
  std::string address_size;
  run::PowerParameters power;
  std::string refusal;  ///< why its techniques do not go together; empty if they do
};

class Configurations {
 public:
  /// `base`: a scenario without its launch; `flags`: parameters that options set in all configurations.
  explicit Configurations(const ConfigNode& base, run::Flags flags = {});
  ~Configurations();

  /// A configuration of the base, with techniques and "path=value" on it. Throws Error.
  Configured look_at(const std::vector<ConfigNode>& with, const std::vector<std::string>& sets);
  /// The same, whole and as a run takes it: what names files is empty. Throws Error.
  run::RunParameters read(const std::vector<ConfigNode>& with, const std::vector<std::string>& sets) const;

  /// The hash of a configuration that was read whole; as look_at() gives it.
  static std::uint64_t hash_of(run::RunParameters parameters);
  /// Files that configurations were read from.
  const std::set<std::string>& files() const { return files_; }

 private:
  class Common;
  Common& common_of(const std::vector<ConfigNode>& with, const std::vector<std::string>& sets);
  run::ScenarioRequest request_of(const std::vector<ConfigNode>& with,
                                  const std::vector<std::string>& sets) const;

  const ConfigNode& base_;
  run::Flags flags_;
  bool base_has_techniques_ = false;
  /// By techniques; where there are some, also by the paths that are set, which these leave alone.
  std::map<std::vector<std::string>, std::unique_ptr<Common>> commons_;
  std::set<std::string> files_;
};

}  // namespace heddle::experiment
