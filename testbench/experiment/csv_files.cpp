#include <fmt/format.h>

#include <cmath>

#include "testbench/experiment/report.h"
#include "testbench/output/csv_text.h"

namespace heddle::experiment {
namespace {

using output::csv_field;

std::string number(double value) { return std::isnan(value) ? "" : fmt::format("{}", value); }

// Kernel, variant, sweep, value.
std::string place_fields(const ExperimentFile& file, const Place& place) {
  std::string sweep, value;
  if (place.sweep >= 0) {
    const Sweep& one = file.sweeps[static_cast<std::size_t>(place.sweep)];
    sweep = one.name;
    value = one.values[static_cast<std::size_t>(place.value)].label;
  }
  return fmt::format("{},{},{},{}", csv_field(file.kernels[static_cast<std::size_t>(place.kernel)].name),
                     csv_field(file.variants[static_cast<std::size_t>(place.variant)].name), csv_field(sweep),
                     csv_field(value));
}

// What a run gives in results.csv: everything but the counters, and these summed over like units.
std::vector<std::string> column_names(const PointValues& known) {
  std::vector<std::string> names;
  for (const auto& [name, value] : known.entries())
    if (name.find('.') == std::string::npos || name.starts_with("energy.") || name.starts_with("analysis."))
      names.push_back(name);
  for (const auto& [name, value] : known.sums()) names.push_back(name);
  return names;
}

}  // namespace

std::string results_csv(const ExperimentFile& file, const Plan& plan, const Results& results) {
  const std::vector<std::string> names = column_names(results.known());
  std::string out = "kernel,variant,sweep,value,state";
  for (const std::string& name : names) out += fmt::format(",{}", csv_field(name));
  out += "\n";
  for (const Plan::Planned& planned : plan.places()) {
    out += fmt::format("{},{}", place_fields(file, planned.place),
                       csv_field(state_text(results.of(planned.point))));
    const PointValues* values = results.values_at(planned.place);
    for (const std::string& name : names) {
      const double* value = values ? values->find(name) : nullptr;
      out += value ? fmt::format(",{}", *value) : std::string(",");
    }
    out += "\n";
  }
  return out;
}

std::string points_csv(const ExperimentFile& file, const Plan& plan, const Results& results) {
  std::string out = "kernel,variant,sweep,value,state,file\n";
  for (const auto& [place, point, price] : plan.places())
    out += fmt::format("{},{},{}\n", place_fields(file, place), csv_field(state_text(results.of(point))),
                       plan.refusal(point).empty() ? fmt::format("points/{}.json", plan.name(point)) : "");
  return out;
}

std::string figure_csv(const FigureData& data) {
  std::string out = "kernel,variant,value,metric,number\n";
  for (const LongValue& value : data.values)
    out += fmt::format("{},{},{},{},{}\n", csv_field(value.kernel), csv_field(value.variant),
                       csv_field(value.value), csv_field(value.metric),
                       value.refused ? "refused" : number(value.number));
  return out;
}

}  // namespace heddle::experiment
