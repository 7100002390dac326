#pragma once

// Applies techniques to a configuration (docs/techniques.md). A technique is a file of configs/techniques. It
// has stages, passes, technologies, parameters, requirements, and choices that a machine can make only once
// (axes). The positions of stages depend on properties of their types (models/core/part_order.h), not on the
// order of techniques. If two techniques set one parameter differently, this is an error unless the user sets
// this parameter.

#include <string>
#include <utility>
#include <vector>

#include "models/core/config_node.h"
#include "models/core/error.h"
#include "testbench/run/relative_sizes.h"
#include "testbench/run/technique_file.h"
#include "testbench/run/technique_notes.h"

namespace heddle::run {

/// Error for techniques that exclude each other or do not fit the configuration, although each technique is
/// valid.
class Refusal : public Error {
 public:
  using Error::Error;
};

class Techniques {
 public:
  /// Reads and combines the techniques `names`, each once. `decided`: paths of parameters that the user sets;
  /// techniques do not change these parameters. Throws Error for unknown techniques and invalid files, and
  /// Refusal for conflicts between techniques.
  Techniques(const std::vector<ConfigNode>& names, std::vector<std::string> decided);

  /// Applies the techniques to the configuration. Throws Refusal for a requirement that cannot be met.
  void lay_on(ConfigNode& configuration);
  /// Replaces relative sizes by numbers, also in command-line options. Throws Refusal if the configuration
  /// does not meet a requirement.
  void finish(ConfigNode& configuration);
  /// Checks only whether the configuration meets the techniques' requirements. Throws Refusal if it does not.
  void check(const ConfigNode& configuration) const;

  bool has_sizes() const { return !sizes_.empty(); }

  const std::vector<std::string>& files() const { return files_; }
  const std::vector<std::string>& names() const { return names_; }
  /// Technologies that the techniques name, each once, in the order of the techniques.
  std::vector<ConfigNode> technologies() const;
  /// Notes for the summary, one line each. Valid after finish().
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  using Setting = TechniqueSetting;
  using Parts = TechniqueParts;

  void add(const Technique& technique);
  void add_setting(Setting setting);
  void add_part(Parts& list, const ConfigNode& part, const Technique& technique) const;
  void merge_part(const std::string& path, const ConfigNode& first, const Technique& owner,
                  const ConfigNode& second, const Technique& technique) const;
  void insert(const Parts& list, ConfigNode& configuration) const;
  void put_otherwise(ConfigNode& configuration);
  std::pair<const Technique*, const Technique::Requirement*> preferred_for(const std::string& path) const;
  static std::string differing(const ConfigNode* a, const Technique& in_a, const ConfigNode* b,
                               const Technique& in_b);
  [[noreturn]] static void refuse(const std::string& path, const std::string& what, const Technique& a,
                                  const Technique& b);
  bool is_decided(const std::string& path) const;

  std::vector<std::string> names_, files_, decided_, notes_;
  std::vector<Technique> techniques_;
  std::vector<Setting> settings_;
  std::vector<Parts> lists_;
  ConfigNode before_;
  std::vector<RelativeSize> sizes_;
};

}  // namespace heddle::run
