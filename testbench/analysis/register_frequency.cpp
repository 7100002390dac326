// Analysis `register-frequency` (Abdel-Majeed 2016, 6.2, 6.3, Fig. 6.2, Table 6.1): computes the share of a
// kernel's register accesses that go to its most accessed registers. The pilot is the first warp of a kernel
// on an SM. The analysis also measures how well the pilot predicts the most accessed registers, and during
// which share of the kernel's time the pilot runs.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <vector>

#include "models/ports/life_event.h"
#include "models/sm/sm.h"
#include "testbench/analysis/i_run_analysis.h"

namespace heddle::analysis {
namespace {

constexpr std::size_t kTop = 8;
using Counts = std::vector<std::uint64_t>;

std::uint64_t sum_of(const Counts& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

/// Returns the accessed registers, sorted by number of accesses, most first. If two registers have equal
/// counts, the lower register number comes first.
std::vector<std::size_t> ranked(const Counts& counts) {
  std::vector<std::size_t> ranks;
  for (std::size_t r = 0; r < counts.size(); ++r)
    if (counts[r] != 0) ranks.push_back(r);
  std::stable_sort(ranks.begin(), ranks.end(),
                   [&](std::size_t a, std::size_t b) { return counts[a] > counts[b]; });
  return ranks;
}

void add(Counts& into, const Counts& counts) {
  if (into.size() < counts.size()) into.resize(counts.size());
  for (std::size_t r = 0; r < counts.size(); ++r) into[r] += counts[r];
}

struct Totals {
  std::uint64_t accesses = 0, kernels = 0;
  /// Entry n-1: accesses to the n most accessed registers of a kernel, summed over kernels.
  std::uint64_t top[kTop] = {};
  /// Entry n-1: accesses of all warps to the n registers that the pilot warp accessed most, summed over
  /// kernels.
  std::uint64_t pilots_top[kTop] = {};
  /// `differences`: absolute difference between a warp's and the pilot's access count of a register, summed
  /// over all registers and over all warps except the pilot. `compared`: sum, over the same warps, of all
  /// register accesses of the pilot.
  std::uint64_t differences = 0, compared = 0;
  /// `same_ranks`: number of warps whose four most accessed registers are the same as those of the pilot
  /// (first warp of a kernel on an SM). `warps`: number of warps other than the pilot.
  std::uint64_t same_ranks = 0, warps = 0;
  /// Sum over kernels: the share of the kernel's time during which its pilot warp runs.
  double pilot_time = 0;
};

class KernelOnSm {
 public:
  void started(WarpId warp, Cycle now) {
    if (begin_ == kNever) {
      begin_ = now;
      pilot_ = warp;
    }
    counts_[warp.value].clear();
  }
  void accessed(WarpId warp, std::size_t reg) {
    Counts& counts = counts_[warp.value];
    if (counts.size() <= reg) counts.resize(reg + 1);
    ++counts[reg];
  }
  void ended(WarpId warp, Cycle now) {
    end_ = now;
    Counts counts = std::move(counts_[warp.value]);
    add(all_, counts);
    if (warp == pilot_ && pilot_end_ == kNever) {
      pilot_end_ = now;
      pilots_ = std::move(counts);
    } else {
      others_.push_back(std::move(counts));
    }
  }
  void add_to(Totals& totals) const {
    if (pilot_end_ == kNever) return;
    ++totals.kernels;
    totals.accesses += sum_of(all_);
    const auto ranks = ranked(all_), by_pilot = ranked(pilots_);
    std::uint64_t sum = 0, pilots = 0;
    for (std::size_t n = 0; n < kTop; ++n) {
      if (n < ranks.size()) sum += all_[ranks[n]];
      if (n < by_pilot.size()) pilots += all_[by_pilot[n]];
      totals.top[n] += sum;
      totals.pilots_top[n] += pilots;
    }
    for (const Counts& other : others_) compare(other, totals);
    if (end_ > begin_)
      totals.pilot_time += static_cast<double>(pilot_end_ - begin_) / static_cast<double>(end_ - begin_);
  }

 private:
  void compare(const Counts& other, Totals& totals) const {
    for (std::size_t r = 0; r < std::max(other.size(), pilots_.size()); ++r) {
      const std::uint64_t a = r < other.size() ? other[r] : 0, b = r < pilots_.size() ? pilots_[r] : 0;
      totals.differences += a > b ? a - b : b - a;
      totals.compared += b;
    }
    const auto first_four = [](std::vector<std::size_t> ranks) {
      ranks.resize(std::min<std::size_t>(ranks.size(), 4));
      std::sort(ranks.begin(), ranks.end());
      return ranks;
    };
    totals.same_ranks += first_four(ranked(other)) == first_four(ranked(pilots_));
    ++totals.warps;
  }

  Cycle begin_ = kNever, end_ = 0, pilot_end_ = kNever;
  WarpId pilot_{};
  std::map<std::uint32_t, Counts> counts_;  ///< [running warp]: its access counts by register
  Counts all_, pilots_;
  std::vector<Counts> others_;
};

class FrequencyObserver : public tlm::tlm_analysis_if<LifeEvent> {
 public:
  explicit FrequencyObserver(Sm& sm) {
    sm.events.bind(*this);
    sm.observe_events();
  }
  void write(const LifeEvent& event) override {
    KernelOnSm& kernel = kernels_[event.kernel.value];
    if (event.what == Life::warp_begins) kernel.started(event.warp, event.cycle);
    if (event.what == Life::warp_ends) kernel.ended(event.warp, event.cycle);
    if (event.what != Life::issued || event.mask == 0) return;
    const isa::Instruction& i = *event.instruction;
    const auto words = [&](std::span<const isa::Operand> operands) {
      for (const isa::Operand& operand : operands)
        for (int word = 0; word < operand.words(); ++word)
          kernel.accessed(event.warp, operand.reg.value + static_cast<std::size_t>(word));
    };
    if (i.unit != isa::UnitClass::control) words(i.sources());
    words(i.destinations());
  }
  const std::map<std::uint32_t, KernelOnSm>& kernels() const { return kernels_; }

 private:
  std::map<std::uint32_t, KernelOnSm> kernels_;
};

double ratio(double a, double b) { return b == 0 ? 0 : a / b; }

class RegisterFrequency : public RunAnalysis {
 public:
  RegisterFrequency(const NoParameters&, Context&) {}

  void attach(Sm& sm) override { observers_.push_back(std::make_unique<FrequencyObserver>(sm)); }

  std::vector<AnalysisTable> tables() const override {
    Totals totals;
    for (const auto& observer : observers_)
      for (const auto& [id, kernel] : observer->kernels()) kernel.add_to(totals);
    const auto table = [&](const char* name, const char* title, const std::uint64_t* sums) {
      AnalysisTable made{name, title, "accesses", {}, {}};
      std::uint64_t before = 0;
      for (std::size_t n = 0; n < kTop; ++n) {
        made.bins.emplace_back(fmt::format("{}", n + 1), sums[n] - before);
        before = sums[n];
      }
      made.bins.emplace_back("others", totals.accesses - before);
      for (const std::size_t n : {3, 4, 5})
        made.figures.emplace_back(
            fmt::format("top_{}_share", n),
            ratio(static_cast<double>(sums[n - 1]), static_cast<double>(totals.accesses)));
      return made;
    };
    std::vector<AnalysisTable> tables;
    tables.push_back(table("by-rank", "Accesses by the rank of their register in its kernel", totals.top));
    tables.push_back(table("by-pilots-rank", "Accesses by the rank of their register for the pilot warp",
                           totals.pilots_top));
    AnalysisTable pilots{"pilots",
                         "Warps by whether their four most accessed registers are the pilot's",
                         "warps",
                         {{"same", totals.same_ranks}, {"other", totals.warps - totals.same_ranks}},
                         {}};
    pilots.figures = {
        {"difference", ratio(static_cast<double>(totals.differences), static_cast<double>(totals.compared))},
        {"time_share", ratio(totals.pilot_time, static_cast<double>(totals.kernels))}};
    tables.push_back(std::move(pilots));
    return tables;
  }

 private:
  std::vector<std::unique_ptr<FrequencyObserver>> observers_;
};

const Registration<RunAnalysis, RegisterFrequency> register_frequency_entry{
    "register-frequency",
    "accesses to the most accessed registers; whether a pilot warp finds them, and how long it runs"};

}  // namespace
}  // namespace heddle::analysis
