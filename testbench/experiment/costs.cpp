#include "testbench/experiment/costs.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <queue>
#include <set>
#include <sstream>
#include <utility>

#include "models/core/error.h"
#include "models/core/read_file.h"
#include "testbench/launch/new_file.h"

namespace heddle::experiment {
namespace {

namespace fs = std::filesystem;

std::string cost_file_of(const std::string& folder, const Plan& plan, std::size_t point) {
  return fmt::format("{}/costs/{}", folder, plan.name(point));
}

struct MeanCost {
  double sum = 0;
  std::size_t count = 0;
  void add(double value) {
    sum += value;
    ++count;
  }
  double value() const { return sum / static_cast<double>(count); }
};

}  // namespace

void write_cost(const std::string& folder, const Plan& plan, std::size_t point) {
  std::timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  std::error_code ec;
  fs::create_directories(folder + "/costs", ec);
  launch::write_text(
      cost_file_of(folder, plan, point),
      fmt::format("{:.3f}\n", static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec)));
}

ExpectedCosts expected_costs(const Plan& plan, const std::string& folder) {
  std::map<std::string, MeanCost> by_launch;
  MeanCost all;
  ExpectedCosts costs;
  for (std::size_t i = 0; i < plan.size(); ++i) {
    if (!plan.refusal(i).empty()) continue;
    const std::string name = cost_file_of(folder, plan, i);
    std::ifstream file;
    if (std::error_code ec; fs::is_regular_file(name, ec)) file.open(name);
    double seconds = 0;
    if (!fs::exists(fmt::format("{}/points/{}.json", folder, plan.name(i)))) {
      costs.missing.push_back(i);
    } else if (file >> seconds) {
      costs.known_seconds += seconds;
      all.add(seconds);
      by_launch[plan.inputs(i).front().path].add(seconds);
    }
  }
  costs.known = all.count;
  for (const std::size_t i : costs.missing) {
    const auto own = by_launch.find(plan.inputs(i).front().path);
    const MeanCost& mean = own == by_launch.end() ? all : own->second;
    costs.seconds.push_back(mean.count ? mean.value() : 1);
  }
  return costs;
}

std::string cost_text(const ExpectedCosts& costs, std::size_t runs) {
  std::string text = fmt::format("{} of {} runs are to be made", costs.missing.size(), runs);
  if (costs.known == 0) return text + "; what they cost is known once the first ones have been";
  const double seconds = std::accumulate(costs.seconds.begin(), costs.seconds.end(), 0.0);
  return text + fmt::format(", about {:.2f} CPU-hours, by {} that were", seconds / 3600, costs.known);
}

std::string cost_line(const ExpectedCosts& costs, std::size_t runs) {
  std::string text = fmt::format("runs {}, made {} in {:.1f} CPU-seconds, to be made {}", runs, costs.known,
                                 costs.known_seconds, costs.missing.size());
  if (costs.missing.empty()) return text;
  if (costs.known == 0) return text + " in ?";
  return text +
         fmt::format(" in about {:.1f}", std::accumulate(costs.seconds.begin(), costs.seconds.end(), 0.0));
}

std::vector<int> shares_of(const std::vector<double>& costs, int shares) {
  std::vector<std::size_t> order(costs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return costs[a] > costs[b]; });
  using Load = std::pair<double, int>;
  std::priority_queue<Load, std::vector<Load>, std::greater<>> loads;
  for (int share = 1; share <= shares; ++share) loads.emplace(0, share);
  std::vector<int> result(costs.size());
  for (const std::size_t i : order) {
    const auto [load, share] = loads.top();
    loads.pop();
    result[i] = share;
    loads.emplace(load + costs[i], share);
  }
  return result;
}

std::string cut_file_of(const std::string& folder, int shares) {
  return fmt::format("{}/cuts/{}", folder, shares);
}

std::vector<int> write_cut(const Plan& plan, const std::string& folder, int shares,
                           const ExpectedCosts& costs) {
  const std::vector<int> cut = shares_of(costs.seconds, shares);
  std::string text;
  for (std::size_t i = 0; i < cut.size(); ++i)
    text += fmt::format("{} {}\n", plan.name(costs.missing[i]), cut[i]);
  std::error_code ec;
  fs::create_directories(folder + "/cuts", ec);
  if (ec) throw Error(folder + "/cuts", "cannot make this folder: " + ec.message());
  launch::write_text(cut_file_of(folder, shares), text);
  const std::set<int> used(cut.begin(), cut.end());
  return {used.begin(), used.end()};
}

std::map<std::string, int> read_cut(const std::string& folder, int shares) {
  const std::string path = cut_file_of(folder, shares);
  require_file(path);
  std::ifstream file(path);
  std::map<std::string, int> cut;
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    std::istringstream words(line);
    std::string name, more;
    int share = 0;
    if (!(words >> name >> share) || share < 1 || share > shares || (words >> more))
      throw Error(fmt::format("{}:{}", path, number), "no run and its share",
                  fmt::format("a name and 1 to {}, as --cut writes them", shares));
    cut[name] = share;
  }
  return cut;
}

}  // namespace heddle::experiment
