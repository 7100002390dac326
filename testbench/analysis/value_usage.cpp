// Analysis `value-usage`: counts how often and how soon values are read. Also measures the distance between
// accesses to a register, and the length of strands (instructions between two points at which a warp may be
// descheduled). The papers use these numbers as reasons for register hierarchies (Gebhart 2012, 2.2, Fig. 2
// and 3) and gated registers (Abdel-Majeed 2016, 5.2). Strands exist only if the compiler's pass "strands"
// ran.

#include <fmt/format.h>

#include <memory>
#include <vector>

#include "models/ports/life_event.h"
#include "models/sm/issue_stage.h"
#include "models/sm/sm.h"
#include "testbench/analysis/i_run_analysis.h"
#include "testbench/analysis/value_lifetimes.h"

namespace heddle::analysis {
namespace {

// Returns labels for bins, such as "4-7" and "64+".
template <std::size_t n>
std::vector<std::pair<std::string, std::uint64_t>> bins(const std::array<std::uint64_t, n>& lows,
                                                        const std::array<std::uint64_t, n>& counts) {
  std::vector<std::pair<std::string, std::uint64_t>> out;
  for (std::size_t i = 0; i < n; ++i) {
    const std::string label = i + 1 == n                   ? fmt::format("{}+", lows[i])
                              : lows[i + 1] == lows[i] + 1 ? fmt::format("{}", lows[i])
                                                           : fmt::format("{}-{}", lows[i], lows[i + 1] - 1);
    out.emplace_back(label, counts[i]);
  }
  return out;
}

double ratio(std::uint64_t a, std::uint64_t b) {
  return b == 0 ? 0 : static_cast<double>(a) / static_cast<double>(b);
}

class UsageObserver : public tlm::tlm_analysis_if<LifeEvent> {
 public:
  UsageObserver(Sm& sm, UsageCounts& counts)
      : warps_(static_cast<std::size_t>(sm.issue().max_warps()), ValueLifetimes(counts)) {
    sm.events.bind(*this);
    sm.observe_events();
  }
  void write(const LifeEvent& event) override {
    if (event.what == Life::issued)
      warps_[event.warp.value].issued(*event.instruction, event.mask, event.cycle);
    else if (event.what == Life::warp_ends)
      warps_[event.warp.value].ended();
  }

 private:
  std::vector<ValueLifetimes> warps_;
};

class ValueUsage : public RunAnalysis {
 public:
  ValueUsage(const NoParameters&, Context&) {}

  void attach(Sm& sm) override {
    counts_.push_back(std::make_unique<UsageCounts>());
    observers_.push_back(std::make_unique<UsageObserver>(sm, *counts_.back()));
  }

  std::vector<AnalysisTable> tables() const override {
    UsageCounts all;
    for (const auto& counts : counts_) all.add(*counts);
    std::vector<AnalysisTable> tables;
    tables.push_back(
        {"reads-per-value", "Reads of a value", "values", bins(UsageCounts::kReads, all.reads), {}});
    tables.push_back({"lifetime-read-once",
                      "Lifetime of values read once, in instructions",
                      "values",
                      bins(UsageCounts::kDistances, all.read_once),
                      {}});
    tables.push_back({"lifetime",
                      "Instructions from a value's production to its last read",
                      "values",
                      bins(UsageCounts::kDistances, all.last_read),
                      {}});
    AnalysisTable gaps{"inter-access",
                       "Instructions between two accesses to a register",
                       "accesses",
                       bins(UsageCounts::kDistances, all.gap),
                       {}};
    AnalysisTable cycles{"inter-access-cycles",
                         "Cycles between two accesses to a register",
                         "accesses",
                         bins(UsageCounts::kCycles, all.gap_cycles),
                         {}};
    cycles.figures.emplace_back("mean_cycles", ratio(all.gap_cycles_sum, cycles.total()));
    tables.push_back(std::move(gaps));
    tables.push_back(std::move(cycles));
    tables.push_back({"producers",
                      "Units that produce values",
                      "values",
                      {{"private", all.by_private}, {"shared", all.by_shared}},
                      {}});
    tables.push_back({"read-by-shared-units",
                      "Values that memory or special-function units read, by producer",
                      "values",
                      {{"private", all.private_to_shared}, {"shared", all.to_shared - all.private_to_shared}},
                      {}});
    AnalysisTable strands{"strand-lengths",
                          "Instructions of a strand",
                          "strands",
                          bins(UsageCounts::kStrands, all.strands),
                          {}};
    strands.figures.emplace_back("mean_instructions", ratio(all.strand_instructions, strands.total()));
    if (strands.total() > 0) tables.push_back(std::move(strands));
    return tables;
  }

 private:
  std::vector<std::unique_ptr<UsageCounts>> counts_;
  std::vector<std::unique_ptr<UsageObserver>> observers_;
};

const Registration<RunAnalysis, ValueUsage> value_usage_entry{
    "value-usage", "reads of values, lifetimes, distances between accesses to registers, strand lengths"};

}  // namespace
}  // namespace heddle::analysis
