#pragma once

// Techniques as overlays: fragments of configs/techniques that a run lays on its scenario
// (docs/techniques.md). A fragment names its stages, passes, technologies and parameters, and what it
// requires. Stages and passes take their places by configs/order.json, whatever the order of the techniques.
// What two techniques want differently is refused, unless the user decides it.

#include <string>
#include <utility>
#include <vector>

#include "models/core/config_node.h"
#include "models/core/error.h"

namespace heddle::run {

/// Techniques that exclude each other, or the rest of the configuration: nothing is wrong with any one of them.
class Refusal : public Error {
 public:
  using Error::Error;
};

class Techniques {
 public:
  /// `names`: techniques in the order in which they are laid on, each once. `decided`: paths that the user
  /// sets otherwise. Throws Error for unknown techniques and bad fragments, Refusal for what two of them want
  /// differently.
  Techniques(const std::vector<ConfigNode>& names, std::vector<std::string> decided);

  /// Lays the fragments on a whole configuration. Throws Refusal for what two of them want differently.
  void lay_on(ConfigNode& configuration);
  /// Throws Refusal if the finished configuration is not what a fragment requires.
  void check(const ConfigNode& configuration) const;

  /// The fragments' files, and the one that orders their parts.
  std::vector<std::string> files() const;
  const std::vector<std::string>& names() const { return names_; }

 private:
  struct Setting {
    std::string path;
    ConfigNode value;
    std::string technique;
  };
  struct Requirement {
    std::string path, why, technique;
    std::vector<std::string> one_of;
    ConfigNode otherwise;  ///< null: nothing is put in its place
    std::string where;
  };
  /// Parts of one list ("gpu.sm.register_file.stages"), by technique.
  struct Parts {
    std::string path;
    std::vector<std::string> order;                         ///< types, from the first to the last
    std::vector<std::pair<ConfigNode, std::string>> parts;  ///< and the technique that adds it
  };

  void read(const ConfigNode& fragment, const std::string& name);
  void add_setting(Setting setting, std::vector<Setting>& all) const;
  void add_part(Parts& list, const ConfigNode& part, const std::string& technique) const;
  void merge_part(const std::string& path, ConfigNode& first, const std::string& first_technique,
                  const ConfigNode& second, const std::string& technique) const;
  void insert(const Parts& list, ConfigNode& configuration) const;
  void put_otherwise(ConfigNode& configuration) const;
  bool is_decided(const std::string& path) const;
  [[noreturn]] static void refuse(const std::string& path, const ConfigNode* a,
                                  const std::string& technique_a, const ConfigNode* b,
                                  const std::string& technique_b);

  std::vector<std::string> names_, files_, decided_;
  std::vector<Setting> settings_;
  std::vector<Requirement> requirements_;
  std::vector<Parts> lists_;
  std::vector<ConfigNode> technologies_;
};

}  // namespace heddle::run
