#include "testbench/experiment/stack_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "testbench/experiment/account_laws.h"
#include "testbench/experiment/figure_cells.h"

namespace heddle::experiment {
namespace {

using Parts = std::vector<std::string>;

class StackSearch {
 public:
  StackSearch(const Search& search, const ExperimentFile& file, const Results& results)
      : search_(search), cells_(search.figure, file, results) {
    cells_.fill();
    for (int v = 0; v < static_cast<int>(search.figure.variants.size()); ++v) {
      const Variant& variant = *file.find_variant(search.figure.variants[static_cast<std::size_t>(v)]);
      Parts parts = variant.combines.empty() ? Parts{variant.name} : variant.combines;
      std::sort(parts.begin(), parts.end());
      stacks_.emplace(std::move(parts), v);
    }
    mark_repeats(file, results);
  }

  SearchStep step() const {
    SearchStep step;
    for (int size = 1; size < search_.up_to; ++size) {
      step.more = missing_above(size);
      if (!step.more.empty()) return step;
      if (size > 1 && !betters(size + 1)) break;
    }
    for (const SearchGoal& goal : search_.goals) {
      std::vector<int> best = by_goal(goal, [](std::size_t) { return true; });
      best.resize(std::min(best.size(), static_cast<std::size_t>(search_.best)));
      std::vector<std::string>& names = step.found[search_.name + ":" + goal.name];
      for (const int v : best) names.push_back(name_of(v));
      // An additional key, the search's name alone, has the result for the search's first goal.
      step.found.emplace(search_.name, names);
    }
    return step;
  }

 private:
  const std::string& name_of(int variant) const {
    return search_.figure.variants[static_cast<std::size_t>(variant)];
  }
  double mean(int variant, const std::string& metric) const {
    const int kernel = cells_.kernels().size() == 1 ? 0 : Cell::kMean;
    return cells_.at({kernel, variant, 0, cells_.metric(metric)});
  }
  bool is_refused(int variant) const { return cells_.is_refused({Cell::kMean, variant, 0, 0}); }

  // Marks combinations that have the same runs on every kernel as a combination of fewer variants.
  void mark_repeats(const ExperimentFile& file, const Results& results) {
    using Runs = std::vector<std::optional<std::size_t>>;
    const auto runs_of = [&](int v) {
      const Variant* variant = file.find_variant(name_of(v));
      Runs runs;
      for (const std::string& name : cells_.kernels()) {
        const auto at = std::find_if(file.kernels.begin(), file.kernels.end(),
                                     [&](const Kernel& kernel) { return kernel.name == name; });
        runs.push_back(results.point_at({static_cast<int>(variant - file.variants.data()), -1, -1,
                                         static_cast<int>(at - file.kernels.begin())}));
      }
      return runs;
    };
    std::map<Runs, std::size_t> smallest;
    std::map<int, Runs> all;
    for (const auto& [parts, v] : stacks_) {
      Runs runs = runs_of(v);
      if (std::find(runs.begin(), runs.end(), std::nullopt) != runs.end()) continue;
      const auto [known, is_new] = smallest.emplace(runs, parts.size());
      known->second = std::min(known->second, parts.size());
      all.emplace(v, std::move(runs));
    }
    for (const auto& [parts, v] : stacks_)
      if (const auto runs = all.find(v); runs != all.end() && smallest.at(runs->second) < parts.size())
        repeats_.insert(v);
  }

  // Returns the combinations of the given sizes that are within the goal's limit, sorted by the goal's
  // metric, lowest first.
  template <class Sizes>
  std::vector<int> by_goal(const SearchGoal& goal, Sizes sizes) const {
    std::vector<int> order;
    for (const auto& [parts, v] : stacks_) {
      const bool within = goal.limit.empty() || mean(v, goal.limit) <= goal.at_most;
      if (sizes(parts.size()) && within && !repeats_.contains(v) && !std::isnan(mean(v, goal.metric)))
        order.push_back(v);
    }
    std::sort(order.begin(), order.end());
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return mean(a, goal.metric) < mean(b, goal.metric); });
    return order;
  }

  // Returns true if, for some goal, a combination of this size is better than all smaller combinations.
  bool betters(int size) const {
    const auto wanted = static_cast<std::size_t>(size);
    return std::any_of(search_.goals.begin(), search_.goals.end(), [&](const SearchGoal& goal) {
      const std::vector<int> here = by_goal(goal, [&](std::size_t n) { return n == wanted; });
      const std::vector<int> below = by_goal(goal, [&](std::size_t n) { return n < wanted; });
      return !here.empty() && (below.empty() || mean(here[0], goal.metric) < mean(below[0], goal.metric));
    });
  }

  std::set<int> kept(int size) const {
    std::set<int> all;
    for (const SearchGoal& goal : search_.goals) {
      std::vector<int> best =
          by_goal(goal, [&](std::size_t n) { return n == static_cast<std::size_t>(size); });
      if (size > 1) best.resize(std::min(best.size(), static_cast<std::size_t>(search_.keep)));
      all.insert(best.begin(), best.end());
    }
    return all;
  }

  // Returns a combination's variants in the order of the search's key "from".
  Parts in_order(const Parts& parts) const {
    Parts ordered;
    for (const std::string& name : search_.from)
      if (std::find(parts.begin(), parts.end(), name) != parts.end()) ordered.push_back(name);
    return ordered;
  }

  bool holds_refused_or_repeated(const Parts& sorted) const {
    return std::any_of(stacks_.begin(), stacks_.end(), [&](const auto& stack) {
      return (is_refused(stack.second) || repeats_.contains(stack.second)) &&
             std::includes(sorted.begin(), sorted.end(), stack.first.begin(), stack.first.end());
    });
  }

  std::vector<Parts> missing_above(int size) const {
    const std::set<int> base = kept(size);
    std::set<Parts> seen;
    std::vector<Parts> missing;
    for (const auto& [parts, v] : stacks_) {
      if (parts.size() != static_cast<std::size_t>(size) || !base.contains(v)) continue;
      for (const std::string& single : search_.from) {
        if (std::find(parts.begin(), parts.end(), single) != parts.end()) continue;
        Parts more = parts;
        more.insert(std::upper_bound(more.begin(), more.end(), single), single);
        if (stacks_.contains(more) || holds_refused_or_repeated(more) || !seen.insert(more).second) continue;
        missing.push_back(in_order(more));
      }
    }
    return missing;
  }

  const Search& search_;
  FigureCells cells_;
  std::set<int> repeats_;
  std::map<Parts, int> stacks_;
};

std::size_t largest(const std::vector<Parts>& stacks) {
  std::size_t size = 0;
  for (const Parts& stack : stacks) size = std::max(size, stack.size());
  return size;
}

}  // namespace

SearchStep search_step(const Search& search, const ExperimentFile& file, const Results& results) {
  return StackSearch(search, file, results).step();
}

SearchProgress run_searches(const std::string& path, const std::string& size, const Additions& additions,
                            const RunRequest& request, const Share& share,
                            const std::shared_ptr<PointStore>& store) {
  SearchProgress progress{additions, ""};
  AccountLaws laws(*store);
  for (;;) {
    const ExperimentFile file = read_experiment(path, size, progress.additions);
    const auto open = std::find_if(file.searches.begin(), file.searches.end(), [&](const Search& search) {
      return !progress.additions.found.contains(search.name);
    });
    if (open == file.searches.end()) return progress;
    RunRequest whole = request;
    if (share.number > 0) {
      const Plan own(file, {&open->figure}, share);
      Results results(own, store);
      RunRequest mine = request;
      mine.wait = false;
      results.run(mine);
      whole.collect = true;
    }
    const Plan plan(file, {&open->figure});
    Results results(plan, store);
    results.run(whole);
    const std::size_t missing = results.in_state(PointResult::State::missing).size();
    if (missing > 0) {
      const std::size_t parts = std::max<std::size_t>(largest(progress.additions.stacks), 1);
      progress.waits_for =
          fmt::format("search {}{}: {} of {} runs", open->name,
                      parts > 1 ? fmt::format(", stacks of {}", parts) : "", missing, results.runs());
      return progress;
    }
    laws.check(*open, file, plan, results);
    SearchStep step = search_step(*open, file, results);
    if (!request.quiet && !step.more.empty())
      fmt::print("search {}: {} stacks of {} are next\n", open->name, step.more.size(), largest(step.more));
    progress.additions.stacks.insert(progress.additions.stacks.end(), step.more.begin(), step.more.end());
    progress.additions.found.merge(step.found);
  }
}

}  // namespace heddle::experiment
