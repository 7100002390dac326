#include "tests/support/conservation.h"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <string_view>

#include "models/core/registry.h"
#include "models/operands/register_port.h"
#include "models/sm/issue_stage.h"

namespace heddle::testing_support {
namespace {

class Sums {
 public:
  explicit Sums(const StatsRegistry& stats) {
    for (const CounterInfo& info : stats.counters()) values_[info.full_name()] = info.counter->value();
  }

  std::uint64_t of(const std::string& begin, std::string_view end) const {
    const std::optional<std::uint64_t> sum = find(begin, end);
    if (!sum) violations_ += fmt::format("no counter {}*{}\n", begin, end);
    return sum.value_or(0);
  }
  /// Returns the sum of the counters with this name; 0 if the machine does not have such counters.
  std::uint64_t if_any(const std::string& begin, std::string_view end) const {
    return find(begin, end).value_or(0);
  }
  std::uint64_t of(const std::string& name) const { return of(name, name); }
  std::uint64_t any(const std::string& begin) const {
    std::uint64_t sum = 0;
    for (auto it = values_.lower_bound(begin); it != values_.end() && it->first.starts_with(begin); ++it)
      sum += it->second;
    return sum;
  }

  void expect_equal(const std::string& what, std::uint64_t a, std::uint64_t b) {
    if (a != b) violations_ += fmt::format("{}: {} and {}\n", what, a, b);
  }
  void violation(const std::string& what) { violations_ += what + "\n"; }
  const std::string& violations() const { return violations_; }

 private:
  std::optional<std::uint64_t> find(const std::string& begin, std::string_view end) const {
    std::optional<std::uint64_t> sum;
    for (auto it = values_.lower_bound(begin); it != values_.end() && it->first.starts_with(begin); ++it)
      if (it->first.ends_with(end)) sum = sum.value_or(0) + it->second;
    return sum;
  }

  std::map<std::string, std::uint64_t> values_;
  mutable std::string violations_;
};

void check_issue(Sums& sums, const std::string& sm, std::uint64_t in_flight,
                 const std::vector<std::string>& reasons) {
  const std::string issue = sm + "issue.";
  const std::uint64_t issued = sums.of(issue + "issued");
  sums.expect_equal(sm + " in flight at the end", in_flight, 0);
  sums.expect_equal(sm + " issued, by scheduler", issued, sums.of(issue + "scheduler", ".issued"));
  sums.expect_equal(sm + " issued, by class", issued, sums.of(issue + "class_", ""));
  sums.expect_equal(sm + " issued, by unit", issued, sums.of(issue + "issued_", ""));
  std::uint64_t idle = 0;
  for (const std::string& reason : reasons) idle += sums.of(issue + "scheduler", ".idle_" + reason);
  sums.expect_equal(sm + " issue slots, issued + idle", sums.of(issue + "issue_slots"), issued + idle);
  const std::string front_end = sm + "front_end.";
  // Moving a register to memory or back issues an instruction that was not decoded.
  const std::uint64_t moved = sums.any(issue + "spiller.registers_");
  sums.expect_equal(sm + " decodes, metadata + issued + stale", sums.of(front_end + "decodes"),
                    sums.of(front_end + "metadata_decodes") + issued - moved + sums.of(issue + "stale"));
  sums.expect_equal(sm + " registers written out to memory, read back",
                    sums.any(issue + "spiller.registers_spilled"),
                    sums.any(issue + "spiller.registers_restored"));
  sums.expect_equal(sm + " bytes of both", sums.any(issue + "spiller.bytes"), moved * sizeof(LaneVec));
}

// Checks the accesses on the way from the register port to the banks. Each stage declares the rules for its
// accesses.
void check_stages(Sums& sums, const RegisterPath& path) {
  RegisterFlow came = path.taken();
  for (const auto& stage : path.stages()) {
    const std::optional<StageBalance> balance = stage->balance(came);
    if (!balance) {
      sums.violation(fmt::format("{} declares no conservation rules", stage->name()));
      return;
    }
    for (const StageBalance::Rule& rule : balance->rules)
      sums.expect_equal(fmt::format("{}: {}", stage->name(), rule.what), rule.left, rule.right);
    came = balance->passed;
  }
}

void check_register_path(Sums& sums, const std::string& name, Sm& sm) {
  const std::string partition = name + "partition";
  sums.expect_equal(name + " operand words, reads at the register port and of a reuse cache",
                    sums.of(name + "issue.source_words"),
                    sums.of(partition, ".register_port.reads") + sums.if_any(partition, ".reuse_hits_a") +
                        sums.if_any(partition, ".reuse_hits_b") + sums.if_any(partition, ".reuse_hits_c"));
  sums.expect_equal(name + " result words, writes at the register port", sums.of(name + "issue.result_words"),
                    sums.of(partition, ".register_port.writes"));
  for (int p = 0; p < sm.partitions(); ++p) check_stages(sums, sm.register_port(p).path());
}

void check_load_store(Sums& sums, const std::string& sm) {
  const auto of = [&](const char* name) { return sums.of(sm + "load_store." + name); };
  sums.expect_equal(sm + " memory instructions, completed ones",
                    of("loads") + of("stores") + of("atomics") + of("look_ups") + of("fences") +
                        of("prefetches") + of("copies"),
                    of("completed"));
  sums.expect_equal(sm + " segments, by kind", of("segments"),
                    of("load_segments") + of("store_segments") + of("atomic_segments"));
  sums.expect_equal(sm + " load segments, L1 accesses + bypasses", of("load_segments"),
                    of("l1_accesses") + of("l1_bypasses"));
  sums.expect_equal(sm + " L1 accesses, hits + merges + misses", of("l1_accesses"),
                    of("l1_hits") + of("l1_merges") + of("l1_misses"));
  sums.expect_equal(sm + " memory requests, their causes", of("memory_requests"),
                    of("l1_misses") + of("l1_bypasses") + of("store_segments") + of("atomic_segments") +
                        of("texture_misses"));
  sums.expect_equal(sm + " texture lines, hits + merges + misses", of("texture_lines"),
                    of("texture_hits") + of("texture_merges") + of("texture_misses"));
  sums.expect_equal(sm + " memory requests, responses", of("memory_requests"), of("memory_responses"));
}

void check_memory(Sums& sums, const std::string& model, std::uint64_t requests) {
  const auto of = [&](const char* name) { return sums.of(std::string("memory.") + name); };
  sums.expect_equal("requests of all SMs, of the atomic unit", requests, of("atomics.requests"));
  sums.expect_equal("requests of the atomic unit, its responses", requests, of("atomics.responses"));
  sums.expect_equal("requests of the atomic unit, by what happened", requests,
                    of("atomics.forwarded") + of("atomics.atomic_requests") + of("atomics.served_from_held"));
  sums.expect_equal("reads and writes of memory, what the atomic unit sent", of("reads") + of("writes"),
                    of("atomics.forwarded") + of("atomics.line_reads") + of("atomics.line_writes"));
  if (model != "cached") return;
  sums.expect_equal("requests of the L2, hits + misses + merges", of("requests"),
                    of("l2_hits") + of("l2_misses") + of("l2_merges"));
  sums.expect_equal("L2 misses, DRAM reads", of("l2_misses"), of("dram_reads"));
}

}  // namespace

std::string conservation_violations(Gpu& gpu, const StatsRegistry& stats) {
  Sums sums(stats);
  const GpuParameters& parameters = gpu.parameters();
  std::uint64_t requests = 0;
  for (int s = 0; s < parameters.sms; ++s) {
    const std::string sm = fmt::format("sm{}.", s);
    const IssueStage& issue = gpu.sm(static_cast<std::size_t>(s)).issue();
    check_issue(sums, sm, issue.in_flight(), issue.schedulers().stall_reasons());
    check_register_path(sums, sm, gpu.sm(static_cast<std::size_t>(s)));
    check_load_store(sums, sm);
    requests += sums.of(sm + "load_store.memory_requests");
  }
  check_memory(sums, choice_name(parameters.memory), requests);
  return sums.violations();
}

}  // namespace heddle::testing_support
