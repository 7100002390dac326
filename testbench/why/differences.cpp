#include "testbench/why/differences.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "models/core/error.h"

namespace heddle::why {
namespace {

std::vector<Term> sorted(std::map<std::string, Term> terms) {
  std::vector<Term> all;
  for (auto& [name, term] : terms) all.push_back(std::move(term));
  std::stable_sort(all.begin(), all.end(), [](const Term& a, const Term& b) {
    return std::abs(a.difference()) > std::abs(b.difference());
  });
  return all;
}

void add(std::map<std::string, Term>& terms, const Causes& causes, double Term::*side) {
  for (const Cause& cause : causes.ranked) {
    Term& term = terms[cause.name];
    term.name = cause.name;
    term.*side += cause.slots * causes.cycles;
    if (!cause.text.empty() && (term.text.empty() || term.*side >= std::max(term.own, term.other)))
      term.text = cause.text;
  }
}

}  // namespace

void check_comparable(const comparison::Runs& runs) {
  if (runs[0].program != runs[1].program)
    throw Error(runs[1].name, "the runs have different launches",
                "two runs of the same launch file, PTX and data");
  if (!comparison::same_account(runs, 1))
    throw Error(runs[1].name, "the runs price energy by different accounts",
                "runs with the same power.account and technologies (heddle price)");
}

Differences differences(const Causes& own, const Causes& other) {
  std::map<std::string, Term> cycles, energy;
  add(cycles, own, &Term::own);
  add(cycles, other, &Term::other);
  for (const StructureEnergy& s : own.energy) energy[s.name] = {s.name, {}, s.total_nj, 0};
  for (const StructureEnergy& s : other.energy) {
    energy[s.name].name = s.name;
    energy[s.name].other = s.total_nj;
  }
  return {sorted(std::move(cycles)), sorted(std::move(energy))};
}

}  // namespace heddle::why
