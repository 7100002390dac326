#pragma once

// How a part is drawn at random: its own parameters, and what it needs beside it.

#include <fmt/format.h>

#include <string>
#include <type_traits>
#include <vector>

#include "models/core/config_node.h"
#include "models/core/registry.h"
#include "tests/support/dice.h"

namespace heddle::fuzz {

/// One part of a random setting, as its rule in random_parts.cpp draws it.
class PartDraw {
 public:
  /// `chosen`: every part of the setting, "gpu.sm.scheduler: gto".
  PartDraw(Dice& the_dice, std::string name, const std::vector<std::string>& chosen);

  Dice& dice;
  /// A parameter of the part.
  template <class Number>
  requires std::is_arithmetic_v<Number>
  void option(const std::string& key, Number value) { option_json(key, fmt::format("{}", value)); }
  void option(const std::string& key, const std::string& word) { option_json(key, "\"" + word + "\""); }
  void option_json(const std::string& key, const std::string& json);
  /// A compiler pass, with its parameters: R"({"type":"strands","rule":"bailey"})". It stands where
  /// their types say.
  void pass(const std::string& json) { passes_.push_back(json); }
  /// Any other parameter of the setting; wins over what is drawn for it.
  void set(const std::string& path, const std::string& value) { sets_.push_back(path + "=" + value); }
  /// True if the setting has a part: has("gpu.sm.register_file.banks.format", "sub-banked").
  bool has(const std::string& place, const std::string& part) const;

  std::string json() const { return to_json(part_); }
  const std::vector<std::string>& passes() const { return passes_; }
  const std::vector<std::string>& sets() const { return sets_; }

 private:
  ConfigNode part_;
  const std::vector<std::string>& chosen_;
  std::vector<std::string> passes_, sets_;
};

/// Draws by the part's rule. Without a rule, parameters that are one of a few words, or true or false, take any
/// value, and integers stay, halve or double within their range.
void draw_part(PartDraw& draw, const Family& family, const PartInfo& part);

/// True if a part of a list is in a setting only because another part's rule requires it, as passes that
/// allocate values to a stage.
bool on_request(const std::string& place, const std::string& part);

}  // namespace heddle::fuzz
