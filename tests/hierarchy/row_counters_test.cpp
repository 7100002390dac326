// Tests equations between the counters of sub-banks and of accesses that are served together. They must hold
// in every interval, with all entry formats, arbiters and bank ports.

#include <gtest/gtest.h>

#include "testbench/run/run_session.h"
#include "testbench/run/scenario.h"
#include "tests/support/counts.h"
#include "tests/support/simulation.h"

namespace heddle::hierarchy {
namespace {

using testing_support::Counts;

Counts banks_of(const StatsRegistry& stats) {
  Counts counts;
  const std::string owner = "sm0.partition0.banks.";
  for (const CounterInfo& info : stats.counters())
    if (const std::string name = info.full_name(); name.starts_with(owner))
      counts[name.substr(owner.size())] = info.counter->value();
  return counts;
}

void expect_conserved(const Counts& c, std::size_t interval, bool reads_first) {
  SCOPED_TRACE(interval);
  std::uint64_t reads = 0, writes = 0, read_sub_banks = 0, write_sub_banks = 0;
  for (std::uint64_t w = 1; w <= 4; ++w) {
    const std::uint64_t r = c.at("reads_width_" + std::to_string(w)),
                        n = c.at("writes_width_" + std::to_string(w));
    reads += r;
    writes += n;
    read_sub_banks += w * r;
    write_sub_banks += w * n;
  }
  EXPECT_EQ(reads, c.at("reads"));
  EXPECT_EQ(writes, c.at("writes"));
  EXPECT_EQ(write_sub_banks, c.at("write_sub_banks"));
  if (reads_first)
    EXPECT_EQ(read_sub_banks + c.at("first_reads"), c.at("read_sub_banks")) << "the highest byte alone";
  else
    EXPECT_EQ(read_sub_banks, c.at("read_sub_banks"));
  EXPECT_EQ(reads + writes + c.at("first_reads"), c.at("accesses") + c.at("pairs_read_read") +
                                                      c.at("pairs_write_write") + c.at("pairs_read_write"));
  EXPECT_LE(c.at("pairs_same_instruction"), c.at("pairs_read_read"));
  EXPECT_LE(c.at("promotions"), c.at("partial_writes"));
  EXPECT_LE(c.at("partial_writes"), writes);
  EXPECT_LE(c.at("collector_writes"), reads);
  EXPECT_LE(c.at("collector_pairs_other_bank"), reads - c.at("collector_writes"));
}

TEST(RowCounters, ConserveAtEveryInterval) {
  for (const std::string width : {"uniform", "signed"})
    for (const std::string ports : {"1rw", "1r1w"})
      for (const std::string port : {"sliced", "whole"}) {
        SCOPED_TRACE(width + ", " + ports + ", " + port);
        run::ScenarioRequest request;
        request.gpu = "fermi-cmrc";
        request.launch = "testbench/kernels/bfs/small.json";
        const std::string file = "gpu.sm.register_file.";
        request.sets = {"gpu.sms=1",
                        "watch.check=off",
                        "watch.interval_cycles=500",
                        file + R"(banks.format={"type":"sub-banked","width":")" + width + "\"}",
                        file + "banks.arbiter=coalescing",
                        file + "banks.ports=" + ports,
                        file + "collector_port=" + port};
        const testing_support::Simulation simulation;
        std::size_t intervals = 0;
        run::RunSession* running = nullptr;
        run::RunHooks hooks;
        hooks.on_interval = [&](Cycle) {
          expect_conserved(banks_of(running->stats()), ++intervals, width == "signed");
        };
        run::RunSession session(run::read_scenario(request), hooks);
        running = &session;
        session.run();
        EXPECT_GT(intervals, 5u);
      }
}

}  // namespace
}  // namespace heddle::hierarchy
