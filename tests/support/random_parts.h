#pragma once

// Random parameters of a part, and the other parts and parameters that it needs.

#include <fmt/format.h>

#include <string>
#include <type_traits>
#include <vector>

#include "models/core/config_node.h"
#include "models/core/registry.h"
#include "tests/support/dice.h"

namespace heddle::fuzz {

/// One part of a random setting; its rule in random_parts.cpp sets its parameters.
class PartDraw {
 public:
  /// `chosen` names every part of the setting, like "gpu.sm.scheduler: gto".
  PartDraw(Dice& the_dice, std::string name, const std::vector<std::string>& chosen);

  Dice& dice;
  /// Sets a parameter of the part.
  template <class Number>
  requires std::is_arithmetic_v<Number>
  void option(const std::string& key, Number value) { option_json(key, fmt::format("{}", value)); }
  void option(const std::string& key, const std::string& word) { option_json(key, "\"" + word + "\""); }
  void option_json(const std::string& key, const std::string& json);
  /// Adds a compiler pass with its parameters, R"({"type":"strands","rule":"bailey"})". The types of the
  /// passes decide their order.
  void pass(const std::string& json) { passes_.push_back(json); }
  /// Sets any other parameter of the setting, and overrides its random value.
  void set(const std::string& path, const std::string& value) { sets_.push_back(path + "=" + value); }
  /// Returns true if the setting has a part: has("gpu.sm.register_file.banks.format", "sub-banked").
  bool has(const std::string& place, const std::string& part) const;

  std::string json() const { return to_json(part_); }
  const std::vector<std::string>& passes() const { return passes_; }
  const std::vector<std::string>& sets() const { return sets_; }

 private:
  ConfigNode part_;
  const std::vector<std::string>& chosen_;
  std::vector<std::string> passes_, sets_;
};

/// Sets the part's parameters by its rule. Without a rule, booleans and words take any value, and integers
/// stay, halve or double within their range.
void draw_part(PartDraw& draw, const Family& family, const PartInfo& part);

/// Returns true if a part is in a setting only when the rule of another part requires it. Passes that
/// allocate values to a stage are such parts.
bool on_request(const std::string& place, const std::string& part);

}  // namespace heddle::fuzz
