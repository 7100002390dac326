#include "testbench/experiment/run_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "models/core/error.h"
#include "testbench/output/csv_text.h"
#include "testbench/output/metric_texts.h"
#include "testbench/run/parameter_list.h"
#include "testbench/run/scenario.h"
#include "testbench/run/tree_path.h"

namespace heddle::experiment {
namespace {

using output::csv_field;

constexpr const char* kTechniques = "techniques";

const std::vector<TableColumn>& leading_columns() {
  static const std::vector<TableColumn> columns = {
      {"kernel", "name", "kernel of the run"},
      {"variant", "name", "variant of the configuration"},
      {"sweep", "name", "sweep that the run belongs to; empty outside of sweeps"},
      {"sweep_value", "name", "value of the sweep"}};
  return columns;
}

const TableColumn kState = {"state", "name", "done, failed, not run, or refused with the reason"};

std::string joined(const std::vector<std::string>& techniques) {
  return techniques.empty() ? "plain" : fmt::format("{}", fmt::join(techniques, " + "));
}

// Returns a setting as text. For a part with parameters (such as a scheduler), returns only its type, because
// its parameters have their own columns.
std::string setting_text(const ConfigNode& value) {
  const ConfigNode& plain = value.unwrapped();
  if (plain.is_string()) return plain.text;
  const ConfigNode* type = plain.find("type");
  return type ? setting_text(*type) : run::one_line(plain);
}

// Returns the unit, which is the end of a parameter's name; if the name has no unit, returns its type.
std::string unit_of_parameter(const FieldInfo& field) {
  const std::string unit = field.path.substr(field.path.rfind('_') + 1);
  for (const char* known : {"cycles", "bytes", "warps", "instructions", "percent", "mhz", "pj", "nm"})
    if (unit == known) return unit;
  return field.type;
}

}  // namespace

RunTable::RunTable(const ExperimentFile& file, const Plan& plan, const Results& results)
    : file_(file), plan_(plan), results_(results) {
  fill_places();
  keep_varying();
  add_metrics();
}

std::vector<std::string> RunTable::set_paths() const {
  std::vector<std::string> paths;
  std::set<std::string> known;
  const auto add = [&](const Assignments& sets) {
    for (const Assignment& set : sets)
      if (const std::string path = file_.full_path(set.path); known.insert(path).second)
        paths.push_back(path);
  };
  for (const Variant& variant : file_.variants) add(variant.sets);
  for (const Kernel& kernel : file_.kernels) add(kernel.sets);
  for (const Sweep& sweep : file_.sweeps)
    for (const SweepValue& value : sweep.values) {
      add(value.sets);
      for (const auto& [pattern, sets] : value.more) add(sets);
    }
  return paths;
}

void RunTable::fill_places() {
  const std::vector<std::string> paths = set_paths();
  std::map<std::pair<std::uint64_t, std::size_t>, Effective> known;
  for (const auto& [place, point, price] : plan_.places())
    if (plan_.refusal(point).empty())
      if (const auto [at, is_new] = known.try_emplace({plan_.configuration(point), price}); is_new)
        at->second = effective(point, price, paths);
  add_settings(paths, known);
  for (const auto& [place, point, price] : plan_.places()) {
    Row row;
    row.kernel = file_.kernels[static_cast<std::size_t>(place.kernel)].name;
    const Variant& variant = file_.variants[static_cast<std::size_t>(place.variant)];
    row.variant = variant.name;
    if (place.sweep >= 0) {
      const Sweep& sweep = file_.sweeps[static_cast<std::size_t>(place.sweep)];
      row.sweep = sweep.name;
      row.sweep_value = sweep.values[static_cast<std::size_t>(place.value)].label;
    }
    row.state = state_text(results_.of(point));
    // A run whose techniques cannot be combined has no configuration, so its row shows only the techniques.
    row.settings.resize(settings_.size());
    if (!plan_.refusal(point).empty()) {
      std::vector<std::string> techniques;
      for (const ConfigNode& with : variant.with) techniques.push_back(with.text);
      row.settings[0] = joined(techniques);
    } else {
      const Effective& values = known.at({plan_.configuration(point), price});
      for (std::size_t i = 0; i < settings_.size(); ++i)
        if (const auto value = values.find(settings_[i].name); value != values.end())
          row.settings[i] = value->second;
    }
    rows_.push_back(std::move(row));
  }
}

// Returns the values of the parameters at `paths`. If a parameter names a part (such as a scheduler), also
// returns the parameters of the part.
RunTable::Effective RunTable::effective(std::size_t point, std::size_t price,
                                        const std::vector<std::string>& paths) const {
  const run::RunParameters parameters = plan_.parameters(point, price);
  Effective values;
  values[kTechniques] = joined(parameters.techniques);
  const ConfigNode tree = run::dump_scenario(parameters);
  for (const std::string& path : paths) {
    const ConfigNode* value = run::find_path(tree, path);
    if (!value) continue;
    values[path] = setting_text(*value);
    if (!value->find("type")) continue;
    for (const auto& [key, member] : value->members)
      if (key != "type") values[path + "." + key] = setting_text(member);
  }
  return values;
}

// Adds columns of settings: the techniques, and each parameter in `paths`. A parameter that names a part
// (such as a scheduler) also adds the parameters of the part.
void RunTable::add_settings(const std::vector<std::string>& paths,
                            const std::map<std::pair<std::uint64_t, std::size_t>, Effective>& known) {
  settings_.push_back({kTechniques, "names", "techniques of the run; plain for none"});
  std::map<std::string, TableColumn> described;
  for (const run::ListedParameter& one : run::list_parameters())
    described.try_emplace(one.path, TableColumn{one.path, unit_of_parameter(one.field), one.field.doc});
  std::set<std::string> added;
  const auto add = [&](const std::string& path) {
    if (!added.insert(path).second) return;
    const auto text = described.find(path);
    settings_.push_back(text == described.end() ? TableColumn{path, "any", "parameter of a part"}
                                                : text->second);
  };
  for (const std::string& path : paths) {
    add(path);
    for (const auto& [key, values] : known)
      for (auto at = values.lower_bound(path + "."); at != values.end() && at->first.starts_with(path + ".");
           ++at)
        add(at->first);
  }
}

void RunTable::keep_varying() {
  std::vector<bool> varies(settings_.size(), false);
  for (const Row& row : rows_)
    for (std::size_t i = 0; i < settings_.size(); ++i)
      varies[i] = varies[i] || row.settings[i] != rows_.front().settings[i];
  const auto keep = [&varies](auto& items) {
    std::size_t at = 0;
    std::erase_if(items, [&](const auto&) { return !varies[at++]; });
  };
  keep(settings_);
  for (Row& row : rows_) keep(row.settings);
}

void RunTable::add_metrics() {
  for (const char* name : {"cycles", "ipc", "energy_nj"}) {
    const output::MetricText& text = output::metric_text(name);
    metrics_.push_back({name, text.unit, text.doc});
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const PointValues* values = results_.values_at(plan_.places()[i].place);
      const double* value = values ? values->find(name) : nullptr;
      rows_[i].metrics.push_back(value ? std::optional<double>(*value) : std::nullopt);
    }
  }
  for (const auto& [name, metric] : file_.metrics) add_metric(metric);
}

void RunTable::add_metric(const Metric& metric) {
  const std::optional<std::string> base = base_for(metric);
  if (metric.expression.uses_base() && !base) return;
  try {
    metric.expression.check_names(results_.known());
  } catch (const Error&) {
    return;
  }
  std::string name = metric.name;
  for (const std::vector<TableColumn>& columns : {leading_columns(), settings_, {kState}, metrics_})
    for (const TableColumn& column : columns)
      if (column.name == metric.name) name = "metric." + metric.name;
  metrics_.push_back({name, unit_of(metric), metric.label});
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const Place& place = plan_.places()[i].place;
    const PointValues* own = results_.values_at(place);
    const double value =
        own ? metric.expression.evaluate(*own, base ? base_of(place, *base) : nullptr) : std::nan("");
    rows_[i].metrics.push_back(std::isnan(value) ? std::nullopt : std::optional<double>(value));
  }
}

// Returns the values of the variant `base` at the same kernel and sweep value. If there are none, returns the
// values of this variant's run without a sweep.
const PointValues* RunTable::base_of(const Place& place, const std::string& base) const {
  const auto variant = std::find_if(file_.variants.begin(), file_.variants.end(),
                                    [&](const Variant& one) { return one.name == base; });
  Place at = place;
  at.variant = static_cast<int>(variant - file_.variants.begin());
  const PointValues* values = results_.values_at(at);
  at.sweep = at.value = -1;
  return values ? values : results_.values_at(at);
}

// Returns the base variant of a metric: the variant relative to which figures show the metric. Returns
// nothing if no figure shows it relative to a variant, if figures have different base variants, or if a
// figure is relative to a sweep value.
std::optional<std::string> RunTable::base_for(const Metric& metric) const {
  std::optional<std::string> base;
  for (const Figure& figure : file_.figures)
    for (const auto* list : {&figure.metrics, &figure.explained_by})
      for (const Metric& shown : *list) {
        if (shown.name != metric.name || shown.expression.where() != metric.expression.where()) continue;
        if (figure.relative_to.empty()) continue;
        if (!figure.relative_value.empty() || (base && *base != figure.relative_to)) return std::nullopt;
        base = figure.relative_to;
      }
  return base;
}

std::string RunTable::unit_of(const Metric& metric) const {
  for (const Figure& figure : file_.figures)
    for (const Metric& shown : figure.metrics)
      if (shown.name == metric.name && shown.expression.where() == metric.expression.where() &&
          !figure.unit.empty())
        return figure.unit;
  return "as its label";
}

std::vector<TableColumn> RunTable::columns() const {
  std::vector<TableColumn> all = leading_columns();
  all.insert(all.end(), settings_.begin(), settings_.end());
  all.push_back(kState);
  all.insert(all.end(), metrics_.begin(), metrics_.end());
  return all;
}

// Describes all counters. As long as some counter has no description, builds the GPU of a run that has this
// counter, and takes the descriptions from it.
output::DescribedValues describe_counters(const Plan& plan, const Results& results) {
  output::DescribedValues described;
  std::vector<std::string> missing;
  for (const auto& [name, sum] : results.known().sums()) missing.push_back(name);
  std::set<std::uint64_t> built;
  for (const std::size_t point : results.in_state(PointResult::State::done)) {
    if (missing.empty()) break;
    const PointValues& values = *results.of(point).values.begin()->second;
    const bool has_new = std::any_of(missing.begin(), missing.end(),
                                     [&](const std::string& name) { return values.find(name); });
    if (!has_new || !built.insert(plan.configuration(point)).second) continue;
    described.add_counters(plan.parameters(point));
    std::erase_if(missing, [&](const std::string& name) { return described.counters().contains(name); });
  }
  return described;
}

std::string run_table_csv(const RunTable& table, bool of_sweeps) {
  std::string out;
  for (const TableColumn& column : table.columns()) out += (out.empty() ? "" : ",") + csv_field(column.name);
  out += "\n";
  for (const RunTable::Row& row : table.rows()) {
    if (row.sweep.empty() == of_sweeps) continue;
    out += fmt::format("{},{},{},{}", csv_field(row.kernel), csv_field(row.variant), csv_field(row.sweep),
                       csv_field(row.sweep_value));
    for (const std::string& setting : row.settings) out += "," + csv_field(setting);
    out += "," + csv_field(row.state);
    for (const std::optional<double>& value : row.metrics)
      out += value ? fmt::format(",{}", *value) : std::string(",");
    out += "\n";
  }
  return out;
}

std::string columns_csv(const RunTable& table, const Results& results,
                        const output::DescribedValues& described) {
  std::string out = "name,unit,meaning\n";
  std::set<std::string> written;
  const auto add = [&](const std::string& name, const std::string& unit, const std::string& doc) {
    if (written.insert(name).second)
      out += fmt::format("{},{},{}\n", csv_field(name), csv_field(unit), csv_field(doc));
  };
  for (const TableColumn& column : table.columns()) add(column.name, column.unit, column.doc);
  for (const auto* names : {&results.known().entries(), &results.known().sums()})
    for (const auto& [name, value] : *names) {
      const bool is_single_counter = names == &results.known().entries() && !output::find_metric_text(name);
      if (is_single_counter) continue;
      if (const output::DescribedValue* text = described.find(name)) add(name, text->unit, text->doc);
    }
  return out;
}

}  // namespace heddle::experiment
