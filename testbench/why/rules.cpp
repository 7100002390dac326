#include "testbench/why/rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "models/core/config_node.h"
#include "models/core/error.h"
#include "testbench/launch/object_reader.h"
#include "testbench/run/data_files.h"

namespace heddle::why {
namespace {

using launch::ObjectReader;

constexpr int kFormat = 1;
const ObjectForm kRuleForm(
    "rules", "rule", "a rule",
    {{"name!", "text", "name of the cause"},
     {"of!", "text|text[1-]", "the reasons of issue slots that the rule explains, the first ones first"},
     {"when", "expression", "the rule holds for a launch if this is not 0; default: always"},
     {"share", "expression",
      "share of the launch's issue slots; default: all that earlier rules left of the reasons"},
     {"text!", "text", "the sentence, with values in braces"},
     {"try", "text", "what to try, with values in braces"},
     {"useful", "boolean",
      "the slots are no loss: the cause comes first only if it has most slots; default: false"},
     {"decides", "expression", "the cause comes before useful causes if this is not 0; default: 0"}});
const TypeForm kExpressionType("rules", "expression", "text|number",
                               "an expression over the values of a launch");
const ObjectForm kFileForm("rules", "", "a file of rules",
                           {{"format!", "'1'"},
                            {"values", "expression{}", "named expressions, for rules and later values"},
                            {"rules!", "rule[]"}},
                           {}, "Rules of heddle why. See rules.md.");

FlatExpression expression_in(const ConfigNode& node) {
  const std::string text = node.is_number() ? to_json(node) : ObjectReader::text_of(node);
  return FlatExpression::parse(text, node.where(), expression_rules());
}

FlatExpression expression_of(const ObjectReader& rule, const char* key, const char* otherwise,
                             const std::string& where) {
  const ConfigNode* node = rule.find(key);
  return node ? expression_in(*node) : FlatExpression::parse(otherwise, where, expression_rules());
}

RuleText text_in(const ObjectReader& rule, const char* key) {
  const ConfigNode* node = rule.find(key);
  return node ? RuleText(ObjectReader::text_of(*node), node->where()) : RuleText();
}

Rule rule_of(const ConfigNode& node) {
  const ObjectReader in(node, kRuleForm);
  return {in.text("name"),
          ObjectReader::texts_of(in.get("of")),
          expression_of(in, "when", "1", node.where()),
          expression_of(in, "share", "left", node.where()),
          text_in(in, "text"),
          text_in(in, "try"),
          in.find("useful") && in.find("useful")->boolean,
          expression_of(in, "decides", "0", node.where()),
          node.where()};
}

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

RuleSet read_rules(const std::string& file) {
  const ConfigNode root = parse_config_file(file);
  format_of(root, "a file of rules", kFormat, kFormat, true);
  const ObjectReader in(root, kFileForm);
  RuleSet set;
  if (const ConfigNode* values = in.find("values"))
    for (const auto& [name, node] : values->members) set.values.push_back({name, expression_in(node)});
  std::vector<Rule>& rules = set.rules;
  for (const ConfigNode& node : ObjectReader::array(in.get("rules")).items) {
    rules.push_back(rule_of(node));
    const auto is_same = [&](const Rule& other) { return other.name == rules.back().name; };
    if (std::any_of(rules.begin(), rules.end() - 1, is_same))
      throw Error(node.where(), "a second rule \"" + rules.back().name + "\"", "one rule of a name");
  }
  return set;
}

RuleSet rules_with(const std::string& own_file) {
  RuleSet set = read_rules(run::find_named("configs/rules", "default", "file of rules", "--rules"));
  if (own_file.empty()) return set;
  RuleSet own = read_rules(own_file);
  std::erase_if(set.rules, [&](const Rule& rule) {
    return std::any_of(own.rules.begin(), own.rules.end(),
                       [&](const Rule& other) { return other.name == rule.name; });
  });
  std::move(set.rules.begin(), set.rules.end(), std::back_inserter(own.rules));
  std::move(own.values.begin(), own.values.end(), std::back_inserter(set.values));
  set.rules = std::move(own.rules);
  return set;
}

void define_values(const RuleSet& set, RunFigures& figures) {
  for (const NamedValue& value : set.values) figures.define(value.name, evaluate(value.expression, figures));
}

}  // namespace heddle::why
