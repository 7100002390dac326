#pragma once

// Chooses random parameters of a scheduler, stage or other implementation, and what else it needs.

#include <fmt/format.h>

#include <string>
#include <type_traits>
#include <vector>

#include "models/core/config_node.h"
#include "models/core/registry.h"
#include "tests/support/dice.h"

namespace heddle::fuzz {

/// One implementation of a random setting, whose rule in random_parts.cpp sets its parameters.
class PartDraw {
 public:
  PartDraw(Dice& the_dice, std::string name, const std::vector<std::string>& chosen);

  Dice& dice;
  template <class Number>
  requires std::is_arithmetic_v<Number>
  void option(const std::string& key, Number value) { option_json(key, fmt::format("{}", value)); }
  void option(const std::string& key, const std::string& word) { option_json(key, "\"" + word + "\""); }
  void option_json(const std::string& key, const std::string& json);
  /// Adds a pass, such as R"({"type":"strands","rule":"bailey"})". The types of the passes decide their
  /// order.
  void pass(const std::string& json) { passes_.push_back(json); }
  void set(const std::string& path, const std::string& value) { sets_.push_back(path + "=" + value); }
  /// Returns true if `part` was chosen at `place`, for example "sub-banked" at
  /// "gpu.sm.register_file.banks.format".
  bool has(const std::string& place, const std::string& part) const;

  std::string json() const { return to_json(part_); }
  const std::vector<std::string>& passes() const { return passes_; }
  const std::vector<std::string>& sets() const { return sets_; }

 private:
  ConfigNode part_;
  const std::vector<std::string>& chosen_;
  std::vector<std::string> passes_, sets_;
};

/// Without a rule, booleans and words get any permitted value; an integer keeps its default, or is halved or
/// doubled within its range.
void draw_part(PartDraw& draw, const Family& family, const PartInfo& part);

/// Returns true if another rule must require this implementation, for example a pass that allocates values to
/// a register stage.
bool on_request(const std::string& place, const std::string& part);

}  // namespace heddle::fuzz
