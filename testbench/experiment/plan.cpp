#include "testbench/experiment/plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "models/core/error.h"
#include "testbench/launch/launch_format.h"
#include "testbench/launch/new_file.h"
#include "testbench/launch/npy.h"
#include "testbench/run/energy_setup.h"
#include "testbench/run/plugins.h"

namespace heddle::experiment {
namespace {

class Positions {
 public:
  explicit Positions(const auto& items) {
    for (const auto& item : items) positions_.emplace(item.name, static_cast<int>(positions_.size()));
  }
  int of(const std::string& name) const { return name.empty() ? -1 : positions_.at(name); }
  std::vector<int> of(const std::vector<std::string>& names) const {
    std::vector<int> all;
    for (const std::string& name : names) all.push_back(of(name));
    return all;
  }
  std::vector<bool> marks(const std::vector<std::string>& names) const {
    std::vector<bool> marked(positions_.size(), false);
    for (const int position : of(names)) marked[static_cast<std::size_t>(position)] = true;
    return marked;
  }

 private:
  std::unordered_map<std::string, int> positions_;
};

bool lies_in(const std::string& path, const std::string& outer) {
  return path.starts_with(outer) &&
         (path.size() == outer.size() || path[outer.size()] == '.' || path[outer.size()] == '[');
}

std::string hex(std::uint64_t hash) { return fmt::format("{:016x}", hash); }

// Hashes this program's file, eight bytes at a time to save time, because the file has many megabytes.
std::string hash_of_program() {
  const std::string bytes = launch::read_binary("/proc/self/exe");
  std::uint64_t hash = bytes.size(), word = 0;
  const auto add = [&] {
    hash = (hash ^ word) * 0x100000001b3;
    hash ^= hash >> 32;
  };
  std::size_t i = 0;
  for (; i + sizeof word <= bytes.size(); i += sizeof word) {
    std::memcpy(&word, bytes.data() + i, sizeof word);
    add();
  }
  word = 0;
  std::memcpy(&word, bytes.data() + i, bytes.size() - i);
  add();
  return hex(hash);
}

}  // namespace

Plan::Plan(const ExperimentFile& file, const std::vector<const Figure*>& figures, Share share)
    : file_(file),
      configurations_(file.base, file.additions.flags),
      refusals_(1),
      program_(hash_of_program()) {
  for (const run::Plugin& plugin : run::loaded_plugins()) program_ += plugin.hash;
  std::vector<Place> wanted = all_places();
  const std::size_t all = wanted.size();
  keep_wanted(wanted, figures);
  whole_ = share.number == 0 && wanted.size() == all;
  const auto step = static_cast<std::size_t>(share.number == 0 ? 1 : share.of);
  Configured shared;
  const Place* of = nullptr;
  for (std::size_t i = share.number == 0 ? 0 : static_cast<std::size_t>(share.number - 1); i < wanted.size();
       i += step) {
    const Place& place = wanted[i];
    if (!kernel_of(place).sets.empty()) {
      add(place, configure(place));
      continue;
    }
    const bool same =
        of && of->variant == place.variant && of->sweep == place.sweep && of->value == place.value;
    if (!same) shared = configure(place);
    of = &place;
    add(place, shared);
  }
}

std::vector<Place> Plan::all_places() const {
  std::vector<Place> places;
  const int kernels = static_cast<int>(file_.kernels.size());
  for (int variant = 0; variant < static_cast<int>(file_.variants.size()); ++variant)
    for (int kernel = 0; kernel < kernels; ++kernel) places.push_back({variant, -1, -1, kernel});
  const Positions variants(file_.variants), kernels_by_name(file_.kernels);
  for (int s = 0; s < static_cast<int>(file_.sweeps.size()); ++s) {
    const Sweep& sweep = file_.sweeps[static_cast<std::size_t>(s)];
    const std::vector<int> swept = variants.of(sweep.variants), on = kernels_by_name.of(sweep.kernels);
    for (int value = 0; value < static_cast<int>(sweep.values.size()); ++value)
      for (const int variant : swept)
        for (const int kernel : on) places.push_back({variant, s, value, kernel});
  }
  return places;
}

void Plan::keep_wanted(std::vector<Place>& places, const std::vector<const Figure*>& figures) const {
  struct Wanted {
    std::vector<bool> variants, kernels;
    int sweep, base;
    const std::string* base_value;
  };
  std::vector<Wanted> all;
  const Positions variants(file_.variants), kernels(file_.kernels), sweeps(file_.sweeps);
  for (const Figure* figure : figures)
    all.push_back({variants.marks(figure->variants), kernels.marks(figure->kernels), sweeps.of(figure->sweep),
                   variants.of(figure->relative_to), &figure->relative_value});
  std::erase_if(places, [&](const Place& place) {
    // sweep value of this combination, if its run is needed only as the base of other runs; otherwise nullptr
    const SweepValue* base_only = nullptr;
    if (place.sweep >= 0)
      base_only =
          &file_.sweeps[static_cast<std::size_t>(place.sweep)].values[static_cast<std::size_t>(place.value)];
    if (base_only && !base_only->base_only) base_only = nullptr;
    return std::none_of(all.begin(), all.end(), [&](const Wanted& wanted) {
      const bool base = place.variant == wanted.base && (place.sweep < 0 || place.sweep == wanted.sweep) &&
                        (!base_only || base_only->label == *wanted.base_value);
      const bool shown = !base_only && place.sweep == wanted.sweep &&
                         wanted.variants[static_cast<std::size_t>(place.variant)];
      return (base || shown) && wanted.kernels[static_cast<std::size_t>(place.kernel)];
    });
  });
}

const Kernel& Plan::kernel_of(const Place& place) const {
  return file_.kernels[static_cast<std::size_t>(place.kernel)];
}
const Variant& Plan::variant_of(const Place& place) const {
  return file_.variants[static_cast<std::size_t>(place.variant)];
}

// Throws Error if `path`, which a variant, kernel or sweep sets, is also set on the command line. The command
// line's value is applied last, so it would override the setting.
void Plan::check_kept(const std::string& path, const std::string& where) const {
  const auto refuse = [&](const std::string& option) {
    throw Error(option, fmt::format("the experiment itself sets {} ({})", path, where),
                "parameters that no variant, kernel or sweep of the figures sets");
  };
  for (const std::string& set : file_.additions.sets)
    if (lies_in(path, file_.full_path(set.substr(0, set.find('='))))) refuse("--set " + set);
  for (const auto& [changed, value] : file_.additions.flags)
    if (lies_in(path, changed) || lies_in(changed, path)) refuse(value.file);
}

std::vector<std::string> Plan::sets_of(const Place& place) const {
  std::vector<std::string> all;
  const auto add = [&all](const std::string& path, const Assignment& set) {
    std::string value = to_json(set.value);
    value.pop_back();
    all.push_back(fmt::format("{}={}", path, value));
  };
  const auto take = [&](const Assignments& sets, const std::string& where) {
    for (const Assignment& set : sets) {
      const std::string path = file_.full_path(set.path);
      check_kept(path, where);
      add(path, set);
    }
  };
  const run::Flags& flags = file_.additions.flags;
  for (const Assignment& set : file_.size_sets) {
    const std::string path = file_.full_path(set.path);
    if (std::none_of(flags.begin(), flags.end(), [&](const auto& flag) { return lies_in(path, flag.first); }))
      add(path, set);
  }
  take(kernel_of(place).sets, file_.path);
  take(variant_of(place).sets, variant_of(place).where);
  if (place.sweep >= 0) {
    const Sweep& sweep = file_.sweeps[static_cast<std::size_t>(place.sweep)];
    const SweepValue& value = sweep.values[static_cast<std::size_t>(place.value)];
    take(value.sets_of(variant_of(place).name), value.where);
  }
  for (const std::string& set : file_.additions.sets) {
    const std::size_t end = std::min(set.find('='), set.size());
    all.push_back(file_.full_path(set.substr(0, end)) + set.substr(end));
  }
  return all;
}

Configured Plan::configure(const Place& place) {
  const Variant& variant = variant_of(place);
  const std::vector<std::string> sets = sets_of(place);
  try {
    return configurations_.look_at(variant.with, sets);
  } catch (const Error& e) {
    std::string where = variant.where;
    if (place.sweep >= 0)
      where = file_.sweeps[static_cast<std::size_t>(place.sweep)]
                  .values[static_cast<std::size_t>(place.value)]
                  .where;
    throw Error(where, fmt::format("variant \"{}\": {}", variant.name, e.what()));
  }
}

void Plan::add(const Place& place, const Configured& configured) {
  Point point;
  point.first_place = places_.size();
  if (!configured.refusal.empty()) {
    if (refusals_.back() != configured.refusal) refusals_.push_back(configured.refusal);
    point.refusal = static_cast<int>(refusals_.size()) - 1;
    places_.push_back({place, points_.size(), 0});
    points_.push_back(point);
    return;
  }
  point.configuration = configured.hash;
  point.launch = launch_files(kernel_of(place).launch, configured.address_size);
  const std::string text =
      hex(point.configuration) + files_[static_cast<std::size_t>(point.launch)].hashes + program_;
  point.name = launch::fnv1a64(text);
  const auto [known, is_new] = by_name_.try_emplace(point.name, points_.size());
  const std::size_t price = price_of(configured.power);
  places_.push_back({place, known->second, price});
  if (is_new) points_.push_back(point);
  std::vector<std::size_t>& prices = points_[known->second].prices;
  const auto at = std::lower_bound(prices.begin(), prices.end(), price);
  if (at == prices.end() || *at != price) prices.insert(at, price);
}

int Plan::launch_files(const std::string& launch, const std::string& address_size) {
  const auto [known, is_new] = launches_.try_emplace({launch, address_size}, static_cast<int>(files_.size()));
  if (!is_new) return known->second;
  run::RunParameters parameters;
  parameters.launch = launch;
  parameters.address_size = address_size;
  Files files;
  files.inputs = run::hash_inputs(run::launch_of(parameters), {});
  for (const run::InputFile& input : files.inputs) files.hashes += input.hash;
  files_.push_back(std::move(files));
  return known->second;
}

std::size_t Plan::price_of(const run::PowerParameters& power) {
  std::vector<std::string> key = power.technologies;
  key.emplace_back();
  key.insert(key.end(), power.stand_back.begin(), power.stand_back.end());
  key.emplace_back();
  key.insert(key.end(), power.corners.begin(), power.corners.end());
  const auto [known, is_new] = price_positions_.try_emplace(key, prices_.size());
  if (!is_new) return known->second;
  run::RunParameters parameters;
  parameters.power = power;
  Price price{fmt::format("{}", fmt::join(key, "\n")), power, {}};
  const auto read = [this](const std::string& file) {
    const auto at = technologies_.find(file);
    if (at != technologies_.end()) return at->second;
    return technologies_.emplace(file, power::read_technology(file, run::find_technology)).first->second;
  };
  for (const power::Technology& technology : run::read_technologies(parameters, read))
    for (const std::string& file : technology.files) {
      auto hash = technology_hashes_.find(file);
      if (hash == technology_hashes_.end())
        hash = technology_hashes_.emplace(file, launch::hash_of_file(file)).first;
      price.inputs.push_back({file, hash->second});
    }
  prices_.push_back(std::move(price));
  return known->second;
}

const std::vector<std::size_t>& Plan::prices_of(std::size_t point) const { return points_[point].prices; }

int Plan::share_of(std::size_t point, int shares) const {
  return static_cast<int>(points_[point].first_place % static_cast<std::size_t>(shares)) + 1;
}

const Plan::Planned* Plan::find(const Place& place) const {
  const auto at = std::lower_bound(places_.begin(), places_.end(), place,
                                   [](const Planned& one, const Place& other) { return one.place < other; });
  return at == places_.end() || place < at->place ? nullptr : &*at;
}

std::string Plan::label(const Place& place) const {
  std::string text = fmt::format("{}, {}", kernel_of(place).name, variant_of(place).name);
  if (place.sweep < 0) return text;
  const Sweep& sweep = file_.sweeps[static_cast<std::size_t>(place.sweep)];
  return text + fmt::format(", {} {}", sweep.name, sweep.values[static_cast<std::size_t>(place.value)].label);
}

std::string Plan::label(std::size_t point) const { return label(places_[points_[point].first_place].place); }

std::string Plan::name(std::size_t point) const { return hex(points_[point].name); }

const std::string& Plan::refusal(std::size_t point) const {
  return refusals_[static_cast<std::size_t>(points_[point].refusal)];
}

PointIdentity Plan::identity(std::size_t point) const {
  std::string hashes;
  for (const run::InputFile& input : inputs(point)) hashes += input.hash;
  return {label(point), name(point), hex(points_[point].configuration), launch::hash_of_text(hashes),
          launch::hash_of_text(program_)};
}

run::RunParameters Plan::parameters(std::size_t point) const {
  const Place& place = places_[points_[point].first_place].place;
  run::RunParameters parameters = configurations_.read(variant_of(place).with, sets_of(place));
  if (Configurations::hash_of(parameters) != points_[point].configuration)
    throw Error(label(point), "a file of its configuration has changed since the experiment began");
  parameters.launch = kernel_of(place).launch;
  return parameters;
}

run::RunParameters Plan::parameters(std::size_t point, std::size_t price) const {
  for (const run::InputFile& input : prices_[price].inputs)
    if (run::has_changed(input)) throw Error(input.path, "this file has changed since the experiment began");
  run::RunParameters all = parameters(point);
  all.power = prices_[price].power;
  return all;
}

const std::vector<run::InputFile>& Plan::inputs(std::size_t point) const {
  return files_[static_cast<std::size_t>(points_[point].launch)].inputs;
}

std::vector<std::string> Plan::input_paths() const {
  std::set<std::string> paths = configurations_.files();
  paths.insert(file_.path);
  paths.insert(file_.files.begin(), file_.files.end());
  for (const Files& files : files_)
    for (const run::InputFile& input : files.inputs) paths.insert(input.path);
  for (const Price& price : prices_)
    for (const run::InputFile& input : price.inputs) paths.insert(input.path);
  return {paths.begin(), paths.end()};
}

}  // namespace heddle::experiment
