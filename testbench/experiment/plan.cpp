#include "testbench/experiment/plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/core/error.h"
#include "testbench/launch/launch_format.h"
#include "testbench/run/energy_setup.h"
#include "testbench/run/new_file.h"
#include "testbench/run/plugins.h"
#include "testbench/run/scenario.h"

namespace heddle::experiment {
namespace {

int index_of(const std::vector<std::string>& names, const std::string& name) {
  return static_cast<int>(std::find(names.begin(), names.end(), name) - names.begin());
}

std::vector<std::string> names_of(const auto& items) {
  std::vector<std::string> names;
  for (const auto& item : items) names.push_back(item.name);
  return names;
}

}  // namespace

Plan::Plan(const ExperimentFile& file) : file_(file), program_(run::hash_of_file("/proc/self/exe")) {
  for (const run::Plugin& plugin : run::loaded_plugins()) program_ += plugin.hash;
  const int kernels = static_cast<int>(file.kernels.size());
  for (int variant = 0; variant < static_cast<int>(file.variants.size()); ++variant)
    for (int kernel = 0; kernel < kernels; ++kernel) add({variant, -1, -1, kernel});
  const std::vector<std::string> kernel_names = names_of(file.kernels),
                                 variant_names = names_of(file.variants);
  for (int s = 0; s < static_cast<int>(file.sweeps.size()); ++s) {
    const Sweep& sweep = file.sweeps[static_cast<std::size_t>(s)];
    for (int value = 0; value < static_cast<int>(sweep.values.size()); ++value)
      for (const std::string& variant : sweep.variants)
        for (const std::string& kernel : sweep.kernels)
          add({index_of(variant_names, variant), s, value, index_of(kernel_names, kernel)});
  }
}

void Plan::add(const Place& place) {
  const Kernel& kernel = file_.kernels[static_cast<std::size_t>(place.kernel)];
  run::RunParameters parameters = parameters_of(place);
  Place shared = place;
  if (kernel.sets.empty()) shared.kernel = -1;
  parameters.launch = kernel.launch;
  const std::vector<run::InputFile>& inputs = inputs_of(parameters);
  std::string text = configured_.at(shared).text;
  for (const run::InputFile& input : inputs) text += input.hash;
  const std::string hash = run::hash_of_text(text + program_);
  const auto [known, is_new] = by_hash_.try_emplace(hash, points_.size());
  places_[place] = known->second;
  if (!is_new) return;
  points_.push_back({hash, label(place), std::move(parameters), inputs});
}

const run::RunParameters& Plan::parameters_of(const Place& place) {
  const Kernel& kernel = file_.kernels[static_cast<std::size_t>(place.kernel)];
  const Variant& variant = file_.variants[static_cast<std::size_t>(place.variant)];
  Place key = place;
  if (kernel.sets.empty()) key.kernel = -1;
  const auto known = configured_.find(key);
  if (known != configured_.end()) return known->second.parameters;
  run::ScenarioRequest request;
  std::string where = variant.where;
  const auto take = [&request, this](const Assignments& sets) {
    for (const Assignment& set : sets) {
      std::string value = to_json(set.value);
      value.pop_back();  // the newline at its end
      request.sets.push_back(fmt::format("{}={}", file_.full_path(set.path), value));
    }
  };
  for (const ConfigNode& name : variant.with) request.with.push_back(name.text);
  take(file_.size_sets);
  take(kernel.sets);
  take(variant.sets);
  if (place.sweep >= 0) {
    const Sweep& sweep = file_.sweeps[static_cast<std::size_t>(place.sweep)];
    const SweepValue& value = sweep.values[static_cast<std::size_t>(place.value)];
    take(value.sets_of(variant.name));
    where = value.where;
  }
  Configured made;
  try {
    made.parameters = run::read_scenario_tree(file_.base, request);
  } catch (const Error& e) {
    throw Error(where, fmt::format("variant \"{}\": {}", variant.name, e.what()));
  }
  made.parameters.description.clear();
  made.parameters.launch.clear();
  std::vector<ConfigNode> analyses = std::move(made.parameters.output.analyses);
  made.parameters.output = {};
  made.parameters.output.analyses = std::move(analyses);
  made.text = to_json(run::dump_scenario(made.parameters));
  return configured_.emplace(key, std::move(made)).first->second.parameters;
}

const std::vector<run::InputFile>& Plan::inputs_of(const run::RunParameters& parameters) {
  const auto [it, is_new] = inputs_.try_emplace(
      {fmt::format("{} {}", parameters.launch, parameters.address_size), parameters.power.technologies});
  if (is_new) it->second = run::hash_inputs(run::launch_of(parameters), run::read_technologies(parameters));
  return it->second;
}

std::vector<std::string> Plan::input_paths() const {
  std::set<std::string> paths = {file_.path};
  for (const Point& point : points_) {
    paths.insert(point.parameters.read_from.begin(), point.parameters.read_from.end());
    for (const run::InputFile& input : point.inputs) paths.insert(input.path);
  }
  return {paths.begin(), paths.end()};
}

int Plan::find(const Place& place) const {
  const auto it = places_.find(place);
  return it == places_.end() ? -1 : static_cast<int>(it->second);
}

std::string Plan::label(const Place& place) const {
  std::string text = fmt::format("{}, {}", file_.kernels[static_cast<std::size_t>(place.kernel)].name,
                                 file_.variants[static_cast<std::size_t>(place.variant)].name);
  if (place.sweep < 0) return text;
  const Sweep& sweep = file_.sweeps[static_cast<std::size_t>(place.sweep)];
  return text + fmt::format(", {} {}", sweep.name, sweep.values[static_cast<std::size_t>(place.value)].label);
}

std::set<std::size_t> Plan::needed_by(const Figure& figure) const {
  const std::vector<std::string> kernels = names_of(file_.kernels), variants = names_of(file_.variants);
  const int sweep = figure.sweep.empty() ? -1 : index_of(names_of(file_.sweeps), figure.sweep);
  const auto wanted = [](const std::vector<std::string>& list, const std::string& name) {
    return std::find(list.begin(), list.end(), name) != list.end();
  };
  std::set<std::size_t> needed;
  for (const auto& [place, point] : places_) {
    const std::string& variant = variants[static_cast<std::size_t>(place.variant)];
    const bool base = variant == figure.relative_to && (place.sweep < 0 || place.sweep == sweep);
    const bool shown = place.sweep == sweep && wanted(figure.variants, variant);
    if ((base || shown) && wanted(figure.kernels, kernels[static_cast<std::size_t>(place.kernel)]))
      needed.insert(point);
  }
  return needed;
}

}  // namespace heddle::experiment
