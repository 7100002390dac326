#include "testbench/output/described_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "models/core/error.h"
#include "models/core/memory_image.h"
#include "models/core/registry.h"
#include "models/gpu/gpu.h"
#include "testbench/output/counter_view.h"
#include "testbench/output/energy_output.h"
#include "testbench/output/metric_texts.h"
#include "testbench/output/metrics.h"
#include "testbench/run/data_files.h"
#include "testbench/run/energy_setup.h"
#include "testbench/run/scenario.h"

namespace heddle::output {
namespace {

constexpr const char* kDefaultPreset = "fermi-gtx480";

// Returns values for --set that select each part of each family of exchangeable parts. If a parameter selects
// a list of parts, the function returns two values for each part: a list with only this part, and a list with
// this part before the default parts.
std::vector<std::string> part_settings() {
  std::vector<std::string> settings;
  for (const FieldInfo& field : describe_fields<run::RunParameters>()) {
    const bool is_list = field.type.starts_with("list of "), is_choice = field.type.starts_with("choice of ");
    if (!field.path.starts_with("gpu.") || !(is_list || is_choice)) continue;
    const Family* family = Families::instance().named(field.type.substr(field.type.find(" of ") + 4));
    if (!family) continue;
    for (const PartInfo& part : family->parts()) {
      if (is_choice) {
        settings.push_back(field.path + "=\"" + part.name + "\"");
        continue;
      }
      const std::string kept = field.default_value.substr(1, field.default_value.size() - 2);
      settings.push_back(field.path + "=[\"" + part.name + "\"]");
      std::string list = "\"" + part.name + "\"";
      for (std::size_t begin = 0; begin < kept.size();) {
        const std::size_t end = std::min(kept.find(", ", begin), kept.size());
        list += ", \"" + kept.substr(begin, end - begin) + "\"";
        begin = end + 2;
      }
      settings.push_back(field.path + "=[" + list + "]");
    }
  }
  return settings;
}

}  // namespace

void DescribedValues::add_metric(const std::string& name) {
  if (metrics_.contains(name)) return;
  const MetricText& text = metric_text(name);
  metrics_.emplace(name, DescribedValue{name, text.unit, text.doc});
}

// Builds a GPU that is never run. SystemC keeps the processes of such a GPU even after the GPU is destroyed. The
// names of these processes stay in use, so each GPU needs its own name.
void DescribedValues::build(run::RunParameters parameters, const Visit& visit) {
  static int built = 0;
  parameters.gpu.sms = 1;
  MemoryImage image;
  StatsRegistry stats;
  const Gpu gpu(fmt::format("described{}", built++).c_str(), parameters.gpu, image, stats, {});
  for (const CounterInfo& info : stats.counters()) {
    const std::string name = (class_of_units(info.owner) += '.') += info.name;
    counters_.try_emplace(name, DescribedValue{name, std::string(info.unit), std::string(info.doc)});
  }
  if (visit) visit(stats, parameters);
}

void DescribedValues::add_counters(const run::RunParameters& parameters) { build(parameters, {}); }

void DescribedValues::add_machine(const run::RunParameters& parameters) {
  build(parameters, [this](const StatsRegistry& stats, const run::RunParameters& one) {
    const std::vector<std::uint64_t> none(stats.counters().size());
    add_metric("cycles");
    const Metrics metrics(CounterView(stats, none), one.gpu, 0);
    for (const Metric& metric : metrics.all()) add_metric(metric.name);
    const auto account = run::make_energy_account(run::read_technologies(one), one, stats);
    if (!account) return;
    const power::EnergyReport report = account->report(none, 1);
    add_metric("power_mw");
    const auto add_energies = [this](const std::string& suffix) {
      for (const char* metric : {"energy_nj", "energy_saved", "static_saved"}) add_metric(metric + suffix);
    };
    add_energies("");
    for (const power::NamedBalance& group : report.groups) add_energies("." + group.name);
    for (const power::StructureReport& structure : report.structures) add_energies("." + structure.name);
  });
}

const DescribedValue* DescribedValues::find(const std::string& name) const {
  const std::size_t dot = name.rfind('.');
  if (dot != std::string::npos) {
    const auto counter = counters_.find(class_of_units(name.substr(0, dot)) + name.substr(dot));
    if (counter != counters_.end()) return &counter->second;
  }
  if (const auto known = metrics_.find(name); known != metrics_.end()) return &known->second;
  const MetricText* text = find_metric_text(name);
  if (!text) return nullptr;
  return &metrics_.emplace(name, DescribedValue{name, text->unit, text->doc}).first->second;
}

DescribedValues describe_all_machines() {
  DescribedValues all;
  const auto add = [&all](const std::string& preset, const std::vector<std::string>& with,
                          const std::vector<std::string>& sets) {
    run::ScenarioRequest request;
    request.gpu = preset;
    request.with = with;
    request.sets = sets;
    try {
      all.add_machine(run::read_scenario(request));
    } catch (const Error&) {
      // Ignore the error: the default preset cannot be combined with this technique or part.
    }
  };
  for (const std::string& preset : run::list_data("configs/gpu", ".json")) add(preset, {}, {});
  for (const std::string& technique : run::list_data("configs/techniques", ".json"))
    add(kDefaultPreset, {technique}, {});
  for (const std::string& setting : part_settings()) add(kDefaultPreset, {}, {setting});
  return all;
}

}  // namespace heddle::output
