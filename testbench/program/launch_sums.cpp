#include "testbench/program/launch_sums.h"

#include <map>

namespace heddle::program {

void LaunchSum::add(const LaunchRow& row) {
  ++launches;
  timed += row.timed;
  checked += row.checked;
  different += row.checked && !row.equal;
  incomparable += row.is_incomparable();
  findings += row.findings;
  failed += !row.error.empty() && !row.not_run;
  not_run += row.not_run;
  instructions += row.instructions;
  cycles += row.cycles;
  time_us += row.time_us;
  energy = energy || row.energy_pj;
  energy_pj += row.energy_pj.value_or(0);
  dynamic_pj += row.dynamic_pj.value_or(0);
  baseline_pj += row.baseline_pj.value_or(0);
  estimated = estimated || row.is_estimated();
}

std::vector<LaunchSum> sums_of(const std::vector<LaunchRow>& rows) {
  std::vector<LaunchSum> sums;
  std::map<std::string, std::size_t> places;
  LaunchSum all;
  all.kernel = "all";
  for (const LaunchRow& row : rows) {
    const auto [place, first] = places.emplace(row.mangled, sums.size());
    if (first) sums.emplace_back().kernel = row.kernel;
    sums[place->second].add(row);
    all.add(row);
  }
  sums.push_back(all);
  return sums;
}

}  // namespace heddle::program
