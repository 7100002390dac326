#include "testbench/why/rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "models/core/config_node.h"
#include "models/core/error.h"

namespace heddle::why {
namespace {

constexpr int kFormat = 1;
const char* const kKeys[] = {"name", "of", "when", "share", "text", "try"};

std::string text_of(const ConfigNode& rule, const char* key) {
  const ConfigNode* node = rule.find(key);
  if (!node)
    throw Error(rule.where(), fmt::format("a rule without \"{}\"", key), "name, of, when, share, text, try");
  if (!node->is_string() || node->text.empty())
    throw Error(node->where(), "not a text", "a text that is not empty");
  return node->text;
}

FlatExpression expression_of(const ConfigNode& rule, const char* key, const char* otherwise) {
  const ConfigNode* node = rule.find(key);
  if (!node) return FlatExpression::parse(otherwise, rule.where(), expression_rules());
  const std::string text = node->is_string() ? node->text : to_json(*node);
  return FlatExpression::parse(text, node->where(), expression_rules());
}

// Returns the text or the list of texts of "of".
std::vector<std::string> reasons_of(const ConfigNode& rule) {
  const ConfigNode* node = rule.find("of");
  if (!node || !node->is_array()) return {text_of(rule, "of")};
  std::vector<std::string> reasons;
  for (const ConfigNode& item : node->items) {
    if (!item.is_string()) throw Error(item.where(), "not a reason", "a text");
    reasons.push_back(item.text);
  }
  if (reasons.empty()) throw Error(node->where(), "no reason", "at least one");
  return reasons;
}

// True if the text after ':' is a form of RuleText.
bool is_form(const std::string& text) {
  return text == "%" || (text.size() == 1 && text[0] >= '0' && text[0] <= '6');
}

std::string shown(double value, const std::string& form) {
  if (!std::isfinite(value)) return "-";
  if (form == "%") return fmt::format("{:.1f} %", 100 * value);
  if (!form.empty()) return fmt::format("{:.{}f}", value, form[0] - '0');
  return value == std::floor(value) ? fmt::format("{:.0f}", value) : fmt::format("{:.1f}", value);
}

}  // namespace

RuleText::RuleText(const std::string& text, const std::string& where) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t open = text.find('{', at);
    Part part;
    part.text = text.substr(at, open == std::string::npos ? open : open - at);
    if (open == std::string::npos) {
      parts_.push_back(std::move(part));
      return;
    }
    const std::size_t close = text.find('}', open);
    if (close == std::string::npos)
      throw Error(where, "a brace that does not close", "{EXPRESSION}, {EXPRESSION:%}");
    std::string inside = text.substr(open + 1, close - open - 1);
    if (const std::size_t colon = inside.rfind(':'); colon != std::string::npos) {
      part.form = inside.substr(colon + 1);
      if (!is_form(part.form))
        throw Error(where, "unknown form \"" + part.form + "\" of a value", "% or 0 to 6 decimals");
      inside.resize(colon);
    }
    part.expression = FlatExpression::parse(inside, where, expression_rules());
    part.has_value = true;
    parts_.push_back(std::move(part));
    at = close + 1;
  }
}

std::string RuleText::fill(RunFigures& figures) const {
  std::string out;
  for (const Part& part : parts_) {
    out += part.text;
    if (part.has_value) out += shown(evaluate(part.expression, figures), part.form);
  }
  return out;
}

double evaluate(const FlatExpression& expression, RunFigures& figures) {
  try {
    return expression.evaluate(figures).real;
  } catch (const Error& error) {
    if (!error.where().empty()) throw;
    throw Error(expression.where(), std::string(error.what()));
  }
}

std::vector<Rule> read_rules(const std::string& file) {
  const ConfigNode root = parse_config_file(file);
  format_of(root, "a file of rules", kFormat, kFormat, true);
  const ConfigNode* list = root.find("rules");
  if (!list || !list->is_array()) throw Error(root.where(), "no list \"rules\"", "format, rules");
  for (const auto& [key, value] : root.members)
    if (key != "format" && key != "rules")
      throw Error(value.where(), "unknown key \"" + key + "\"", "format, rules");
  std::vector<Rule> rules;
  for (const ConfigNode& node : list->items) {
    if (!node.is_object()) throw Error(node.where(), "not a rule", "an object");
    for (const auto& [key, value] : node.members)
      if (std::none_of(std::begin(kKeys), std::end(kKeys), [&](const char* known) { return key == known; }))
        throw Error(value.where(), "unknown key \"" + key + "\"", "name, of, when, share, text, try");
    Rule rule;
    rule.name = text_of(node, "name");
    rule.of = reasons_of(node);
    rule.when = expression_of(node, "when", "1");
    rule.share = expression_of(node, "share", "left");
    rule.text = RuleText(text_of(node, "text"), node.find("text")->where());
    if (node.find("try")) rule.advice = RuleText(text_of(node, "try"), node.find("try")->where());
    rule.where = node.where();
    if (std::any_of(rules.begin(), rules.end(), [&](const Rule& other) { return other.name == rule.name; }))
      throw Error(rule.where, "a second rule \"" + rule.name + "\"", "one rule of a name");
    rules.push_back(std::move(rule));
  }
  return rules;
}

}  // namespace heddle::why
