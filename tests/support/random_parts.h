#pragma once

// Chooses random parameters of a part, such as a scheduler or stage, and other settings that this part needs.

#include <fmt/format.h>

#include <string>
#include <type_traits>
#include <vector>

#include "models/core/config_node.h"
#include "models/core/registry.h"
#include "tests/support/dice.h"

namespace heddle::fuzz {

/// One part in a random setting. A rule in random_parts.cpp sets the parameters of the part.
class PartDraw {
 public:
  PartDraw(Dice& the_dice, std::string name, const std::vector<std::string>& chosen);

  Dice& dice;
  template <class Number>
  requires std::is_arithmetic_v<Number>
  void option(const std::string& key, Number value) { option_json(key, fmt::format("{}", value)); }
  void option(const std::string& key, const std::string& word) { option_json(key, "\"" + word + "\""); }
  void option_json(const std::string& key, const std::string& json);
  /// Adds a compiler pass, such as R"({"type":"strands","rule":"bailey"})". The order of the passes depends
  /// on the types of the passes, not on the order of the calls.
  void pass(const std::string& json) { passes_.push_back(json); }
  void set(const std::string& path, const std::string& value) { sets_.push_back(path + "=" + value); }
  /// Returns true if `part` was chosen for the parameter `place`, for example "sub-banked" for
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

/// Chooses the parameters of a part. If there is no rule, booleans and words get any permitted value. An
/// integer keeps its default, or is halved or doubled within its range.
void draw_part(PartDraw& draw, const Family& family, const PartInfo& part);

/// Returns true if the part is chosen only when the rule of another part requires it. An example is a pass
/// that allocates values to a register stage.
bool on_request(const std::string& place, const std::string& part);

}  // namespace heddle::fuzz
