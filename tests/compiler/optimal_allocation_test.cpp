// Compares the greedy allocation of entries with the optimal allocation, on random small strands. To find the
// optimum, the test tries every value in every entry: for the value's first read only, for its first two
// reads, and so on. The test prints and records the difference between the two allocations.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <random>

#include "models/compiler/compilation_unit.h"
#include "models/compiler/predict_accesses.h"
#include "models/compiler/upper_allocation.h"
#include "tests/compiler/annotated_kernel.h"
#include "tests/compiler/level_proofs.h"

namespace heddle::compiler {
namespace {

std::string random_strand(std::uint32_t seed, int length) {
  std::mt19937 dice(seed);
  const auto below = [&](std::uint32_t n) { return dice() % n; };
  std::string body = "mov.u32 %r0, %tid.x;\nmov.u32 %r1, %ctaid.x;\nbar.sync 0;\nA: ";
  std::uint32_t known = 2;
  for (int n = 0; n < length; ++n) {
    const std::uint32_t d = below(3) == 0 ? below(known) : known++;
    body += "add.u32 %r" + std::to_string(d) + ", %r" + std::to_string(below(known - (d == known - 1))) +
            ", %r" + std::to_string(below(known - (d == known - 1))) + ";\n";
  }
  body += "bar.sync 0;\n";
  for (std::uint32_t r = 0; r < known; r += 2)
    body += "st.shared.u32 [0x" + std::to_string(1000000 + 4 * r) + "], %r" + std::to_string(r) + ";\n";
  return body;
}

class Exhaustive {
 public:
  Exhaustive(const RegionValues& values, const CandidateRules& rules, int entries)
      : values_(values), rules_(rules), entries_(entries) {
    for (int web = 0; web < values.webs(); ++web) add(rules.of_web(web));
    std::map<std::uint32_t, std::vector<int>> entering;
    for (std::size_t r = 0; r < values.reads().size(); ++r)
      if (values.reads()[r].kind == RegionRead::Kind::entering)
        entering[values.reads()[r].reg].push_back(static_cast<int>(r));
    for (const auto& [reg, reads] : entering)
      for (const Candidate& c : rules.of_fills(reads)) add(c);
  }

  double best() {
    std::vector<double> rest(choices_.size() + 1, 0);
    for (std::size_t n = choices_.size(); n-- > 0;) rest[n] = rest[n + 1] + choices_[n].front().saved_pj;
    rest_ = std::move(rest);
    go(0, EntryTable(entries_, values_.region().code.size()), 0);
    return best_;
  }

 private:
  void add(Candidate c) {
    std::vector<Candidate> ranges;
    for (; !c.reads.empty(); c.reads.pop_back())
      if (rules_.evaluate(c) && c.saved_pj > 0) ranges.push_back(c);
    std::sort(ranges.begin(), ranges.end(),
              [](const Candidate& a, const Candidate& b) { return a.saved_pj > b.saved_pj; });
    if (!ranges.empty()) choices_.push_back(std::move(ranges));
  }

  void go(std::size_t n, const EntryTable& table, double saved) {
    best_ = std::max(best_, saved);
    if (n == choices_.size() || saved + rest_[n] <= best_) return;
    for (const Candidate& c : choices_[n]) {
      for (int e = 0; e < entries_; ++e) {
        if (!table.find(values_, c, e, e + 1)) continue;
        EntryTable with = table;
        with.take(values_, c, {e});
        go(n + 1, with, saved + c.saved_pj);
      }
    }
    go(n + 1, table, saved);
  }

  const RegionValues& values_;
  const CandidateRules& rules_;
  int entries_;
  std::vector<std::vector<Candidate>> choices_;
  std::vector<double> rest_;
  double best_ = 0;
};

TEST(OptimalAllocation, GreedyIsCloseAndNeverBetter) {
  double optimal_sum = 0, greedy_sum = 0, scratchpad_sum = 0;
  int exact = 0, strands = 0;
  for (std::uint32_t seed = 0; seed < 150; ++seed) {
    const int entries = 1 + static_cast<int>(seed % 3), length = 5 + static_cast<int>(seed % 5);
    const std::string body = random_strand(seed, length);
    const test::AnnotatedKernel greedy(body, {R"("strands")", test::operand_file(entries, "pr")});
    const test::AnnotatedKernel other(body, {R"("strands")", test::scratchpad(entries)});
    AccessEnergy energy;
    energy.operand_read_pj = 1.2;
    energy.operand_write_pj = 4.4;
    energy.main_wire_pj = energy.operand_wire_pj = energy.operand_wire_shared_pj = energy.last_wire_pj = 0;
    CompilationUnit unit(greedy.program());
    const auto regions = find_regions(unit.program(), unit.control_flow(), true);
    const Region& region = regions[static_cast<std::size_t>(greedy.strand("A"))];
    const RegionValues values(unit.program(), region, unit.thread_liveness());
    const CandidateRules rules(unit.program(), values, energy, {});
    const double optimal = Exhaustive(values, rules, entries).best();
    const auto saved = [&](const isa::Program& program) {
      const auto in = [&](std::size_t n) {
        return std::uint64_t{
            std::binary_search(region.code.begin(), region.code.end(), static_cast<std::uint32_t>(n))};
      };
      return predict_flat_accesses(program, in).energy_pj(energy) -
             predict_accesses(program, in).energy_pj(energy);
    };
    const double by_greedy = saved(greedy.program());
    EXPECT_LE(by_greedy, optimal + 1e-9) << "seed " << seed;
    EXPECT_GE(by_greedy, 0) << "seed " << seed;
    EXPECT_GE(saved(other.program()), 0) << "seed " << seed;
    optimal_sum += optimal;
    greedy_sum += by_greedy;
    scratchpad_sum += saved(other.program());
    exact += by_greedy > optimal - 1e-9;
    ++strands;
  }
  std::printf(
      "savings of the best allocation: greedy (Gebhart 2012) %.2f %%, optimal in %d of %d strands; "
      "scratchpad (Bailey 2018) "
      "%.2f %%\n",
      100 * greedy_sum / optimal_sum, exact, strands, 100 * scratchpad_sum / optimal_sum);
  RecordProperty("greedy_percent_of_optimum", static_cast<int>(100 * greedy_sum / optimal_sum));
  EXPECT_GT(greedy_sum, 0.9 * optimal_sum);
  EXPECT_LT(greedy_sum, optimal_sum) << "greedy is a heuristic: somewhere it must lose";
}

}  // namespace
}  // namespace heddle::compiler
