#include "tests/support/conservation.h"

#include <fmt/format.h>

#include <map>
#include <string_view>

#include "models/core/registry.h"

namespace heddle::testing_support {
namespace {

class Sums {
 public:
  explicit Sums(const StatsRegistry& stats) {
    for (const CounterInfo& info : stats.counters()) values_[info.full_name()] = info.counter->value();
  }

  /// Of all counters whose full name starts and ends so.
  std::uint64_t of(const std::string& begin, std::string_view end) const {
    std::uint64_t sum = 0;
    bool found = false;
    for (auto it = values_.lower_bound(begin); it != values_.end() && it->first.starts_with(begin); ++it) {
      if (!it->first.ends_with(end)) continue;
      sum += it->second;
      found = true;
    }
    if (!found) violations_ += fmt::format("no counter {}*{}\n", begin, end);
    return sum;
  }
  std::uint64_t of(const std::string& name) const { return of(name, name); }

  void expect_equal(const std::string& what, std::uint64_t a, std::uint64_t b) {
    if (a != b) violations_ += fmt::format("{}: {} and {}\n", what, a, b);
  }
  const std::string& violations() const { return violations_; }

 private:
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
  sums.expect_equal(sm + " decodes, metadata + issued + stale", sums.of(front_end + "decodes"),
                    sums.of(front_end + "metadata_decodes") + issued + sums.of(issue + "stale"));
}

// What a stage lets pass of the words that come from above.
void pass_operand_file(Sums& sums, const std::string& partition, std::uint64_t& reads,
                       std::uint64_t& writes) {
  const auto of = [&](const char* name) { return sums.of(partition, std::string(".operand_file.") + name); };
  for (const char* name : {"operand_private_reads", "operand_shared_reads", "last_result_private_reads",
                           "last_result_shared_reads"})
    reads -= of(name);
  writes -= of("kept_writes");
}

void pass_register_cache(Sums& sums, const std::string& partition, const std::string& stage,
                         std::uint64_t& reads, std::uint64_t& writes) {
  const auto of = [&](const char* name) { return sums.of(partition, "." + stage + "." + name); };
  const std::uint64_t below = of("read_partial_hits") + of("read_misses") + of("direct_reads");
  sums.expect_equal(partition + " reads that come to " + stage + ", hits and others", reads,
                    of("read_hits") + below);
  sums.expect_equal(partition + " writes that come to " + stage + ", written there or below", writes,
                    of("private_writes") + of("shared_writes") + of("upper_writes") + of("bypassed_writes"));
  sums.expect_equal(partition + " hits of " + stage + ", reads by datapath",
                    of("read_hits") + of("read_partial_hits"), of("private_reads") + of("shared_reads"));
  reads = below;
  writes = of("writebacks") + of("flush_writebacks") + of("bypassed_writes");
}

// From the register port down to the banks; false if the path has a stage of another kind.
bool pass_stages(Sums& sums, const std::string& partition, const std::vector<ConfigNode>& stages,
                 std::uint64_t& reads, std::uint64_t& writes) {
  const auto type = [&](std::size_t i) { return choice_name(stages[i]); };
  for (std::size_t i = 0; i + 1 < stages.size(); ++i)
    if (type(i) != "operand-file" && type(i) != "register-cache") return false;
  for (std::size_t i = 0; i + 1 < stages.size(); ++i) {
    if (type(i) == "operand-file") {
      pass_operand_file(sums, partition, reads, writes);
      continue;
    }
    std::size_t below = 1;
    for (std::size_t j = i + 1; j < stages.size(); ++j) below += type(j) == "register-cache";
    pass_register_cache(sums, partition,
                        below > 1 ? fmt::format("register_cache{}", below) : "register_cache", reads, writes);
  }
  return true;
}

void check_register_path(Sums& sums, const std::string& sm, const std::vector<ConfigNode>& stages) {
  const std::string partition = sm + "partition";
  const std::uint64_t sources = sums.of(sm + "issue.source_words");
  const std::uint64_t results = sums.of(sm + "issue.result_words");
  sums.expect_equal(sm + " operand words, reads at the register port", sources,
                    sums.of(partition, ".register_port.reads"));
  sums.expect_equal(sm + " result words, writes at the register port", results,
                    sums.of(partition, ".register_port.writes"));
  std::uint64_t reads = sources, writes = results;
  if (!pass_stages(sums, partition, stages, reads, writes)) return;
  sums.expect_equal(sm + " reads that pass the stages, reads of banks", reads,
                    sums.of(partition, ".banks.reads"));
  sums.expect_equal(sm + " writes that pass the stages, writes of banks", writes,
                    sums.of(partition, ".banks.writes"));
}

void check_load_store(Sums& sums, const std::string& sm) {
  const auto of = [&](const char* name) { return sums.of(sm + "load_store." + name); };
  sums.expect_equal(sm + " memory instructions, completed ones",
                    of("loads") + of("stores") + of("atomics") + of("fences") + of("prefetches"),
                    of("completed"));
  sums.expect_equal(sm + " segments, by kind", of("segments"),
                    of("load_segments") + of("store_segments") + of("atomic_segments"));
  sums.expect_equal(sm + " load segments, L1 accesses + bypasses", of("load_segments"),
                    of("l1_accesses") + of("l1_bypasses"));
  sums.expect_equal(sm + " L1 accesses, hits + merges + misses", of("l1_accesses"),
                    of("l1_hits") + of("l1_merges") + of("l1_misses"));
  sums.expect_equal(sm + " memory requests, their causes", of("memory_requests"),
                    of("l1_misses") + of("l1_bypasses") + of("store_segments") + of("atomic_segments"));
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
    check_issue(sums, sm, issue.in_flight(), issue.stall_reasons());
    check_register_path(sums, sm, parameters.sm.register_file.stages);
    check_load_store(sums, sm);
    requests += sums.of(sm + "load_store.memory_requests");
  }
  check_memory(sums, choice_name(parameters.memory), requests);
  return sums.violations();
}

}  // namespace heddle::testing_support
