#include "testbench/experiment/account_laws.h"

#include <fmt/format.h>

#include <cmath>

#include "models/core/error.h"

namespace heddle::experiment {
namespace {

// Permitted relative differences between energies. The value for estimated runs is larger: an estimate
// extrapolates the lanes and the words of accesses separately, so that its sums differ by more than rounding
// errors.
constexpr double kCounted = 1e-9, kEstimated = 1e-3;
double within(const output::StoredTotal& total) { return total.estimated ? kEstimated : kCounted; }

void expect_same(double found, double wanted, double share, const std::string& run,
                 const std::string& structure, const char* law) {
  if (std::abs(found - wanted) <= share * std::abs(wanted)) return;
  throw Error(run, fmt::format("a law of the account does not hold for {}: {} ({} and {} pJ)", structure, law,
                               found, wanted));
}

}  // namespace

void AccountLaws::check_plain(const Plan& plan, const Plan::Planned& plain) {
  const power::EnergyAccount* account = store_.account(plan, plain.point, plain.price);
  if (!account) return;
  const output::StoredTotal& total = store_.total(plan, plain.point);
  const output::StoredCounts& whole = total.whole();
  for (const power::StructureReport& structure : account->balances(whole.values, whole.cycles).structures)
    expect_same(structure.energy.spent.total(), structure.energy.baseline.total(), within(total),
                plan.label(plain.point), structure.name, "a machine without a technique spends its baseline");
}

void AccountLaws::check_stack(const Plan& plan, const Plan::Planned& stack, const Plan::Planned& plain) {
  const power::EnergyAccount* account = store_.account(plan, stack.point, stack.price);
  if (!account) return;
  const Key key{plan.configuration(stack.point), plan.price_key(stack.price)};
  auto known = twins_.find(key);
  if (known == twins_.end()) {
    known = twins_.try_emplace(key, store_.names(plan, stack.point).registry()).first;
    known->second.account = std::make_unique<power::EnergyAccount>(
        store_.technologies(plan, stack.point, stack.price), store_.configuration(plan, plain.point),
        known->second.twin.stats());
  }
  const output::StoredTotal& total = store_.total(plan, stack.point);
  const output::StoredCounts& whole = total.whole();
  const power::EnergyReport found = account->balances(whole.values, whole.cycles);
  const power::EnergyReport wanted =
      known->second.account->balances(known->second.twin.values(whole.values), whole.cycles);
  for (const auto* report : {&wanted, &found})
    for (const power::StructureReport& structure : report->structures)
      expect_same(found.find(structure.name).baseline.total(), wanted.find(structure.name).spent.total(),
                  within(total), plan.label(stack.point), structure.name,
                  "the baseline is what the plain machine pays for the same accesses");
}

void AccountLaws::check(const Search& search, const ExperimentFile& file, const Plan& plan,
                        const Results& results) {
  const Variant* base = file.find_variant(search.figure.relative_to);
  if (!base || !base->with.empty() || !base->sets.empty()) return;
  const int base_position = static_cast<int>(base - file.variants.data());
  for (const Plan::Planned& planned : plan.places()) {
    if (!results.point_at(planned.place)) continue;
    if (!checked_.emplace(plan.name(planned.point), plan.price_key(planned.price)).second) continue;
    Place plain = planned.place;
    plain.variant = base_position;
    const Plan::Planned* at = plan.find(plain);
    if (!at || !results.point_at(plain)) continue;
    const Variant& variant = file.variants[static_cast<std::size_t>(planned.place.variant)];
    if (planned.place.variant == base_position)
      check_plain(plan, planned);
    else if (variant.sets.empty())
      check_stack(plan, planned, *at);
  }
}

}  // namespace heddle::experiment
