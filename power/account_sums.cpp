#include "power/account_sums.h"

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "models/core/error.h"

namespace heddle::power {
namespace {

struct Sum {
  double spent = 0, baseline = 0;
  double size = 0;
  void add(double spent_pj, double baseline_pj) {
    spent += spent_pj;
    baseline += baseline_pj;
    size += std::abs(spent_pj) + std::abs(baseline_pj);
  }
  void expect(const EnergyBalance& found, const std::string& what, const char* whole) const {
    const double off =
        std::max(std::abs(found.spent.total() - spent), std::abs(found.baseline.total() - baseline));
    if (off <= 1e-9 * size) return;
    throw Error(
        what, fmt::format("the account does not close: {} has {} pJ (baseline {}), its parts sum to {} ({})",
                          whole, found.spent.total(), found.baseline.total(), spent, baseline));
  }
};

}  // namespace

void check_sums(const EnergyReport& report) {
  std::map<std::string, Sum> by_structure;
  for (const EntryReport& entry : report.entries)
    by_structure[entry.entry->structure].add(entry.events * entry.pj_each, entry.baseline_pj);
  Sum total;
  for (const StructureReport& structure : report.structures) {
    by_structure[structure.name].expect(structure.energy, structure.name, "the structure");
    total.add(structure.energy.spent.total(), structure.energy.baseline.total());
  }
  total.expect(report.total, "total", "the run");
}

}  // namespace heddle::power
