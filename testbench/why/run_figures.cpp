#include "testbench/why/run_figures.h"

#include <optional>
#include <string_view>

#include "models/core/error.h"
#include "models/core/wildcard.h"
#include "testbench/run/tree_path.h"

namespace heddle::why {
namespace {

using run::number_of;

constexpr std::string_view kLaunch = "launch.";

// Returns the sum of the counters whose names match the pattern; nothing if no name matches.
std::optional<double> sum_of(const ConfigNode* counters, const std::string& pattern) {
  std::optional<double> sum;
  if (!counters) return sum;
  for (const auto& [name, value] : counters->members)
    if (fits(pattern, name)) sum = sum.value_or(0) + value.number;
  return sum;
}

}  // namespace

const ExpressionRules& expression_rules() {
  static const ExpressionRules rules = {.arithmetic = ExpressionRules::Arithmetic::undefined,
                                        .comparisons = true,
                                        .dots = true,
                                        .functions = {"min", "max", "if"},
                                        .lookups = {"counter", "metric", "number", "sum"},
                                        .elsewhere = {}};
  return rules;
}

RunFigures::RunFigures(const ConfigNode& result, const ConfigNode& launch)
    : result_(&result), launch_(&launch) {}

double RunFigures::metric(const std::string& name) const {
  const ConfigNode* metrics = launch_->find("metrics");
  return number_of(metrics ? metrics->find(name) : nullptr).value_or(0);
}

const double* RunFigures::find_defined(const std::string& name) const {
  const auto it = defined_.find(name);
  return it == defined_.end() ? nullptr : &it->second;
}

Number RunFigures::value(const ExpressionUse& use) {
  const ConfigNode* metrics = launch_->find("metrics");
  if (use.lookup == "counter") {
    if (const auto sum = sum_of(launch_->find("counters"), use.name)) return Number::of(*sum);
    throw Error("", "no counter of the run fits '" + use.name + "'", "heddle list counters");
  }
  if (use.lookup == "sum") return Number::of(sum_of(launch_->find("counters"), use.name).value_or(0));
  if (use.lookup == "metric") {
    if (const auto found = number_of(metrics ? metrics->find(use.name) : nullptr)) return Number::of(*found);
    throw Error("", "the run has no metric '" + use.name + "'", "heddle list metrics");
  }
  if (use.lookup == "number" && use.name.starts_with(kLaunch))
    return Number::of(number_of(run::find_path(*launch_, use.name.substr(kLaunch.size()))).value_or(0));
  if (use.lookup == "number") {
    const ConfigNode* configuration = result_->find("configuration");
    return Number::of(
        number_of(configuration ? run::find_path(*configuration, use.name) : nullptr).value_or(0));
  }
  if (const double* defined = find_defined(use.name)) return Number::of(*defined);
  if (const auto found = number_of(metrics ? metrics->find(use.name) : nullptr)) return Number::of(*found);
  if (use.name == "cycles" || use.name.starts_with(kLaunch)) {
    const std::string member = use.name == "cycles" ? use.name : use.name.substr(kLaunch.size());
    if (const auto found = number_of(run::find_path(*launch_, member))) return Number::of(*found);
  } else if (const ConfigNode* configuration = result_->find("configuration")) {
    if (const auto found = number_of(run::find_path(*configuration, use.name))) return Number::of(*found);
  }
  throw Error("",
              "the run has no metric, no member of its launch and no number of the configuration named \"" +
                  use.name + "\"",
              "heddle list metrics, launch.ctas and other members of a launch in result.json, "
              "gpu.sms and other numbers of the configuration, counter('PATTERN')");
}

}  // namespace heddle::why
