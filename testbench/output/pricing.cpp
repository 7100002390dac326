#include "testbench/output/pricing.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>

#include "models/core/error.h"
#include "models/core/read_file.h"
#include "models/ptx/kernel_name.h"
#include "power/account_sums.h"
#include "testbench/launch/new_file.h"
#include "testbench/output/csv_text.h"
#include "testbench/output/energy_output.h"
#include "testbench/output/result_file.h"
#include "testbench/output/run_totals.h"
#include "testbench/run/energy_setup.h"
#include "testbench/run/inputs.h"
#include "testbench/run/scenario.h"

namespace heddle::output {
namespace {

const ConfigNode& member(const ConfigNode& object, const char* key) {
  if (const ConfigNode* found = object.find(key)) return *found;
  throw Error(object.where(), fmt::format("no \"{}\"", key), "a result.json of heddle run");
}

Cycle cycles_of(const ConfigNode& part) { return static_cast<Cycle>(member(part, "cycles").integer); }

// Returns the fields of the row that begins at `at`, and moves `at` to the row's end. Quoted fields may
// contain commas and line ends.
std::vector<std::string> csv_row(std::string_view text, std::size_t& at) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (quoted && c == '"' && at + 1 < text.size() && text[at + 1] == '"')
      fields.back() += text[++at];
    else if (c == '"')
      quoted = !quoted;
    else if (!quoted && c == ',')
      fields.emplace_back();
    else if (!quoted && c == '\n')
      break;
    else
      fields.back() += c;
  }
  ++at;
  return fields;
}

std::uint64_t count_of(const std::string& field, const std::string& where) {
  std::uint64_t value = 0;
  const char* const end = field.data() + field.size();
  if (std::from_chars(field.data(), end, value).ptr != end || field.empty())
    throw Error(where, fmt::format("\"{}\" is no count", printable(field)), "the stats.csv of the same run");
  return value;
}

// Reads stats.csv. For each launch, returns how much each counter grew, in the order of the counters.
std::vector<std::vector<std::uint64_t>> launch_counters(const StoredRun& stored, const StoredCounters& total,
                                                        std::size_t launches) {
  const std::string where = (std::filesystem::path(stored.file).parent_path() / "stats.csv").string();
  if (stored.stats_csv.empty())
    throw Error(
        where,
        fmt::format("{} launches were timed, and their counters are in this file, which is missing or empty",
                    launches),
        "the stats.csv of the same run in the folder of its result.json");
  // Number of columns before the columns of launches: owner, name, unit, description, total.
  constexpr std::size_t kFirst = 5;
  std::map<std::string, std::vector<std::uint64_t>> rows;
  std::size_t at = 0;
  csv_row(stored.stats_csv, at);
  while (at < stored.stats_csv.size()) {
    const std::vector<std::string> row = csv_row(stored.stats_csv, at);
    if (row.size() != kFirst + launches)
      throw Error(where, fmt::format("a row of {} launches", row.size() - std::min(row.size(), kFirst)),
                  fmt::format("{}, as in {}", launches, stored.file));
    std::vector<std::uint64_t>& values = rows[row[0].empty() ? row[1] : row[0] + "." + row[1]];
    for (std::size_t i = kFirst - 1; i < row.size(); ++i) values.push_back(count_of(row[i], where));
  }
  std::vector<std::vector<std::uint64_t>> all(launches);
  const auto& infos = total.registry().counters();
  for (std::size_t i = 0; i < infos.size(); ++i) {
    const auto row = rows.find(infos[i].full_name());
    if (row == rows.end() || row->second[0] != total.values()[i])
      throw Error(where, fmt::format("{} is not what {} says", infos[i].full_name(), stored.file),
                  "the stats.csv of the same run");
    for (std::size_t l = 0; l < launches; ++l) all[l].push_back(row->second[l + 1]);
  }
  return all;
}

void add_areas(ConfigNode& part, const std::vector<power::Area>& areas) {
  if (areas.empty()) return;
  ConfigNode node = ConfigNode::make_object();
  double total = 0;
  for (const power::Area& area : areas) {
    node.members.emplace_back(area.structure + "_mm2", ConfigNode::make_number(area.mm2));
    total += area.mm2;
  }
  node.members.emplace_back("total_mm2", ConfigNode::make_number(total));
  part.members.emplace_back("area", std::move(node));
}

bool is_timed(const ConfigNode& launch) { return member(launch, "timed").boolean; }

class StoredPricing {
 public:
  StoredPricing(const StoredRun& stored, const run::RunParameters& parameters, const std::string& folder)
      : stored_(stored),
        parameters_(parameters),
        folder_(folder),
        counters_(member(member(stored.result, "total"), "counters")),
        account_(
            run::make_energy_account(run::read_technologies(parameters), parameters, counters_.registry())) {}

  PricedRun run() {
    if (member(stored_.result, "total").find("estimate"))
      throw Error(stored_.file,
                  "the run estimates, and the intervals of its energies need what it counted at each place",
                  "the same run with other technologies: heddle run --estimate");
    ConfigNode& root = priced_.result = ConfigNode::make_object();
    const auto keep = [&](const char* key) {
      if (const ConfigNode* found = stored_.result.find(key)) root.members.emplace_back(key, *found);
    };
    keep("format");
    keep("heddle");
    root.members.emplace_back("configuration", configuration_node(parameters_, folder_));
    keep("techniques");
    root.members.emplace_back("inputs", inputs());
    if (account_) {
      root.members.emplace_back("technologies", technologies_node(*account_, folder_));
      root.members.emplace_back("scope", ConfigNode::make_texts(account_->scope()));
      root.members.emplace_back("not_priced", not_priced_node(account_->not_priced()));
      priced_.energy_csv = energy_csv_heading();
    }
    const ConfigNode& total = member(stored_.result, "total");
    const power::EnergyReport report = report_of(counters_.values(), cycles_of(total));
    if (account_) priced_.energy_csv += energy_csv_rows("total", report);
    root.members.emplace_back("launches", launches());
    root.members.emplace_back("total", with_energy(total, report, account_ != nullptr));
    for (const char* key : {"check", "interrupted"}) keep(key);
    root.members.emplace_back("warnings", warnings());
    priced_.summary = energy_summary(report);
    return std::move(priced_);
  }

 private:
  power::EnergyReport report_of(const std::vector<std::uint64_t>& values, Cycle cycles) const {
    return account_ ? account_->report(values, cycles) : power::EnergyReport{};
  }

  // Returns the list of input files. Launch file, PTX and data keep their hashes in the stored result; the
  // hashes of technology files are computed now.
  ConfigNode inputs() const {
    const std::filesystem::path beside = std::filesystem::path(stored_.file).parent_path();
    const auto place = [&](const std::string& file) { return (beside / file).lexically_normal().string(); };
    std::vector<std::string> priced_by;
    for (const power::Technology& technology : stored_technologies())
      for (const std::string& file : technology.files)
        priced_by.push_back(std::filesystem::path(relative_to(file, beside.string())).generic_string());
    ConfigNode items = ConfigNode::make_list();
    const auto add = [&](const std::string& path, const std::string& hash) {
      ConfigNode item = ConfigNode::make_object();
      item.members.emplace_back("file", ConfigNode::make_string(relative_to(path, folder_)));
      item.members.emplace_back("fnv1a64", ConfigNode::make_string(hash));
      items.items.push_back(std::move(item));
    };
    for (const ConfigNode& input : member(stored_.result, "inputs").items) {
      const std::string& file = member(input, "file").text;
      const std::string present = relative_to(run::present_technology(place(file)), beside.string());
      if (std::find(priced_by.begin(), priced_by.end(), present) == priced_by.end())
        add(place(file), member(input, "fnv1a64").text);
    }
    for (const power::Technology& technology : run::read_technologies(parameters_))
      for (const std::string& file : technology.files) add(file, launch::hash_of_file(file));
    return items;
  }

  run::RunParameters stored_parameters() const {
    return run::read_scenario_tree(member(stored_.result, "configuration"), {});
  }
  std::vector<power::Technology> stored_technologies() const {
    return run::read_technologies(stored_parameters());
  }

  ConfigNode launches() {
    const ConfigNode& stored = member(stored_.result, "launches");
    std::size_t timed = 0, brief = 0;
    for (const ConfigNode& launch : stored.items)
      if (is_timed(launch)) ++(launch.find("counters") ? timed : brief);
    std::vector<std::vector<std::uint64_t>> counters;
    if (timed && account_) {
      if (timed == 1 && brief == 0)
        counters = {counters_.values()};
      else
        counters = launch_counters(stored_, counters_, timed);
    }
    ConfigNode items = ConfigNode::make_list();
    std::size_t next = 0;
    for (const ConfigNode& launch : stored.items) {
      if (!is_timed(launch) || !launch.find("counters") || !account_) {
        items.items.push_back(without_energy(launch));
        continue;
      }
      const power::EnergyReport report = report_of(counters[next++], cycles_of(launch));
      priced_.energy_csv +=
          energy_csv_rows(csv_field(fmt::format("{}:{}", member(launch, "index").integer,
                                                ptx::plain_name(member(launch, "kernel").text))),
                          report);
      items.items.push_back(with_energy(launch, report, true));
    }
    if (brief && account_)
      priced_.notes.push_back(
          fmt::format("of {} launches the result holds no counters (output.launches_in_full): they have no "
                      "energies, the total has",
                      brief));
    return items;
  }

  // Returns the stored warnings of the run. The warnings at the beginning of this list are about the stored
  // energy account. They are replaced by the warnings about the new account.
  ConfigNode warnings() const {
    const auto old =
        run::make_energy_account(stored_technologies(), stored_parameters(), counters_.registry());
    ConfigNode items = ConfigNode::make_list();
    if (account_)
      for (const std::string& warning : account_->warnings())
        items.items.push_back(ConfigNode::make_string(warning));
    const std::vector<ConfigNode>& stored = member(stored_.result, "warnings").items;
    for (std::size_t i = old ? std::min(old->warnings().size(), stored.size()) : 0; i < stored.size(); ++i)
      items.items.push_back(stored[i]);
    return items;
  }

  const StoredRun& stored_;
  const run::RunParameters& parameters_;
  const std::string& folder_;
  StoredCounters counters_;
  std::unique_ptr<power::EnergyAccount> account_;
  PricedRun priced_;
};

}  // namespace

StoredCounters::StoredCounters(const ConfigNode& counters) {
  for (const auto& [name, node] : counters.members) {
    const std::size_t dot = name.rfind('.');
    if (dot == std::string::npos || !node.is_number() || !node.is_integer)
      throw Error(node.where(), "not a counter", "{\"unit.name\": 12}");
    registry_.add(name.substr(0, dot), name.substr(dot + 1), "", "");
    values_.push_back(static_cast<std::uint64_t>(node.integer));
  }
}

StoredTotal::StoredTotal(const ConfigNode& total, const StoredCounters& names) {
  const auto counts = [&](const ConfigNode& part, Cycle cycles) {
    const auto& infos = names.registry().counters();
    const auto& counters = member(part, "counters").members;
    const auto same = [](const CounterInfo& info, const auto& counter) {
      return info.full_name() == counter.first;
    };
    if (!std::equal(infos.begin(), infos.end(), counters.begin(), counters.end(), same))
      throw Error(part.where(), "the counters are not those of its configuration");
    StoredCounts kept{{}, cycles};
    kept.values.reserve(counters.size());
    for (const auto& [name, node] : counters) kept.values.push_back(static_cast<std::uint64_t>(node.integer));
    return kept;
  };
  timed = counts(total, cycles_of(total));
  if (const ConfigNode* estimate = total.find("estimate"))
    estimated = counts(*estimate, static_cast<Cycle>(member(member(*estimate, "cycles"), "value").integer));
}

Pricing::Pricing(const std::vector<power::Technology>& technologies, const ConfigNode& configuration,
                 std::shared_ptr<const StoredCounters> names)
    : names_(std::move(names)) {
  if (technologies.empty()) return;
  account_ = std::make_unique<power::EnergyAccount>(technologies, configuration, names_->registry());
  areas_ = power::areas_of(account_->technologies(), configuration);
}

ConfigNode Pricing::energies(const StoredTotal& total) const {
  ConfigNode energies = ConfigNode::make_object();
  if (!account_) return energies;
  account_->check_cycles(total.timed.values, total.timed.cycles);
  const StoredCounts& whole = total.whole();
  const power::EnergyReport report = account_->report(whole.values, whole.cycles);
  power::check_sums(report);
  ConfigNode metrics = ConfigNode::make_object();
  for (const Metric& metric : energy_metrics(report))
    metrics.members.emplace_back(metric.name, ConfigNode::make_number(metric.value));
  energies.members.emplace_back("metrics", std::move(metrics));
  energies.members.emplace_back("energy", energy_node(report));
  add_areas(energies, areas_);
  return energies;
}

ConfigNode without_energy(const ConfigNode& part) {
  ConfigNode bare = part;
  std::erase_if(bare.members, [](const auto& one) {
    return one.first == "energy" || one.first == "energy_nj" || one.first == "dynamic_nj";
  });
  if (ConfigNode* metrics = bare.find("metrics"))
    std::erase_if(metrics->members, [](const auto& one) { return is_energy_metric(one.first); });
  return bare;
}

ConfigNode with_energy(const ConfigNode& part, const power::EnergyReport& report, bool account) {
  ConfigNode priced = without_energy(part);
  if (!account) return priced;
  const auto metrics = std::find_if(priced.members.begin(), priced.members.end(),
                                    [](const auto& one) { return one.first == "metrics"; });
  if (metrics == priced.members.end()) throw Error(part.where(), "no \"metrics\"");
  for (const Metric& metric : energy_metrics(report))
    metrics->second.members.emplace_back(metric.name, ConfigNode::make_number(metric.value));
  priced.members.emplace(metrics + 1, "energy", energy_node(report));
  return priced;
}

PricedRun price(const StoredRun& stored, const run::RunParameters& parameters, const std::string& folder) {
  return StoredPricing(stored, parameters, folder).run();
}

}  // namespace heddle::output
