#include "power/energy_account.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "models/core/error.h"
#include "power/account_binder.h"

namespace heddle::power {
namespace {

double counted(const std::vector<std::uint64_t>& values, std::size_t counter, Cycle cycles) {
  return static_cast<double>(counter == kCycles ? cycles : values[counter]);
}

}  // namespace

EnergyAccount::EnergyAccount(std::vector<Technology> technologies, const ConfigNode& configuration,
                             const StatsRegistry& registry)
    : technologies_(std::move(technologies)),
      bound_(AccountBinder(technologies_, configuration, registry).bind()),
      mixed_nodes_(find_mixed_nodes()),
      scope_(find_scope()) {}

bool EnergyAccount::prices_anything(const Technology& technology) const {
  return std::any_of(bound_.entries.begin(), bound_.entries.end(),
                     [&](const BoundEntry& bound) { return bound.technology == &technology; });
}

std::vector<std::pair<std::string, double>> EnergyAccount::find_mixed_nodes() const {
  std::vector<std::pair<std::string, double>> nodes;
  for (const Technology& technology : technologies_)
    if (prices_anything(technology)) nodes.emplace_back(technology.name, technology.node_nm);
  const auto same = [&](const auto& other) { return other.second == nodes.front().second; };
  return std::all_of(nodes.begin(), nodes.end(), same) ? decltype(nodes){} : nodes;
}

// Returns the hardware that the prices cover, such as "SM" or "DRAM". The names are sorted, so that the
// report does not depend on the order of technologies.
std::vector<std::string> EnergyAccount::find_scope() const {
  std::set<std::vector<std::string>> scopes;
  for (const BoundEntry& bound : bound_.entries) {
    std::string group = bound.entry->structure.substr(0, bound.entry->structure.find('.'));
    std::replace(group.begin(), group.end(), '_', ' ');
    scopes.insert(bound.technology->scope.empty() ? std::vector<std::string>{group}
                                                  : bound.technology->scope);
  }
  std::vector<std::string> all;
  for (const std::vector<std::string>& scope : scopes)
    for (const std::string& part : scope)
      if (std::find(all.begin(), all.end(), part) == all.end()) all.push_back(part);
  return all;
}

// Sums a unit's events; the caller multiplies only the sum by the price. Sums of whole numbers do not depend
// on the order in which modules registered their counters.
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
  report.mixed_nodes = mixed_nodes_;
  report.not_priced = bound_.not_priced;
  report.scope = scope_;
  for (const Technology& technology : technologies_)
    if (technology.what_if && prices_anything(technology)) report.what_if.push_back(technology.name);
  return report;
}

EnergyReport EnergyAccount::balances(const std::vector<std::uint64_t>& values, Cycle cycles) const {
  EnergyReport report;
  report.cycles = cycles;
  report.clock_mhz = bound_.clock_mhz;
  std::vector<std::vector<EnergyBalance>> units(bound_.structures.size());
  for (std::size_t s = 0; s < bound_.structures.size(); ++s)
    units[s].resize(bound_.structures[s].units.size());

  for (const BoundEntry& bound : bound_.entries) {
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

std::vector<EnergyAccount::PricedCounter> EnergyAccount::priced_counters() const {
  std::vector<PricedCounter> all;
  for (std::size_t entry = 0; entry < bound_.entries.size(); ++entry) {
    const BoundTerm& spent = bound_.entries[entry].spent;
    for (const Place& place : spent.places) all.push_back({entry, place.counter, spent.pj_each});
  }
  return all;
}

// Sums the energies of units to structures, of structures to groups, and of groups to the total, in the order
// of names.
void EnergyAccount::add_structures(const std::vector<std::vector<EnergyBalance>>& units,
                                   EnergyReport& report) const {
  std::map<std::string, EnergyBalance> groups;
  std::map<std::string, std::size_t> order;
  for (std::size_t s = 0; s < bound_.structures.size(); ++s) order.emplace(bound_.structures[s].name, s);
  for (const auto& [name, s] : order) {
    StructureReport structure{name, {}, {}};
    for (std::size_t u = 0; u < units[s].size(); ++u)
      structure.units.push_back({bound_.structures[s].units[u], units[s][u]});
    std::sort(structure.units.begin(), structure.units.end(),
              [](const NamedBalance& a, const NamedBalance& b) { return a.name < b.name; });
    for (const NamedBalance& unit : structure.units) structure.energy.add(unit.energy);
    groups[name.substr(0, name.find('.'))].add(structure.energy);
    report.total.add(structure.energy);
    report.structures.push_back(std::move(structure));
  }
  for (const auto& [name, energy] : groups) report.groups.push_back({name, energy});
}

void EnergyAccount::add_shares(EnergyReport& report) const {
  for (const auto& [share, technology, factor, cost] : bound_.shares) {
    EnergyBalance energy;
    for (const std::string& name : share->structures) energy.add(report.find(name));
    if (energy.baseline.total() == 0) continue;
    const double saved = share->of == Share::Of::total     ? energy.saved()
                         : share->of == Share::Of::dynamic ? energy.dynamic_saved()
                                                           : energy.static_saved();
    report.shares.push_back({share, technology->name, saved * factor - cost});
  }
}

void EnergyAccount::check_cycles(const std::vector<std::uint64_t>& values, Cycle cycles) const {
  for (const UnitCheck& unit : bound_.checks) {
    Cycle sum = 0;
    for (const std::size_t counter : unit.counters) sum += counter == kCycles ? cycles : values[counter];
    if (sum != cycles * unit.times)
      throw InternalError(fmt::format("{}: the states of {} ({}) sum to {} cycles of {}", unit.check->where,
                                      unit.owner, unit.check->name, sum, cycles * unit.times));
  }
}

}  // namespace heddle::power
