#include "power/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "models/core/error.h"
#include "models/core/object_form.h"
#include "models/core/part_path.h"
#include "power/object_view.h"

namespace heddle::power {
namespace {

constexpr const char* kForms[] = {"config", "product", "sum", "difference", "quotient", "table", "price"};
constexpr const char* kAllowed =
    "a number, {\"value\": n, \"source\": ...}, a name of \"values\", or an object with one of config, "
    "product, sum, difference, quotient, table, price";

const TypeForm kNamesForm("technology", "names", "text|text[1-]");
const ObjectForm kFigureForm("technology", "figure", "a figure",
                             {{"value!", "number"}, {"source", "text"}, {"assumed", "text"}},
                             {{"source"}, {"assumed"}});
const ObjectForm kRangedForm("technology", "ranged", "a figure with its range",
                             {{"value!", "number"},
                              {"low!", "number"},
                              {"high!", "number"},
                              {"of", "text", "description of the value for summaries"},
                              {"source", "text"},
                              {"assumed", "text"}},
                             {{"source"}, {"assumed"}}, "low <= value <= high (power.corners)");
// An object with the key "or" or "select" must also have the key "config". An object with "at" must also have
// "table".
const ObjectForm kTermForm(
    "technology", "term", "an expression",
    {{"config", "text", "a key of docs/parameters.md"},
     {"or", "expression"},
     {"select", "expression{}"},
     {"product", "expression[1-]"},
     {"sum", "expression[1-]"},
     {"difference", "expression[2]"},
     {"quotient", "expression[2]"},
     {"table", "text", "a name of \"tables\""},
     {"at", "expression[1-]"},
     {"price", "text", "a counter: what the plain machine pays for one event of it"},
     {"source", "text"},
     {"assumed", "text"},
     {"doc", "string"}},
    {{"config"}, {"product"}, {"sum"}, {"difference"}, {"quotient"}, {"table", "at"}, {"price"}});
const TypeForm kExpressionForm("technology", "expression", "number|text|figure|term",
                               "a number, a name of \"values\", or what is worked out");

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

const ExpressionRules kRules = {
    .arithmetic = ExpressionRules::Arithmetic::defined, .functions = {}, .lookups = {}, .elsewhere = {}};

ExpressionOp op_of(const std::string& form) {
  return form == "product"      ? ExpressionOp::mul
         : form == "sum"        ? ExpressionOp::add
         : form == "difference" ? ExpressionOp::sub
                                : ExpressionOp::div;
}

}  // namespace

std::string choice_text(const ConfigNode& node) {
  if (node.is_string()) return node.text;
  if (node.kind == ConfigNode::Kind::boolean) return node.boolean ? "true" : "false";
  if (node.is_integer) return std::to_string(node.integer);
  const ConfigNode* type = node.find("type");
  return type ? type->unwrapped().text : "";
}

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
  const ObjectView object(node, kTermForm);
  const char* form = form_of(node);
  if (is_form(form, {"config"})) {
    object.text("config");
    if (const ConfigNode* otherwise = node.find("or")) check_expression(*otherwise, definitions);
    if (const ConfigNode* select = node.find("select")) {
      if (!select->is_object())
        throw Error(select->where(), "expected an object: an expression for each value");
      for (const auto& [key, member] : select->members) check_expression(member, definitions);
    }
  } else if (is_form(form, {"price"})) {
    object.text("price");
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
  return Coefficients(definitions, configuration).value(node);
}

// Compiles an expression. Replaces each parameter of the configuration by its value. The compiled expression
// then contains only numbers, named values and tables.
void Coefficients::compile(const ConfigNode& node, FlatExpression& into) {
  const ConfigNode& plain = node.is_object() && node.find("value") ? node.unwrapped() : node;
  if (plain.is_number()) return into.push(Number::of(plain.number));
  if (plain.is_string()) return into.push(ExpressionUse{plain.text, "", false});
  const std::string form = form_of(plain);
  if (form == "config") return compile_parameter(plain, into);
  if (form == "price") {
    if (!price_of_) throw Error(plain.where(), "a price of other technologies, and there is no account");
    return into.push(Number::of(price_of_(plain.find("price")->text)));
  }
  const ConfigNode& operands = plain.find("at") ? *plain.find("at") : *plain.find(form);
  for (std::size_t i = 0; i < operands.items.size(); ++i) {
    compile(operands.items[i], into);
    if (i > 0 && form != "table") into.push(op_of(form));
  }
  if (form == "table") into.push_call(plain.find("table")->text, operands.items.size());
}

void Coefficients::compile_parameter(const ConfigNode& node, FlatExpression& into) {
  const std::string& path = node.find("config")->text;
  const ConfigNode* found = find_parameter(configuration_, path);
  const ConfigNode* otherwise = node.find("or");
  if (const ConfigNode* select = node.find("select")) {
    const std::string text = found ? choice_text(*found) : "";
    if (const ConfigNode* chosen = select->find(text)) return compile(*chosen, into);
    if (otherwise) return compile(*otherwise, into);
    throw Error(node.where(), fmt::format("{} is \"{}\", which \"select\" does not name", path, text));
  }
  if (found && found->is_number()) return into.push(Number::of(found->number));
  // If a parameter is a list of numbers, its value is the sum of the numbers; an empty list counts as
  // missing.
  if (found && found->is_array()) {
    double sum = 0;
    bool numbers = !found->items.empty();
    for (const ConfigNode& item : found->items) {
      numbers = numbers && item.unwrapped().is_number();
      sum += item.unwrapped().number;
    }
    if (numbers) return into.push(Number::of(sum));
    if (found->items.empty()) found = nullptr;
  }
  if (!found && otherwise) return compile(*otherwise, into);
  throw Error(node.where(), fmt::format("the run has no number {}", path),
              "a key of docs/parameters.md, or \"or\" beside \"config\"");
}

FlatExpression Coefficients::compiled(const ConfigNode& node) {
  FlatExpression expression("", node.where(), kRules);
  compile(node, expression);
  return expression;
}

double Coefficients::value(const ConfigNode& node) {
  // A named value that is being evaluated. Each element of `open` needs the value of the next element. Only
  // the last element is evaluated at present.
  struct Open {
    std::string name;
    FlatExpression expression;
    std::size_t next;
  };
  std::vector<Open> open;
  open.push_back({"", compiled(node), 0});
  std::set<std::string> waiting;
  for (;;) {
    Open& top = open.back();
    const auto& uses = top.expression.uses();
    while (top.next < uses.size() && known_.contains(uses[top.next].name)) ++top.next;
    if (top.next < uses.size()) {
      const std::string name = uses[top.next].name;
      const ConfigNode& definition = definitions_.values.at(name);
      if (!waiting.insert(name).second) throw Error(definition.where(), "this value is defined by itself");
      open.push_back({name, compiled(definition), 0});
      continue;
    }
    where_ = top.expression.where();
    const double result = top.expression.evaluate(*this).real;
    if (open.size() == 1) return result;
    known_.emplace(top.name, result);
    open.pop_back();
  }
}

Number Coefficients::value(const ExpressionUse& use) { return Number::of(known_.at(use.name)); }

double Coefficients::call(const std::string& table, const std::vector<double>& at) {
  const LookupTable& known = definitions_.tables.at(table);
  if (const std::string far = known.far_outside(at); !far.empty())
    far_outside_.insert(fmt::format("{}: {}", table, far));
  return known.value(at, where_);
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
