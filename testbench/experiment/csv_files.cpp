#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "testbench/experiment/report.h"
#include "testbench/output/csv_text.h"

namespace heddle::experiment {
namespace {

using output::csv_field;

std::string number(double value) { return std::isnan(value) ? "" : fmt::format("{}", value); }

// Returns the columns that name a run: kernel, variant, sweep and value.
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

// Columns of results-wide.csv. Counters are summed over units of the same kind.
struct Columns {
  explicit Columns(const PointValues& known) {
    for (const auto& [name, value] : known.entries())
      if (name.find('.') == std::string::npos || name.starts_with("energy.") || name.starts_with("analysis."))
        priced.push_back(name);
    for (const auto& [name, value] : known.sums()) counted.push_back(name);
  }
  std::vector<std::string> priced, counted;
};

void append_fields(const std::vector<std::string>& names, const PointValues* values, std::string& out) {
  for (const std::string& name : names) {
    out += ',';
    if (const double* value = values ? values->find(name) : nullptr)
      fmt::format_to(std::back_inserter(out), "{}", *value);
  }
}

}  // namespace

std::string wide_csv(const ExperimentFile& file, const Plan& plan, const Results& results) {
  const Columns columns(results.known());
  std::string out = "kernel,variant,sweep,value,state";
  for (const auto* names : {&columns.priced, &columns.counted})
    for (const std::string& name : *names) out += fmt::format(",{}", csv_field(name));
  out += "\n";
  std::vector<std::string> counted(plan.size());
  for (const Plan::Planned& planned : plan.places()) {
    out += fmt::format("{},{}", place_fields(file, planned.place),
                       csv_field(state_text(results.of(planned.point))));
    const PointValues* values = results.values_at(planned.place);
    append_fields(columns.priced, values, out);
    std::string& text = counted[planned.point];
    if (text.empty()) append_fields(columns.counted, values, text);
    out += text;
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
