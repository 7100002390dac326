#include "power/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "models/core/error.h"
#include "power/object_view.h"

namespace heddle::power {
namespace {

constexpr int kDeepest = 64;

constexpr const char* kForms[] = {"config", "product", "sum", "difference", "quotient", "table"};
constexpr const char* kAllowed =
    "a number, {\"value\": n, \"source\": ...}, a name of \"values\", or an object with one of config, "
    "product, sum, "
    "difference, quotient, table";

// "or" and "select" go with "config", "at" with "table".
const std::vector<std::string> kKeys = {"config",   "or",    "select", "product", "sum",     "difference",
                                        "quotient", "table", "at",     "source",  "assumed", "doc"};

const char* form_of(const ConfigNode& node) {
  const char* form = nullptr;
  for (const char* name : kForms) {
    if (!node.find(name)) continue;
    if (form) throw Error(node.where(), fmt::format("both \"{}\" and \"{}\"", form, name), kAllowed);
    form = name;
  }
  if (!form) throw Error(node.where(), "not an expression", kAllowed);
  return form;
}

std::string known_names(const auto& map) {
  std::string names;
  for (const auto& [name, unused] : map) names += (names.empty() ? "" : ", ") + name;
  return names;
}

bool is_form(const char* form, std::initializer_list<const char*> names) {
  return std::any_of(names.begin(), names.end(), [&](const char* name) { return std::string(name) == form; });
}

void check_list(const ConfigNode& list, const Definitions& definitions, bool two) {
  if (!list.is_array() || list.items.empty() || (two && list.items.size() != 2))
    throw Error(list.where(), two ? "not a list of two expressions" : "not a list of expressions");
  for (const ConfigNode& item : list.items) check_expression(item, definitions);
}

class Evaluation {
 public:
  Evaluation(const Definitions& definitions, const ConfigNode& configuration)
      : definitions_(definitions), configuration_(configuration) {}

  double value(const ConfigNode& node, int depth) const {
    if (depth > kDeepest) throw Error(node.where(), "this value is defined by itself");
    const ConfigNode& plain = node.is_object() && node.find("value") ? node.unwrapped() : node;
    if (plain.is_number()) return plain.number;
    if (plain.is_string()) return value(definitions_.values.at(plain.text), depth + 1);
    const std::string form = form_of(plain);
    if (form == "config") return parameter(plain, depth);
    const ConfigNode& operands = plain.find("at") ? *plain.find("at") : *plain.find(form);
    std::vector<double> values;
    for (const ConfigNode& item : operands.items) values.push_back(value(item, depth + 1));
    if (form == "table")
      return definitions_.tables.at(plain.find("table")->text).value(values, plain.where());
    double result = values[0];
    for (std::size_t i = 1; i < values.size(); ++i) result = combined(form, result, values[i], plain);
    return result;
  }

 private:
  static double combined(const std::string& form, double a, double b, const ConfigNode& node) {
    if (form == "product") return a * b;
    if (form == "sum") return a + b;
    if (form == "difference") return a - b;
    if (b == 0) throw Error(node.where(), "division by zero");
    return a / b;
  }

  double parameter(const ConfigNode& node, int depth) const {
    const std::string& path = node.find("config")->text;
    const ConfigNode* found = find_parameter(configuration_, path);
    const ConfigNode* otherwise = node.find("or");
    if (const ConfigNode* select = node.find("select")) {
      const std::string text = found ? text_of(*found) : "";
      if (const ConfigNode* chosen = select->find(text)) return value(*chosen, depth + 1);
      if (otherwise) return value(*otherwise, depth + 1);
      throw Error(node.where(), fmt::format("{} is \"{}\", which \"select\" does not name", path, text));
    }
    if (found && found->is_number()) return found->number;
    if (!found && otherwise) return value(*otherwise, depth + 1);
    throw Error(node.where(), fmt::format("the run has no number {}", path),
                "a key of docs/parameters.md, or \"or\" beside \"config\"");
  }

  // A choice stands for its name.
  static std::string text_of(const ConfigNode& node) {
    if (node.is_string()) return node.text;
    if (node.kind == ConfigNode::Kind::boolean) return node.boolean ? "true" : "false";
    if (node.is_integer) return std::to_string(node.integer);
    const ConfigNode* type = node.find("type");
    return type ? type->unwrapped().text : "";
  }

  const Definitions& definitions_;
  const ConfigNode& configuration_;
};

// Parts of a type, in order; parts inside of parts count too ("parallel").
void collect_parts(const ConfigNode& list, std::string_view type, std::vector<const ConfigNode*>& found) {
  for (const ConfigNode& wrapped : list.items) {
    const ConfigNode& item = wrapped.unwrapped();
    const ConfigNode* name = item.is_string() ? &item : item.find("type");
    if (name && name->unwrapped().text == type) found.push_back(&item);
    for (const auto& [key, member] : item.members)
      if (member.unwrapped().is_array()) collect_parts(member.unwrapped(), type, found);
  }
}

bool read_number(std::string_view text, std::size_t& number) {
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  return read.ec == std::errc{} && read.ptr == text.data() + text.size();
}

// The part of a list at a position, or of a type.
const ConfigNode* find_part(const ConfigNode& list, std::string_view selector) {
  std::size_t number = 1;
  if (read_number(selector, number))
    return number < list.items.size() ? &list.items[number].unwrapped() : nullptr;
  const std::size_t colon = selector.find(':');
  if (colon != std::string_view::npos && !read_number(selector.substr(colon + 1), number)) return nullptr;
  std::vector<const ConfigNode*> found;
  collect_parts(list, selector.substr(0, colon), found);
  return number >= 1 && number <= found.size() ? found[found.size() - number] : nullptr;
}

}  // namespace

void check_expression(const ConfigNode& node, const Definitions& definitions) {
  if (node.is_number()) return;
  if (node.is_string()) {
    if (!definitions.values.contains(node.text))
      throw Error(node.where(), fmt::format("no value \"{}\"", node.text), known_names(definitions.values));
    return;
  }
  if (node.is_object() && node.find("value")) {
    if (!node.unwrapped().is_number()) throw Error(node.where(), "the value is not a number");
    return;
  }
  if (!node.is_object()) throw Error(node.where(), "not an expression", kAllowed);
  const ObjectView object(node, kKeys);
  const char* form = form_of(node);
  if (is_form(form, {"config"})) {
    object.text("config");
    if (const ConfigNode* otherwise = node.find("or")) check_expression(*otherwise, definitions);
    if (const ConfigNode* select = node.find("select")) {
      if (!select->is_object())
        throw Error(select->where(), "expected an object: an expression for each value");
      for (const auto& [key, member] : select->members) check_expression(member, definitions);
    }
  } else if (is_form(form, {"table"})) {
    const auto table = definitions.tables.find(object.text("table"));
    if (table == definitions.tables.end())
      throw Error(node.where(), fmt::format("no table \"{}\"", object.text("table")),
                  known_names(definitions.tables));
    check_list(object.get("at"), definitions, false);
    if (object.get("at").items.size() != table->second.axes())
      throw Error(object.get("at").where(), "not one expression for each axis of the table",
                  fmt::format("a list of {}", table->second.axes()));
  } else {
    check_list(*node.find(form), definitions, is_form(form, {"difference", "quotient"}));
  }
}

double evaluate(const ConfigNode& node, const Definitions& definitions, const ConfigNode& configuration) {
  return Evaluation(definitions, configuration).value(node, 0);
}

const ConfigNode* find_parameter(const ConfigNode& configuration, const std::string& path) {
  const ConfigNode* node = &configuration;
  for (std::size_t begin = 0; node && begin <= path.size();) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    const std::string_view step = std::string_view(path).substr(begin, end - begin);
    const std::size_t open = std::min(step.find('['), step.size());
    node = node->unwrapped().find(step.substr(0, open));
    if (node && open < step.size())
      node = find_part(node->unwrapped(), step.substr(open + 1, step.size() - open - 2));
    begin = end + 1;
  }
  return node ? &node->unwrapped() : nullptr;
}

}  // namespace heddle::power
