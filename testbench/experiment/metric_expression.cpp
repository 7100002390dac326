#include "testbench/experiment/metric_expression.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string_view>
#include <vector>

#include "models/core/error.h"
#include "models/core/unknown_name.h"

namespace heddle::experiment {
namespace {

const ExpressionRules kRules = {.arithmetic = ExpressionRules::Arithmetic::undefined,
                                .comparisons = true,
                                .dots = true,
                                .functions = {"min", "max", "if"},
                                .lookups = {"sum", "count"},
                                .elsewhere = "base"};

// Values of the names in an expression, for a run and its base run (the run that base(...) means). Keeps the
// values of definitions, so that each is evaluated once.
class RunValues : public ExpressionValues {
 public:
  RunValues(const PointValues& own, const PointValues* base) : own_(own), base_(base) {}

  /// With `only`, all names mean values of the base run, as they do inside base(...).
  void look_at_base(bool only) { only_base_ = only; }
  void define(const std::string& name, double value) { (only_base_ ? of_base_ : of_own_)[name] = value; }

  Number value(const ExpressionUse& use) override {
    const bool of_base = use.elsewhere || only_base_;
    const PointValues* run = of_base ? base_ : &own_;
    if (!run) return Number::of(std::numeric_limits<double>::quiet_NaN());
    if (use.lookup == "sum") return Number::of(run->match(use.name).sum);
    if (use.lookup == "count") return Number::of(static_cast<double>(run->match(use.name).count));
    const auto& defined = of_base ? of_base_ : of_own_;
    if (const auto it = defined.find(use.name); it != defined.end()) return Number::of(it->second);
    const double* value = run->find(use.name);
    return Number::of(value ? *value : 0.0);
  }
  bool has_elsewhere() const override { return base_ != nullptr; }

 private:
  const PointValues& own_;
  const PointValues* base_;
  bool only_base_ = false;
  std::map<std::string, double> of_own_, of_base_;
};

// Returns true if the dotted parts of `name` occur in `known` in this order. For example, "energy.total_nj"
// lacks one part of "energy.total.total_nj".
bool leaves_parts_out(std::string_view name, std::string_view known) {
  const auto next_part = [](std::string_view& left) {
    const std::size_t end = std::min(left.find('.'), left.size());
    const std::string_view part = left.substr(0, end);
    left.remove_prefix(std::min(end + 1, left.size()));
    return part;
  };
  for (std::string_view part = next_part(name); !part.empty(); part = next_part(name))
    for (bool found = false; !found;) {
      if (known.empty()) return false;
      found = next_part(known) == part;
    }
  return true;
}

// Returns `, did you mean "KNOWN"?`. KNOWN is the shortest name that contains the parts of `name`; otherwise
// a name with similar spelling.
std::string suggestion(const std::string& name, const PointValues& known) {
  std::vector<std::string> names;
  for (const auto* values : {&known.sums(), &known.entries()})
    for (const auto& [one, value] : *values) names.push_back(one);
  std::string shortest;
  for (const std::string& one : names)
    if (leaves_parts_out(name, one) && (shortest.empty() || one.size() < shortest.size())) shortest = one;
  return shortest.empty() ? did_you_mean(name, names) : ", did you mean \"" + shortest + "\"?";
}

std::string whole_of_energy(std::string_view name) {
  const auto is_in = [name](std::string_view prefix) { return name.starts_with(prefix); };
  if (is_in("energy.shares.sm_")) return "sm";
  if (is_in("energy.shares.gpu_") || is_in("energy.total.")) return "gpu";
  for (const std::string_view tables : {"energy.groups.", "energy.structures."}) {
    if (is_in(std::string(tables) + "register_file.")) return "register file";
    if (is_in(std::string(tables) + "execution.")) return "units";
  }
  return {};
}

}  // namespace

MetricExpression::MetricExpression(const ConfigNode& node, const Definitions& definitions) {
  if (node.is_number()) {
    FlatExpression constant("", node.where(), kRules);
    constant.push(Number::of(node.number));
    expression_ = std::make_shared<FlatExpression>(std::move(constant));
    return;
  }
  if (!node.is_string()) throw Error(node.where(), "not an expression", "a string or a number");
  expression_ = std::make_shared<FlatExpression>(FlatExpression::parse(node.text, node.where(), kRules));
  const auto add = [this](const Named& named) {
    if (std::none_of(used_.begin(), used_.end(),
                     [&](const Named& other) { return other.name == named.name; }))
      used_.push_back(named);
  };
  for (const ExpressionUse& use : expression_->uses()) {
    const auto known = use.lookup.empty() ? definitions.find(use.name) : definitions.end();
    if (known == definitions.end()) continue;
    for (const Named& inner : known->second.used_) add(inner);
    add({known->first, known->second.expression_});
  }
}

double MetricExpression::evaluate(const PointValues& own, const PointValues* base) const {
  RunValues values(own, base);
  // Evaluate definitions for the base run first: by base(NAME), a definition may use another definition's
  // value in the base run.
  for (const bool of_base : {true, false}) {
    values.look_at_base(of_base);
    if (of_base && !base) continue;
    for (const Named& named : used_) values.define(named.name, named.expression->evaluate(values).real);
  }
  return expression_->evaluate(values).real;
}

void MetricExpression::check_names(const PointValues& known, Runs runs) const {
  const auto check = [&](const FlatExpression& expression) {
    for (const ExpressionUse& use : expression.uses()) {
      const auto defined = [&](const Named& named) { return named.name == use.name; };
      if (use.lookup.empty() && !known.find(use.name) && std::none_of(used_.begin(), used_.end(), defined))
        throw Error(
            expression.where(),
            "no run has a counter, metric or energy entry \"" + use.name + "\"" + suggestion(use.name, known),
            "names of results.csv, of \"define\", or sum('pattern')");
      if (!use.lookup.empty() && !known.matches(use.name))
        throw Error(expression.where(),
                    "no counter, metric or energy entry of any run fits \"" + use.name + "\"");
    }
  };
  if (runs == Runs::all)
    for (const Named& named : used_) check(*named.expression);
  check(*expression_);
}

std::string MetricExpression::share_of() const {
  std::set<std::string> wholes, names_in_base;
  const auto look_at = [&](const FlatExpression& expression, bool in_base) {
    for (const ExpressionUse& use : expression.uses()) {
      if (!in_base && !use.elsewhere && !use.name.starts_with("energy.shares.")) continue;
      names_in_base.insert(use.name);
      if (const std::string whole = whole_of_energy(use.name); !whole.empty()) wholes.insert(whole);
    }
  };
  look_at(*expression_, false);
  // Visit the definitions in reverse order: a definition stands in used_ before all definitions that use it,
  // so it is visited after them. Then it is known whether it is used inside base(...).
  for (auto named = used_.rbegin(); named != used_.rend(); ++named)
    look_at(*named->expression, names_in_base.contains(named->name));
  return wholes.size() == 1 ? *wholes.begin() : std::string();
}

bool MetricExpression::uses_base() const {
  return expression_->uses_elsewhere() || std::any_of(used_.begin(), used_.end(), [](const Named& named) {
           return named.expression->uses_elsewhere();
         });
}

}  // namespace heddle::experiment
