#include "power/corners.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <set>

#include "models/core/error.h"
#include "models/core/unknown_name.h"

namespace heddle::power {
namespace {

constexpr const char* kChoices = "low, nominal, high, NAME=low, NAME=nominal, NAME=high, NAME=NUMBER";

struct Choice {
  std::string name;  ///< name of the chosen value; empty: all values with a range
  /// "low", "nominal" or "high"; empty if `number` is used instead
  std::string end;
  double number = 0;
};

bool is_end(const std::string& text) { return text == "low" || text == "nominal" || text == "high"; }

Choice read_choice(const std::string& text, const std::string& where) {
  const std::size_t equals = text.find('=');
  Choice choice;
  if (equals != std::string::npos) choice.name = text.substr(0, equals);
  const std::string value = text.substr(equals == std::string::npos ? 0 : equals + 1);
  if (equals == 0) throw Error(where, fmt::format("\"{}\" names no value", text), kChoices);
  if (is_end(value)) {
    choice.end = value;
    return choice;
  }
  const char* const last = value.data() + value.size();
  const auto [end, error] = std::from_chars(value.data(), last, choice.number);
  if (equals == std::string::npos || error != std::errc() || end != last || !std::isfinite(choice.number))
    throw Error(where, fmt::format("\"{}\" says not what to take", text), kChoices);
  return choice;
}

double at_end(const Range& range, const std::string& end) {
  return end == "low" ? range.low : end == "high" ? range.high : range.nominal;
}

void put(Definitions& definitions, const std::string& name, double number, const std::string& where) {
  definitions.values.insert_or_assign(name, ConfigNode::make_number(number, where));
}

[[noreturn]] void refuse_name(const std::vector<Technology>& technologies, const Choice& choice,
                              const std::string& where) {
  std::set<std::string> ranged, all;
  for (const Technology& technology : technologies) {
    for (const auto& [name, range] : technology.definitions.ranges) ranged.insert(name);
    for (const auto& [name, node] : technology.definitions.values) all.insert(name);
  }
  if (all.contains(choice.name))
    throw Error(where, fmt::format("the value \"{}\" has no range", choice.name),
                fmt::format("{}=NUMBER; with a range: {}", choice.name, fmt::join(ranged, ", ")));
  throw unknown_name(where, "value", choice.name,
                     std::vector<std::string>(choice.end.empty() ? all.begin() : ranged.begin(),
                                              choice.end.empty() ? all.end() : ranged.end()));
}

}  // namespace

void choose_corners(std::vector<Technology>& technologies, const std::vector<std::string>& choices,
                    const std::string& where) {
  for (const std::string& text : choices) {
    const Choice choice = read_choice(text, where);
    bool found = choice.name.empty();
    for (Technology& technology : technologies) {
      Definitions& definitions = technology.definitions;
      if (choice.name.empty())
        for (const auto& [name, range] : definitions.ranges)
          put(definitions, name, at_end(range, choice.end), where);
      else if (choice.end.empty() ? definitions.values.contains(choice.name)
                                  : definitions.ranges.contains(choice.name)) {
        put(definitions, choice.name,
            choice.end.empty() ? choice.number : at_end(definitions.ranges.at(choice.name), choice.end),
            where);
        found = true;
      }
    }
    if (!found) refuse_name(technologies, choice, where);
  }
}

}  // namespace heddle::power
