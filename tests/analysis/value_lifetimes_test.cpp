// Compares statistics of register values (reads, lifetimes, distances between accesses) with counts made by
// hand.

#include "testbench/analysis/value_lifetimes.h"

#include <gtest/gtest.h>

#include <numeric>

#include "models/core/config_node.h"
#include "tests/cli/program.h"

namespace heddle::analysis {
namespace {

using isa::Instruction;
using isa::Operand;

constexpr LaneMask kAll = kAllLanes, kLow = 0xffff, kHigh = 0xffff0000;

Instruction instruction(std::vector<std::uint32_t> to, std::vector<std::uint32_t> from,
                        isa::UnitClass unit = isa::UnitClass::int_, int bits = 32) {
  Instruction i;
  i.unit = unit;
  for (const std::uint32_t reg : to) i.add_dst(Operand::make_reg(RegId(reg), bits));
  for (const std::uint32_t reg : from) i.add_src(Operand::make_reg(RegId(reg), bits));
  return i;
}

template <class Bins>
std::uint64_t total(const Bins& bins) {
  return std::accumulate(bins.begin(), bins.end(), std::uint64_t{0});
}

TEST(ValueLifetimes, FollowsAShortProgram) {
  UsageCounts counts;
  ValueLifetimes warp(counts);
  warp.issued(instruction({1}, {}), kAll, 10);
  warp.issued(instruction({2}, {1, 1}), kAll, 12);
  warp.issued(instruction({1}, {}), kAll, 14);
  warp.issued(instruction({3}, {2}, isa::UnitClass::ldst), kAll, 20);
  warp.issued(instruction({}, {1}), kAll, 50);
  warp.ended();
  // In the test's program, the first value of r1 is read twice, r2 and the second value of r1 are read once,
  // and r3 is never read.
  EXPECT_EQ(counts.reads, (std::array<std::uint64_t, 5>{1, 2, 1, 0, 0}));
  // The two values that are read once (of r1 and r2) are read two instructions after they were written.
  EXPECT_EQ(counts.read_once[1], 2u);
  EXPECT_EQ(total(counts.read_once), 2u);
  EXPECT_EQ(counts.last_read[0], 1u) << "the first r1, by the next instruction";
  EXPECT_EQ(total(counts.last_read), 3u);
  // Distances between accesses to the same register: 1, 1 and 2 instructions for r1 (instructions 1, 2, 3 and
  // 5), and 2 for r2 (instructions 2 and 4). Reading a register twice in one instruction is one access.
  EXPECT_EQ(counts.gap[0], 2u);
  EXPECT_EQ(counts.gap[1], 2u);
  EXPECT_EQ(total(counts.gap), 4u);
  EXPECT_EQ(counts.gap_cycles_sum, 2u + 2u + 36u + 8u);
  EXPECT_EQ(counts.by_shared, 1u);
  EXPECT_EQ(counts.by_private, 3u);
  EXPECT_EQ(counts.to_shared, 1u);
  EXPECT_EQ(counts.private_to_shared, 1u);
}

TEST(ValueLifetimes, LanesKeepTheirOwnValues) {
  UsageCounts counts;
  ValueLifetimes warp(counts);
  warp.issued(instruction({1}, {}), kAll, 1);
  warp.issued(instruction({1}, {}), kLow, 2);
  warp.issued(instruction({}, {1}), kHigh, 3);
  warp.issued(instruction({}, {1}), kAll, 4);
  warp.issued(instruction({1}, {}), 0, 5);
  EXPECT_EQ(total(counts.reads), 0u) << "both live";
  warp.issued(instruction({1}, {}), kAll, 6);
  EXPECT_EQ(counts.reads, (std::array<std::uint64_t, 5>{0, 1, 1, 0, 0}));
  warp.ended();
  EXPECT_EQ(total(counts.reads), 3u);
}

TEST(ValueLifetimes, APairIsTwoRegisters) {
  UsageCounts counts;
  ValueLifetimes warp(counts);
  warp.issued(instruction({4}, {}, isa::UnitClass::int_, 64), kAll, 1);
  warp.issued(instruction({}, {5}), kAll, 2);
  warp.ended();
  EXPECT_EQ(counts.reads, (std::array<std::uint64_t, 5>{1, 1, 0, 0, 0}));
}

TEST(ValueLifetimes, Strands) {
  UsageCounts counts;
  ValueLifetimes warp(counts);
  Instruction first = instruction({1}, {});
  first.begins_strand = true;
  Instruction last = instruction({}, {1});
  last.ends_strand = true;
  warp.issued(first, kAll, 0);
  warp.issued(instruction({}, {1}), kAll, 5);
  warp.issued(last, kAll, 205);
  warp.issued(instruction({}, {}), kAll, 206);
  warp.ended();
  EXPECT_EQ(counts.strands[1], 1u) << "three instructions";
  EXPECT_EQ(counts.strand_instructions, 3u);
}

TEST(ValueLifetimes, WarpsAreApart) {
  UsageCounts counts;
  ValueLifetimes warp(counts);
  warp.issued(instruction({1}, {}), kAll, 1);
  warp.ended();
  warp.issued(instruction({}, {1}), kAll, 9);
  warp.ended();
  EXPECT_EQ(counts.reads, (std::array<std::uint64_t, 5>{1, 0, 0, 0, 0}));
  EXPECT_EQ(total(counts.gap), 0u);
}

TEST(Analyze, TablesAddUpToTheRunsCounters) {
  test::Folder folder;
  const std::string kernel = test::source("testbench/kernels/reduction/small.json");
  const auto run = [&](std::vector<std::string> more) {
    std::vector<std::string> arguments = {"run", "--launch", kernel, "--gpu", "fermi-gebhart", "--quiet"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const test::ProgramResult result = test::run_program(arguments, folder.path());
    EXPECT_EQ(result.status, 0) << result.err;
  };
  run({"--out", "plain"});
  run({"--out", "analyzed", "--analyze", "value-usage"});
  EXPECT_EQ(folder.read("plain/stats.csv"), folder.read("analyzed/stats.csv"));
  EXPECT_FALSE(folder.has("plain/analysis.csv"));
  const std::string csv = folder.read("analyzed/analysis.csv");
  std::uint64_t values = 0;
  for (std::size_t at = 0; (at = csv.find("\nvalue-usage,reads-per-value,", at)) != std::string::npos;) {
    at = csv.find(',', csv.find(',', at + 1) + 1) + 1;
    values += std::stoull(csv.substr(csv.find(',', at) + 1));
  }
  const ConfigNode root = parse_config_text(folder.read("analyzed/result.json"), "result.json");
  std::uint64_t words = 0;
  for (const auto& [name, count] : root.find("total")->find("counters")->members)
    if (name.ends_with(".issue.result_words")) words += static_cast<std::uint64_t>(count.integer);
  EXPECT_EQ(values, words) << "every result word is a value";
  EXPECT_NE(folder.read("analyzed/analysis.md").find("## Reads of a value"), std::string::npos);
}

}  // namespace
}  // namespace heddle::analysis
