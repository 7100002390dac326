#pragma once

// Chooses random parameters of a part, and the other parts and parameters that this part needs.

#include <fmt/format.h>

#include <string>
#include <type_traits>
#include <vector>

#include "models/core/config_node.h"
#include "models/core/registry.h"
#include "tests/support/dice.h"

namespace heddle::fuzz {

/// One part of a random setting. The part's rule in random_parts.cpp uses this object to set its parameters.
class PartDraw {
 public:
  /// `chosen`: all parts of the setting, for example "gpu.sm.scheduler: gto".
  PartDraw(Dice& the_dice, std::string name, const std::vector<std::string>& chosen);

  Dice& dice;
  /// Sets a parameter of the part that is being drawn.
  template <class Number>
  requires std::is_arithmetic_v<Number>
  void option(const std::string& key, Number value) { option_json(key, fmt::format("{}", value)); }
  void option(const std::string& key, const std::string& word) { option_json(key, "\"" + word + "\""); }
  void option_json(const std::string& key, const std::string& json);
  /// Adds a compiler pass with its parameters, for example R"({"type":"strands","rule":"bailey"})". The types
  /// of the passes decide their order.
  void pass(const std::string& json) { passes_.push_back(json); }
  /// Sets any other parameter of the setting. A random value for this parameter is overridden.
  void set(const std::string& path, const std::string& value) { sets_.push_back(path + "=" + value); }
  /// Returns true if the setting has the part, for example has("gpu.sm.register_file.banks.format",
  /// "sub-banked").
  bool has(const std::string& place, const std::string& part) const;

  std::string json() const { return to_json(part_); }
  const std::vector<std::string>& passes() const { return passes_; }
  const std::vector<std::string>& sets() const { return sets_; }

 private:
  ConfigNode part_;
  const std::vector<std::string>& chosen_;
  std::vector<std::string> passes_, sets_;
};

/// Sets the parameters of a part by its rule. If the part has no rule, booleans and words get any permitted
/// value. An integer keeps its default, or is halved or doubled within its range.
void draw_part(PartDraw& draw, const Family& family, const PartInfo& part);

/// Returns true if a part is added only because the rule of another part requires it, for example a compiler
/// pass that allocates values to a register stage.
bool on_request(const std::string& place, const std::string& part);

}  // namespace heddle::fuzz
