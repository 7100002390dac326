#include <gtest/gtest.h>

#include "tests/output/observed_run.h"

namespace heddle::output {
namespace {

using Rows = std::vector<std::map<std::string, std::string>>;

void expect_sums(const ObservedRun& run, const Rows& rows) {
  EXPECT_EQ(sum_of(rows, "issues"), run.counter("sm.issue.issued"));
  EXPECT_EQ(sum_of(rows, "lanes"), run.counter("sm.issue.thread_instructions"));
  EXPECT_EQ(sum_of(rows, "segments"), run.counter("sm.load_store.segments"));
  EXPECT_EQ(sum_of(rows, "shared_passes"), run.counter("sm.load_store.shared_passes"));
  EXPECT_EQ(sum_of(rows, "shared_accesses"), run.counter("sm.load_store.shared_accesses"));
}

std::uint64_t waits(const Rows& rows) {
  std::uint64_t sum = 0;
  for (const char* reason : {"not_picked", "dependence", "memory", "fetch", "barrier", "fence"})
    sum += sum_of(rows, std::string("wait_") + reason);
  return sum;
}

TEST(Profile, SumsAreTheCounters) {
  ObservedRun run("matrix_mul", {"output.profile=true"});
  const Rows rows = read_csv(run.text("profile.csv"));
  expect_sums(run, rows);
  // In every cycle, each resident warp must be counted as issuing or waiting, except in the cycle in which it
  // is placed in its slot.
  const std::uint64_t resident = run.counter("sm.issue.resident_warp_cycles");
  const std::uint64_t warps = run.counter("sm.warps");
  EXPECT_GE(waits(rows) + sum_of(rows, "issues") + warps, resident);
  EXPECT_LE(waits(rows) + sum_of(rows, "issues"), resident + warps);
}

TEST(Profile, OfSeveralLaunchesAndSmsWithDivergence) {
  ObservedRun run("bfs", {"output.profile=true", "gpu.sms=2", "gpu.sm.scheduler=two-level"});
  const Rows rows = read_csv(run.text("profile.csv"));
  expect_sums(run, rows);
  std::map<std::string, std::uint64_t> issues;
  for (const auto& row : rows) issues[row.at("kernel")] += std::stoull(row.at("issues"));
  EXPECT_EQ(issues.size(), 2u);
  for (const auto& [kernel, count] : issues) EXPECT_GT(count, 0u) << kernel;
}

TEST(Profile, PutsWaitsWhereTheyBelong) {
  ObservedRun run("reduction", {"output.profile=true"});
  std::uint64_t barrier = 0, loads = 0;
  for (const auto& row : read_csv(run.text("profile.csv"))) {
    const bool bar = row.at("instruction").rfind("bar.", 0) == 0;
    const std::uint64_t waited = std::stoull(row.at("wait_barrier"));
    barrier += waited;
    EXPECT_TRUE(bar || waited == 0) << row.at("instruction");
    EXPECT_EQ(row.at("wait_fence"), "0");
    if (row.at("instruction").find("ld.global") != std::string::npos)
      loads += std::stoull(row.at("segments"));
    EXPECT_TRUE(row.at("shared_passes") == "0" || row.at("instruction").find(".shared") != std::string::npos)
        << row.at("instruction");
    EXPECT_NE(row.at("ptx_line"), "0");
  }
  EXPECT_GT(barrier, 0u);
  EXPECT_GT(loads, 0u);
}

TEST(Profile, ShowsTheListingAndSourceLinesInTextOfLimitedWidth) {
  ObservedRun run("matrix_mul", {"output.profile=true"});
  const std::string text = run.text("profile.txt");
  EXPECT_NE(text.find("by source line"), std::string::npos);
  EXPECT_NE(text.find("kernel.cu:"), std::string::npos);
  EXPECT_NE(text.find("longest waits"), std::string::npos);
  const Rows rows = read_csv(run.text("profile.csv"));
  std::size_t found = 0;
  for (const auto& row : rows) found += text.find(row.at("instruction")) != std::string::npos;
  EXPECT_EQ(found, rows.size());
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 120u) << line;
}

TEST(Profile, NamesKernelsPlainly) {
  const std::string text = ObservedRun("hotspot", {"output.profile=true"}).text("profile.txt");
  EXPECT_NE(text.find("\nhotspot: "), std::string::npos) << text;
}

TEST(Profile, HasTheSelectedColumnsAlone) {
  const ObservedRun run("saxpy", {"output.profile=true", "output.report=true",
                                  R"(output.profile_columns=["issues","segments"])"});
  const std::string text = run.text("profile.txt"), page = run.text("report.html");
  EXPECT_NE(text.find("    issues  segs\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("energy in nJ by"), std::string::npos);
  EXPECT_NE(page.find("segments"), std::string::npos);
  EXPECT_EQ(page.find("register file nJ"), std::string::npos);
  EXPECT_THROW(check_profile_columns({"issue"}), Error);
}

TEST(Profile, SaysThatThePtxHasNoSourceLines) {
  const std::string text = ObservedRun("vector_add", {"output.profile=true"}).text("profile.txt");
  EXPECT_NE(text.find("no source lines: the PTX has no .loc"), std::string::npos) << text;
  EXPECT_EQ(text.find("by source line"), std::string::npos);
}

}  // namespace
}  // namespace heddle::output
