#include "power/account_binder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "models/core/error.h"

namespace heddle::power {
namespace {

// Energy in pJ that 1 mW consumes in one clock cycle at 1 MHz.
constexpr double kPicojoulesOfMilliwattAtOneMegahertz = 1000;

// Largest price in pJ of a technology file. Keeps products of prices and event counts finite.
constexpr double kLargestCoefficient = 1e100;

std::string group_of(const std::string& structure) { return structure.substr(0, structure.find('.')); }

bool same_counters(const std::vector<CounterMatch>& a, const std::vector<CounterMatch>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const CounterMatch& x, const CounterMatch& y) {
    return x.group == y.group && x.counters.size() == y.counters.size();
  });
}

}  // namespace

AccountBinder::AccountBinder(const std::vector<Technology>& technologies, const ConfigNode& configuration,
                             const StatsRegistry& registry)
    : technologies_(technologies),
      configuration_(configuration),
      index_(registry),
      covered_{index_, {}, {}, {}, {}} {
  for (std::size_t t = 0; t < technologies.size(); ++t) order_.push_back(t);
  std::stable_sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(-technologies[a].rank, technologies[a].name) <
           std::pair(-technologies[b].rank, technologies[b].name);
  });
}

BoundAccount AccountBinder::bind() {
  const ConfigNode* clock = find_parameter(configuration_, "gpu.core_clock_mhz");
  if (!clock || !clock->is_number()) throw Error("gpu.core_clock_mhz", "the run has no clock");
  made_.clock_mhz = clock->number;
  find_events();
  find_coefficients();
  for (const std::size_t t : order_) {
    if (is_replaced(t)) continue;
    for (const Entry& entry : technologies_[t].entries) add_candidate(entry, t);
    for (const CycleCheck& check : technologies_[t].cycle_checks) bind_check(check, technologies_[t]);
  }
  std::vector<Claim> claims;
  for (const Candidate& candidate : candidates_)
    claims.insert(claims.end(), candidate.claims.begin(), candidate.claims.end());
  owners_.emplace(claims, technologies_, [this](std::size_t a, std::size_t b) { return same_price(a, b); });
  for (Candidate& candidate : candidates_) bind(candidate);
  for (const std::size_t t : order_) bind_shares(technologies_[t]);
  made_.not_priced = find_not_priced(covered_);
  add_arrays_without_price(covered_, arrays_of(configuration_), made_.not_priced);
  made_.warnings = find_free_units(covered_);
  warn_of_far_values();
  return std::move(made_);
}

std::vector<double> AccountBinder::prices() {
  find_coefficients();
  for (Candidate& candidate : candidates_) {
    candidate.spent_pj.reset();
    candidate.in_work = false;
  }
  std::vector<double> prices;
  for (const std::size_t candidate : bound_) {
    price(candidates_[candidate]);
    prices.push_back(*candidates_[candidate].spent_pj);
  }
  return prices;
}

void AccountBinder::find_coefficients() {
  coefficients_.clear();
  for (const std::size_t t : order_)
    coefficients_.try_emplace(&technologies_[t], technologies_[t].definitions, configuration_,
                              [this](const std::string& pattern) { return plain_price(pattern); });
}

void AccountBinder::find_events() {
  events_.assign(index_.groups().size(), nullptr);
  covered_.groups.assign(index_.groups().size(), false);
  covered_.parts = machine_parts();
  find_events(storage_events(), "");
  for (const Technology& technology : technologies_) {
    find_events(technology.events, technology.file);
    for (const MachinePart& part : technology.parts)
      if (std::none_of(covered_.parts.begin(), covered_.parts.end(), [&](const MachinePart& other) {
            return other.name == part.name && other.still == part.still;
          }))
        covered_.parts.push_back(part);
  }
}

// Assigns each counter to the event that the counter measures. Throws Error if a counter measures two events.
// The account could not determine which technology prices such a counter.
void AccountBinder::find_events(const std::vector<StorageEvent>& events, const std::string& where) {
  for (const StorageEvent& event : events)
    for (const std::string& pattern : event.counters)
      for (const CounterMatch& match : index_.find(pattern)) {
        const StorageEvent*& measured = events_[match.group];
        if (measured && (measured->structure != event.structure || measured->kind != event.kind))
          throw Error(where,
                      fmt::format("{} measures \"{}\" of {}, not \"{}\" of {}", pattern, measured->kind,
                                  measured->structure, event.kind, event.structure),
                      "one event for each counter");
        measured = &event;
      }
}

bool AccountBinder::is_met(const Entry& entry) const {
  if (entry.parameter.empty()) return true;
  const ConfigNode* found = find_parameter(configuration_, entry.parameter);
  return found &&
         std::find(entry.one_of.begin(), entry.one_of.end(), choice_text(*found)) != entry.one_of.end();
}

bool AccountBinder::is_replaced(std::size_t technology) {
  for (const Technology& other : technologies_) {
    if (!is_extended_by(technologies_[technology], other)) continue;
    made_.left_out.push_back({technologies_[technology].name, "", other.name});
    return true;
  }
  return false;
}

bool AccountBinder::any_counter(const std::vector<std::string>& patterns) const {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const std::string& pattern) { return !index_.find(pattern).empty(); });
}

std::vector<CounterMatch> AccountBinder::find(const Entry& entry, const Term& term) const {
  std::vector<CounterMatch> all;
  for (const std::string& pattern : term.counters) {
    const std::vector<CounterMatch> found = index_.find(pattern);
    if (found.empty() && !entry.optional)
      throw Error(entry.where, fmt::format("entry \"{}\": no counter matches \"{}\"", entry.name, pattern),
                  "paths of stats.csv, with * for parts that differ, or \"optional\": true");
    all.insert(all.end(), found.begin(), found.end());
  }
  return all;
}

void AccountBinder::add_candidate(const Entry& entry, std::size_t technology) {
  if (any_counter(entry.unless) || !is_met(entry)) return;
  Candidate candidate{&entry, technology, find(entry, entry.spent), {}, {}, {}, {}};
  if (candidate.spent.empty()) return;
  if (entry.baseline == Entry::Baseline::own) candidate.baseline = find(entry, entry.baseline_term);
  for (const CounterMatch& match : candidate.spent)
    candidate.claims.push_back(claim_of(candidate, match.group));
  candidates_.push_back(std::move(candidate));
}

// Returns the claim of a candidate's entry: the structure (consumer of energy, such as register_file.mrf) and
// the kind of event that the entry prices by one counter group. The claim's structure is:
// - the member `event` of the entry, if it is not empty
// - otherwise, if storage.h or a technology lists the counters for a structure, and this structure's name is
//   equal to that of the entry's structure up to the dot: the listed structure
// - otherwise, for dynamic energy of counters that are not listed (except "cycles"): a name made of the part
//   up to the dot and the counters' path
// - otherwise: the entry's own structure
Claim AccountBinder::claim_of(const Candidate& candidate, std::size_t group) const {
  const Entry& entry = *candidate.entry;
  const CounterGroup& counters = index_.groups()[group];
  const StorageEvent* event = events_[group];
  const bool still = entry.kind != Kind::dynamic;
  Claim claim{candidate.technology, candidates_.size(), entry.structure, still, ""};
  if (!entry.event.empty())
    claim.structure = entry.event;
  else if (event && group_of(event->structure) == group_of(entry.structure))
    claim.structure = event->structure;
  else if (!still && !event && counters.name != "cycles")
    claim.structure = fmt::format("{} ({})", group_of(entry.structure), likes_of(counters.path()));
  if (!still) claim.kind = event ? event->kind : counters.name;
  return claim;
}

double AccountBinder::price_of(const Entry& entry, const Term& term, std::size_t technology) {
  double pj = coefficients_.at(&technologies_[technology]).value(term.coefficient);
  // A dynamic price may be negative: the entry then corrects the price of another entry, which is too high
  // for an access.
  const double least = entry.kind == Kind::leakage ? 0 : -kLargestCoefficient;
  if (!(pj >= least && pj <= kLargestCoefficient))
    throw Error(entry.where, fmt::format("entry \"{}\": the coefficient is {}", entry.name, pj),
                fmt::format("numbers from {} to {}", least, kLargestCoefficient));
  if (entry.milliwatts) pj *= kPicojoulesOfMilliwattAtOneMegahertz / made_.clock_mhz;
  return pj;
}

void AccountBinder::price(Candidate& candidate) {
  if (candidate.spent_pj) return;
  const Entry& entry = *candidate.entry;
  if (candidate.in_work)
    throw Error(entry.where, fmt::format("the price of \"{}\" depends on itself", entry.name));
  candidate.in_work = true;
  candidate.spent_pj = price_of(entry, entry.spent, candidate.technology);
  candidate.baseline_pj = entry.baseline == Entry::Baseline::own
                              ? price_of(entry, entry.baseline_term, candidate.technology)
                          : entry.baseline == Entry::Baseline::same ? *candidate.spent_pj
                                                                    : 0;
}

// Returns true if two entries of different technology files price the same counters equally. A price may
// refer to another counter's price. That price is not known yet, so the comparison uses a hash of the other
// counter's name.
bool AccountBinder::same_price(std::size_t a, std::size_t b) const {
  const Candidate &x = candidates_[a], &y = candidates_[b];
  if (x.entry->kind != y.entry->kind || x.entry->structure != y.entry->structure ||
      x.entry->milliwatts != y.entry->milliwatts || x.entry->baseline != y.entry->baseline ||
      !same_counters(x.spent, y.spent) || !same_counters(x.baseline, y.baseline))
    return false;
  const auto value = [&](const Candidate& candidate, const Term& term) {
    if (term.counters.empty()) return 0.0;
    Coefficients coefficients(technologies_[candidate.technology].definitions, configuration_,
                              [](const std::string& pattern) {
                                return static_cast<double>(std::hash<std::string>{}(pattern) % 1000003) + 1;
                              });
    return coefficients.value(term.coefficient);
  };
  return value(x, x.entry->spent) == value(y, y.entry->spent) &&
         value(x, x.entry->baseline_term) == value(y, y.entry->baseline_term);
}

// Returns the price in pJ of one event, on the machine without techniques. Counters that match `pattern`
// count the event. Ignores leakage.
double AccountBinder::plain_price(const std::string& pattern) {
  double pj = 0;
  for (Candidate& candidate : candidates_) {
    const Entry& entry = *candidate.entry;
    const auto& counters = entry.baseline_term.counters;
    if (entry.kind != Kind::dynamic || entry.baseline != Entry::Baseline::own ||
        std::find(counters.begin(), counters.end(), pattern) == counters.end() ||
        std::none_of(candidate.claims.begin(), candidate.claims.end(),
                     [this](const Claim& claim) { return owners_->has(claim); }))
      continue;
    price(candidate);
    pj += *candidate.baseline_pj;
  }
  return pj;
}

void AccountBinder::warn_of_far_values() {
  for (const std::size_t t : order_)
    for (const std::string& far : coefficients_.at(&technologies_[t]).far_outside())
      made_.warnings.push_back(fmt::format("energy: {} reads its table far outside of what it holds: {}",
                                           technologies_[t].name, far));
}

void AccountBinder::bind(Candidate& candidate) {
  const Technology& technology = technologies_[candidate.technology];
  std::vector<CounterMatch> owned;
  for (std::size_t i = 0; i < candidate.spent.size(); ++i)
    if (const Claim& claim = candidate.claims[i]; owners_->has(claim)) {
      owned.push_back(candidate.spent[i]);
      covered_.groups[candidate.spent[i].group] = true;
      covered_.structures.emplace(claim.structure, claim.still);
    }
  if (owned.size() < candidate.spent.size()) {
    const auto lost = std::find_if(candidate.claims.begin(), candidate.claims.end(),
                                   [this](const Claim& claim) { return !owners_->has(claim); });
    made_.left_out.push_back(
        {technology.name, candidate.entry->name, technologies_[owners_->owner_of(*lost)].name});
  }
  if (owned.empty()) return;
  if (candidate.entry->kind != Kind::overhead)
    covered_.consumers.emplace(candidate.entry->structure, candidate.entry->kind == Kind::leakage);
  bound_.push_back(static_cast<std::size_t>(&candidate - candidates_.data()));
  price(candidate);
  const std::size_t s = structure_of(candidate.entry->structure);
  BoundEntry bound{candidate.entry, &technology, s, {}, {}};
  bound.spent = bind_term(owned, *candidate.spent_pj, made_.structures[s]);
  if (candidate.entry->baseline == Entry::Baseline::same) bound.baseline = bound.spent;
  if (candidate.entry->baseline == Entry::Baseline::own)
    bound.baseline = bind_term(candidate.baseline, *candidate.baseline_pj, made_.structures[s]);
  made_.entries.push_back(std::move(bound));
}

BoundTerm AccountBinder::bind_term(const std::vector<CounterMatch>& matches, double pj_each,
                                   BoundStructure& structure) const {
  BoundTerm bound;
  bound.pj_each = pj_each;
  for (const CounterMatch& match : matches) {
    const std::string& name = index_.groups()[match.group].unit;
    const auto found = std::find(structure.units.begin(), structure.units.end(), name);
    const auto unit = static_cast<std::size_t>(found - structure.units.begin());
    if (found == structure.units.end()) structure.units.push_back(name);
    for (const std::size_t counter : match.counters) bound.places.push_back({counter, unit});
  }
  std::stable_sort(bound.places.begin(), bound.places.end(),
                   [](const Place& a, const Place& b) { return a.unit < b.unit; });
  return bound;
}

void AccountBinder::bind_check(const CycleCheck& check, const Technology& technology) {
  std::map<std::string, UnitCheck> by_owner;
  for (const std::string& pattern : check.counters)
    for (const CounterMatch& match : index_.find(pattern)) {
      const CounterGroup& group = index_.groups()[match.group];
      const std::size_t first = static_cast<std::size_t>(match.counters.data() - group.counters.data());
      const std::string rest = group.owner.substr(std::min(group.owner.find('.'), group.owner.size()));
      for (std::size_t i = 0; i < match.counters.size(); ++i) {
        const std::string owner = std::string(group.roots[first + i]) + rest;
        UnitCheck& unit = by_owner.try_emplace(owner, UnitCheck{owner, &check, {}, 1}).first->second;
        unit.counters.push_back(match.counters[i]);
      }
    }
  for (auto& [owner, unit] : by_owner) {
    if (check.times.kind != ConfigNode::Kind::null)
      unit.times = static_cast<std::uint64_t>(std::llround(coefficients_.at(&technology).value(check.times)));
    made_.checks.push_back(std::move(unit));
  }
}

// Binds the shares of a technology file. A share turns a structure's saving into the saving of a larger
// whole, such as the chip. Leaves out a share if the file prices nothing in this run, or if none of its
// structures is priced. If several technology files have the same share, the share of the file with the
// highest rank (a number in each file) is bound.
void AccountBinder::bind_shares(const Technology& technology) {
  if (std::none_of(made_.entries.begin(), made_.entries.end(),
                   [&](const BoundEntry& bound) { return bound.technology == &technology; }))
    return;
  for (const Share& share : technology.shares) {
    const auto same = [&](const BoundShare& said) { return said.share->name == share.name; };
    const auto exists = [&](const std::string& name) {
      return std::any_of(made_.structures.begin(), made_.structures.end(),
                         [&](const BoundStructure& structure) {
                           return structure.name == name || group_of(structure.name) == name;
                         });
    };
    if (std::any_of(made_.shares.begin(), made_.shares.end(), same) ||
        std::none_of(share.structures.begin(), share.structures.end(), exists))
      continue;
    Coefficients& coefficients = coefficients_.at(&technology);
    const auto value = [&](const ConfigNode& node) {
      return node.kind == ConfigNode::Kind::null ? 0 : coefficients.value(node);
    };
    made_.shares.push_back({&share, &technology, value(share.share), value(share.cost)});
  }
}

std::size_t AccountBinder::structure_of(const std::string& name) {
  const auto same = [&](const BoundStructure& structure) { return structure.name == name; };
  const auto found = std::find_if(made_.structures.begin(), made_.structures.end(), same);
  if (found != made_.structures.end()) return static_cast<std::size_t>(found - made_.structures.begin());
  made_.structures.push_back({name, {}});
  return made_.structures.size() - 1;
}

}  // namespace heddle::power
