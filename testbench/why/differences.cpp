#include "testbench/why/differences.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "models/core/error.h"
#include "testbench/run/tree_path.h"

namespace heddle::why {
namespace {

std::string launches_text(const ConfigNode& result) {
  std::string text;
  if (const ConfigNode* launches = result.find("launches"))
    for (const ConfigNode& launch : launches->items)
      for (const char* key : {"kernel", "grid", "block"})
        if (const ConfigNode* value = launch.find(key)) text += run::one_line(*value) + ' ';
  return text;
}

std::string account_text(const ConfigNode& result) {
  std::string text;
  if (const ConfigNode* list = result.find("technologies"))
    for (const ConfigNode& technology : list->items)
      if (const ConfigNode* name = technology.find("name")) text += name->text + ' ';
  const ConfigNode* account = run::find_path(result, "configuration.power.account");
  return text + (account ? account->text : "");
}

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

void check_comparable(const ConfigNode& own, const ConfigNode& other, const std::string& where) {
  if (launches_text(own) != launches_text(other))
    throw Error(where, "the runs have different launches",
                "two runs of the same program with the same grids");
  if (account_text(own) != account_text(other))
    throw Error(where, "the runs price energy by different accounts",
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
