// Analysis `register-distances`: makes a histogram of the cycles between two consecutive accesses of a warp
// to the same register. Makes a second histogram of the number of lanes that execute an instruction
// (Abdel-Majeed 2016, Fig. 5.3). The mean distance is computed twice: over all distances, and without
// distances above 3000 cycles, which the paper leaves out (5.2, Fig. 5.2).

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "models/ports/life_event.h"
#include "models/sm/issue_stage.h"
#include "models/sm/sm.h"
#include "testbench/analysis/i_run_analysis.h"

namespace heddle::analysis {
namespace {

constexpr std::array<Cycle, 9> kDistances = {0, 10, 30, 100, 300, 1000, 3001, 10000, 30000};
constexpr std::array<int, 7> kActive = {
    0, 1, 5, 9, 13, 17, 25};  ///< lower limits of the bins: number of active lanes (Fig. 5.3)
constexpr Cycle kFar = 3000;

struct Gaps {
  std::array<std::uint64_t, kDistances.size()> gaps{};
  std::array<std::uint64_t, kActive.size()> active{};
  std::uint64_t sum = 0, near_sum = 0, near = 0;

  void add(Cycle gap) {
    ++gaps[static_cast<std::size_t>(std::upper_bound(kDistances.begin(), kDistances.end(), gap) -
                                    kDistances.begin() - 1)];
    sum += gap;
    if (gap > kFar) return;
    near_sum += gap;
    ++near;
  }
};

class DistanceObserver : public tlm::tlm_analysis_if<LifeEvent> {
 public:
  explicit DistanceObserver(Sm& sm)
      : accessed_(static_cast<std::size_t>(sm.issue().max_warps()), std::vector<Cycle>(256, kNever)) {
    sm.events.bind(*this);
    sm.observe_events();
  }
  void write(const LifeEvent& event) override {
    if (event.what == Life::warp_ends)
      std::fill(accessed_[event.warp.value].begin(), accessed_[event.warp.value].end(), kNever);
    if (event.what != Life::issued) return;
    const isa::Instruction& i = *event.instruction;
    ++gaps.active[static_cast<std::size_t>(
        std::upper_bound(kActive.begin(), kActive.end(), count_lanes(event.mask)) - kActive.begin() - 1)];
    if (event.mask == 0) return;
    if (i.unit != isa::UnitClass::control)
      for (const isa::Operand& operand : i.sources()) touch(event, operand);
    for (const isa::Operand& operand : i.destinations()) touch(event, operand);
  }
  Gaps gaps;

 private:
  void touch(const LifeEvent& event, const isa::Operand& operand) {
    for (int word = 0; word < operand.words(); ++word) {
      Cycle& last = accessed_[event.warp.value][operand.reg.value + static_cast<std::size_t>(word)];
      if (last != kNever) gaps.add(event.cycle - last);
      last = event.cycle;
    }
  }
  std::vector<std::vector<Cycle>> accessed_;  ///< [warp][register]: cycle of the last access
};

template <class Lows, class Counts>
std::vector<std::pair<std::string, std::uint64_t>> bins(const Lows& lows, const Counts& counts, int last) {
  std::vector<std::pair<std::string, std::uint64_t>> made;
  for (std::size_t i = 0; i < lows.size(); ++i) {
    const std::string from = fmt::format("{}", lows[i]);
    const std::string label =
        i + 1 < lows.size()
            ? (lows[i] + 1 == lows[i + 1] ? from : fmt::format("{}-{}", from, lows[i + 1] - 1))
        : last ? fmt::format("{}-{}", from, last)
               : from + "+";
    made.emplace_back(label, counts[i]);
  }
  return made;
}

class RegisterDistances : public RunAnalysis {
 public:
  RegisterDistances(const NoParameters&, Context&) {}
  void attach(Sm& sm) override { observers_.push_back(std::make_unique<DistanceObserver>(sm)); }

  std::vector<AnalysisTable> tables() const override {
    Gaps all;
    for (const auto& observer : observers_) {
      for (std::size_t i = 0; i < all.gaps.size(); ++i) all.gaps[i] += observer->gaps.gaps[i];
      for (std::size_t i = 0; i < all.active.size(); ++i) all.active[i] += observer->gaps.active[i];
      all.sum += observer->gaps.sum;
      all.near_sum += observer->gaps.near_sum;
      all.near += observer->gaps.near;
    }
    AnalysisTable gaps{"cycles",
                       "Cycles between two accesses to a register of a warp",
                       "accesses",
                       bins(kDistances, all.gaps, 0),
                       {}};
    const auto mean = [](std::uint64_t sum, std::uint64_t count) {
      return count == 0 ? 0.0 : static_cast<double>(sum) / static_cast<double>(count);
    };
    gaps.figures = {{"mean_cycles", mean(all.sum, gaps.total())},
                    {"mean_cycles_near", mean(all.near_sum, all.near)},
                    {"far_share", 1 - mean(all.near, std::max<std::uint64_t>(1, gaps.total()))}};
    return {std::move(gaps),
            {"active-lanes",
             "Lanes that execute an instruction",
             "warp-instructions",
             bins(kActive, all.active, kLanes),
             {}}};
  }

 private:
  std::vector<std::unique_ptr<DistanceObserver>> observers_;
};

const Registration<RunAnalysis, RegisterDistances> register_distances_entry{
    "register-distances", "cycles between accesses to a register, those far apart aside; lanes that execute"};

}  // namespace
}  // namespace heddle::analysis
