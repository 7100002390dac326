#include "power/energy_account.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "models/core/error.h"

namespace heddle::power {
namespace {

// 1 mW for one cycle of 1 GHz is 1 pJ.
constexpr double kPicojoulesOfMilliwattAtOneMegahertz = 1000;

bool any_counter(const StatsRegistry& registry, const std::vector<std::string>& patterns) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const std::string& pattern) { return !find_counters(registry, pattern).empty(); });
}

// Times the events of any run this is still a number.
constexpr double kLargestCoefficient = 1e100;

double counted(const std::vector<std::uint64_t>& values, std::size_t counter, Cycle cycles) {
  return static_cast<double>(counter == kCycles ? cycles : values[counter]);
}

}  // namespace

EnergyAccount::EnergyAccount(std::vector<Technology> technologies, const ConfigNode& configuration,
                             const StatsRegistry& registry)
    : technologies_(std::move(technologies)), configuration_(configuration), registry_(&registry) {
  const ConfigNode* clock = find_parameter(configuration_, "gpu.core_clock_mhz");
  if (!clock || !clock->is_number()) throw Error("gpu.core_clock_mhz", "the run has no clock");
  clock_mhz_ = clock->number;
  for (const Technology& technology : technologies_) {
    coefficients_.try_emplace(&technology, technology.definitions, configuration_);
    for (const Entry& entry : technology.entries) bind(entry, technology);
    for (const CycleCheck& check : technology.cycle_checks) bind_check(check, technology);
  }
  mixed_nodes_ = find_mixed_nodes();
}

void EnergyAccount::bind(const Entry& entry, const Technology& technology) {
  if (any_counter(*registry_, entry.unless)) return;
  if (entry.optional && !any_counter(*registry_, entry.spent.counters)) return;
  const std::size_t s = structure_of(entry.structure);
  const std::size_t left_out = left_out_.size();
  BoundEntry bound{
      &entry, &technology, s, bind_term(entry, entry.spent, technology, structures_[s], false), {}};
  if (bound.spent.places.empty() && left_out_.size() > left_out) return;
  if (entry.baseline == Entry::Baseline::same) bound.baseline = bound.spent;
  if (entry.baseline == Entry::Baseline::own)
    bound.baseline = bind_term(entry, entry.baseline_term, technology, structures_[s], true);
  entries_.push_back(std::move(bound));
}

// Events belong to a group of structures, cycles to one structure: many structures leak in the same cycles.
bool EnergyAccount::is_priced(const Entry& entry, const CounterMatch& match, const Technology& technology,
                              bool baseline) {
  const std::string group = entry.structure.substr(0, entry.structure.find('.'));
  const std::string what =
      match.counter == kCycles
          ? fmt::format("{} {}.cycles", entry.structure, match.owner)
          : fmt::format("{} {}", group, registry_->counters()[match.counter].full_name());
  const auto [owner, fresh] =
      priced_.try_emplace(fmt::format("{} {} {}", baseline, name_of(entry.kind), what), &technology);
  if (fresh || owner->second == &technology) return false;
  const auto known = [&](const LeftOut& other) {
    return other.technology == technology.name && other.entry == entry.name;
  };
  if (std::none_of(left_out_.begin(), left_out_.end(), known))
    left_out_.push_back({technology.name, entry.name, owner->second->name});
  return true;
}

EnergyAccount::BoundTerm EnergyAccount::bind_term(const Entry& entry, const Term& term,
                                                  const Technology& technology, Structure& structure,
                                                  bool baseline) {
  BoundTerm bound;
  for (const std::string& pattern : term.counters) {
    const std::vector<CounterMatch> found = find_counters(*registry_, pattern);
    if (found.empty() && !entry.optional)
      throw Error(entry.where, fmt::format("entry \"{}\": no counter matches \"{}\"", entry.name, pattern),
                  "paths of stats.csv, with * for parts that differ, or \"optional\": true");
    for (const CounterMatch& match : found) {
      if (is_priced(entry, match, technology, baseline)) continue;
      const auto unit = std::find(structure.units.begin(), structure.units.end(), match.unit);
      bound.places.push_back({match.counter, static_cast<std::size_t>(unit - structure.units.begin())});
      if (unit == structure.units.end()) structure.units.push_back(match.unit);
    }
  }
  std::stable_sort(bound.places.begin(), bound.places.end(),
                   [](const Place& a, const Place& b) { return a.unit < b.unit; });
  bound.pj_each = coefficients_.at(&technology).value(term.coefficient);
  if (!(bound.pj_each >= 0 && bound.pj_each <= kLargestCoefficient))
    throw Error(entry.where, fmt::format("entry \"{}\": the coefficient is {}", entry.name, bound.pj_each),
                fmt::format("numbers from 0 to {}", kLargestCoefficient));
  if (entry.milliwatts) bound.pj_each *= kPicojoulesOfMilliwattAtOneMegahertz / clock_mhz_;
  return bound;
}

std::vector<std::pair<std::string, double>> EnergyAccount::find_mixed_nodes() const {
  std::vector<std::pair<std::string, double>> nodes;
  for (const Technology& technology : technologies_)
    if (std::any_of(entries_.begin(), entries_.end(),
                    [&](const BoundEntry& bound) { return bound.technology == &technology; }))
      nodes.emplace_back(technology.name, technology.node_nm);
  const auto same = [&](const auto& other) { return other.second == nodes.front().second; };
  return std::all_of(nodes.begin(), nodes.end(), same) ? decltype(nodes){} : nodes;
}

void EnergyAccount::bind_check(const CycleCheck& check, const Technology& technology) {
  std::map<std::string, UnitCheck> by_owner;
  for (const std::string& pattern : check.counters)
    for (const CounterMatch& match : find_counters(*registry_, pattern)) {
      UnitCheck& unit =
          by_owner.try_emplace(match.owner, UnitCheck{match.owner, &check, {}, 1}).first->second;
      unit.counters.push_back(match.counter);
    }
  for (auto& [owner, unit] : by_owner) {
    if (check.times.kind != ConfigNode::Kind::null)
      unit.times = static_cast<std::uint64_t>(std::llround(coefficients_.at(&technology).value(check.times)));
    checks_.push_back(std::move(unit));
  }
}

std::size_t EnergyAccount::structure_of(const std::string& name) {
  const auto same = [&](const Structure& structure) { return structure.name == name; };
  const auto found = std::find_if(structures_.begin(), structures_.end(), same);
  if (found != structures_.end()) return static_cast<std::size_t>(found - structures_.begin());
  structures_.push_back({name, {}});
  return structures_.size() - 1;
}

// Events are added before they are priced: sums of whole numbers do not depend on the order of their counters, which
// is that in which modules were built.
template <typename Each>
double EnergyAccount::events_by_unit(const BoundTerm& term, const std::vector<std::uint64_t>& values,
                                     Cycle cycles, Each each) {
  double all = 0;
  for (std::size_t i = 0; i < term.places.size();) {
    const std::size_t unit = term.places[i].unit;
    double events = 0;
    for (; i < term.places.size() && term.places[i].unit == unit; ++i)
      events += counted(values, term.places[i].counter, cycles);
    each(unit, events);
    all += events;
  }
  return all;
}

EnergyReport EnergyAccount::report(const std::vector<std::uint64_t>& values, Cycle cycles) const {
  EnergyReport report = balances(values, cycles);
  add_shares(report);
  return report;
}

EnergyReport EnergyAccount::balances(const std::vector<std::uint64_t>& values, Cycle cycles) const {
  EnergyReport report;
  report.cycles = cycles;
  report.clock_mhz = clock_mhz_;
  report.mixed_nodes = mixed_nodes_;
  std::vector<std::vector<EnergyBalance>> units(structures_.size());
  for (std::size_t s = 0; s < structures_.size(); ++s) units[s].resize(structures_[s].units.size());

  for (const BoundEntry& bound : entries_) {
    std::vector<EnergyBalance>& balances = units[bound.structure];
    const Kind kind = bound.entry->kind;
    EntryReport row{bound.entry, bound.technology->name, 0, bound.spent.pj_each, 0, 0};
    row.events = events_by_unit(bound.spent, values, cycles, [&](std::size_t unit, double events) {
      balances[unit].spent[kind] += events * bound.spent.pj_each;
    });
    const double baseline_events =
        events_by_unit(bound.baseline, values, cycles, [&](std::size_t unit, double events) {
          balances[unit].baseline[kind] += events * bound.baseline.pj_each;
        });
    row.spent_pj = row.events * bound.spent.pj_each;
    row.baseline_pj = baseline_events * bound.baseline.pj_each;
    report.entries.push_back(row);
  }
  add_structures(units, report);
  return report;
}

// Units into structures, structures into groups and the total, in the order of their names.
void EnergyAccount::add_structures(const std::vector<std::vector<EnergyBalance>>& units,
                                   EnergyReport& report) const {
  std::map<std::string, EnergyBalance> groups;
  std::map<std::string, std::size_t> order;
  for (std::size_t s = 0; s < structures_.size(); ++s) order.emplace(structures_[s].name, s);
  for (const auto& [name, s] : order) {
    StructureReport structure{name, {}, {}};
    for (std::size_t u = 0; u < units[s].size(); ++u)
      structure.units.push_back({structures_[s].units[u], units[s][u]});
    std::sort(structure.units.begin(), structure.units.end(),
              [](const NamedBalance& a, const NamedBalance& b) { return a.name < b.name; });
    for (const NamedBalance& unit : structure.units) structure.energy.add(unit.energy);
    groups[name.substr(0, name.find('.'))].add(structure.energy);
    report.total.add(structure.energy);
    report.structures.push_back(std::move(structure));
  }
  for (const auto& [name, energy] : groups) report.groups.push_back({name, energy});
}

// A share whose structures do not exist in this run has nothing to say.
void EnergyAccount::add_shares(EnergyReport& report) const {
  for (const Technology& technology : technologies_)
    for (const Share& share : technology.shares) {
      const auto same = [&share](const auto& said) { return said.share->name == share.name; };
      if (std::any_of(report.shares.begin(), report.shares.end(), same)) continue;  // of one that it extends
      EnergyBalance energy;
      for (const std::string& name : share.structures) energy.add(report.find(name));
      if (energy.baseline.total() == 0) continue;
      const double saved = share.of == Share::Of::total     ? energy.saved()
                           : share.of == Share::Of::dynamic ? energy.dynamic_saved()
                                                            : energy.static_saved();
      const auto value = [&](const ConfigNode& node) {
        return node.kind == ConfigNode::Kind::null ? 0
                                                   : evaluate(node, technology.definitions, configuration_);
      };
      report.shares.push_back({&share, technology.name, saved * value(share.share) - value(share.cost)});
    }
}

void EnergyAccount::check_cycles(const std::vector<std::uint64_t>& values, Cycle cycles) const {
  for (const UnitCheck& unit : checks_) {
    Cycle sum = 0;
    for (const std::size_t counter : unit.counters) sum += counter == kCycles ? cycles : values[counter];
    if (sum != cycles * unit.times)
      throw InternalError(fmt::format("{}: the states of {} ({}) sum to {} cycles of {}", unit.check->where,
                                      unit.owner, unit.check->name, sum, cycles * unit.times));
  }
}

}  // namespace heddle::power
