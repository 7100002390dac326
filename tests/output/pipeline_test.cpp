// The log of the pipeline must contain every issued instruction exactly once. Its cycles must agree with the
// counters of the run, and must not depend on the number of host threads.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "models/core/error.h"
#include "models/core/read_file.h"
#include "models/operands/register_port.h"
#include "models/sm/issue_stage.h"
#include "tests/output/kanata_log.h"
#include "tests/output/observed_run.h"
#include "tests/support/simulation.h"

namespace heddle::output {
namespace {

using Log = std::map<std::uint64_t, LoggedInstruction>;
const std::string kFile = "output.pipeline.file=";

// A path for a log of this test. The file is removed when the object is destroyed.
class LogFile {
 public:
  explicit LogFile(const std::string& name)
      : path_(testing::TempDir() + testing::UnitTest::GetInstance()->current_test_info()->name() + name) {}
  ~LogFile() { std::remove(path_.c_str()); }
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;
  std::string setting() const { return kFile + "\"" + path_ + "\""; }
  const std::string& path() const { return path_; }
  std::string text() const { return read_whole_file(path_, "a log", std::size_t{1} << 30); }

 private:
  std::string path_;
};

std::string log_of(const std::string& kernel, std::vector<std::string> settings) {
  const LogFile file(".kanata");
  settings.push_back(file.setting());
  const testing_support::Simulation simulation;
  const ObservedRun run(kernel, settings);
  return file.text();
}

TEST(PipelineLog, HasEveryInstructionOfEverySmOnce) {
  for (const char* kernel : {"bfs", "reduction"}) {
    SCOPED_TRACE(kernel);
    const testing_support::Simulation simulation;
    const LogFile file(".kanata");
    ObservedRun run(kernel, {"gpu.sms=3", "watch.sample.ctas=5", file.setting()});
    std::map<std::uint64_t, std::set<std::uint64_t>> numbers;
    Cycle last = 0;
    for (const auto& [id, one] : read_kanata(file.text())) {
      EXPECT_TRUE(numbers[one.thread].insert(one.uid).second) << "SM " << one.thread << ", " << one.uid;
      EXPECT_TRUE(one.retired) << one.label;
      EXPECT_TRUE(one.stage("F")) << one.label;
      EXPECT_TRUE(one.stage("Is")) << one.label;
      last = std::max(last, one.end);
    }
    Cycle end = 0;
    for (const run::LaunchRecord& launch : run.session().result().launches)
      end = std::max(end, launch.begin + launch.cycles);
    EXPECT_LE(last, end);
    EXPECT_GT(last + 5, end) << "the last instruction ends with the launch";
    const auto& sms = run.session().gpu().sms();
    for (std::size_t s = 0; s < sms.size(); ++s) EXPECT_EQ(numbers[s].size(), sms[s]->issue().issued()) << s;
  }
}

TEST(PipelineLog, CyclesAreThoseOfTheCounters) {
  for (const char* kernel : {"reduction", "bfs"}) {
    SCOPED_TRACE(kernel);
    const testing_support::Simulation simulation;
    const LogFile file(".kanata");
    ObservedRun run(kernel, {"gpu.sms=2", "watch.sample.ctas=3", "output.profile=true", file.setting()});
    const RegisterPort& port = run.session().gpu().sm(0).register_port(0);
    const auto read_cycles = static_cast<std::uint64_t>(port.read_latency_cycles());
    const auto collect_cycles =
        static_cast<std::uint64_t>(run.session().gpu().sm(0).parameters().register_file.banks.latency_cycles);
    std::map<std::string, std::uint64_t> waited;
    std::uint64_t collected = 0, operand_cycles = 0, unit_cycles = 0;
    for (const auto& [id, one] : read_kanata(file.text())) {
      if (one.lanes.contains(1))
        for (const LoggedStage& wait : one.lanes.at(1)) waited[wait.name] += wait.end - wait.begin;
      const LoggedStage* execution = one.stage("X") ? one.stage("X") : one.stage("Xm");
      if (!execution) continue;
      ++collected;
      const std::uint64_t latency =
          one.detail.find("reads r") != std::string::npos ? read_cycles : collect_cycles;
      const LoggedStage* holds = one.stage("Op");
      ASSERT_TRUE(holds) << one.label;
      operand_cycles += holds->begin - std::min(holds->begin, one.stage("Is")->begin + 1 + latency);
      unit_cycles += execution->begin - std::min(execution->begin, holds->begin + 1);
    }
    EXPECT_EQ(collected, run.counter("sm.partition.collectors.dispatched"));
    const auto profile = read_csv(run.text("profile.csv"));
    EXPECT_EQ(operand_cycles, sum_of(profile, "operand_cycles"));
    EXPECT_EQ(unit_cycles, sum_of(profile, "unit_cycles"));
    for (const char* reason : {"dependence", "memory", "fetch", "barrier", "fence"})
      EXPECT_EQ(waited[reason], sum_of(profile, std::string("wait_") + reason)) << reason;
    EXPECT_EQ(waited["not-picked"], sum_of(profile, "wait_not_picked"));
  }
}

TEST(PipelineLog, ChangesNoCounter) {
  std::vector<std::vector<std::uint64_t>> counters;
  for (const bool on : {false, true}) {
    const testing_support::Simulation simulation;
    const LogFile file(".kanata");
    std::vector<std::string> settings = {"gpu.sms=2"};
    if (on) settings.push_back(file.setting());
    ObservedRun run("bfs", settings);
    counters.push_back(run.session().stats().snapshot());
  }
  EXPECT_EQ(counters[0], counters[1]);
}

TEST(PipelineLog, ValuesFollowTheArrows) {
  const Log log = read_kanata(log_of("hotspot", {"watch.sample.ctas=2"}));
  const auto value_of = [](const std::string& detail, const std::string& begin) {
    const std::size_t at = detail.find(begin);
    if (at == std::string::npos) return std::string();
    const std::size_t from = detail.find(": ", at) + 2;
    return detail.substr(from, detail.find("\\n", from) - from);
  };
  std::size_t arrows = 0, compared = 0;
  for (const auto& [id, one] : log)
    for (const std::uint64_t from : one.producers) {
      const LoggedInstruction& producer = log.at(from);
      ++arrows;
      ASSERT_LE(producer.end, one.stage("Is")->begin + 1) << producer.label << " before " << one.label;
      if (producer.detail.find("lanes ffffffff") == std::string::npos) continue;
      if (one.detail.find("lanes ffffffff") == std::string::npos) continue;
      const std::size_t writes = producer.detail.find("writes r");
      if (writes == std::string::npos) continue;
      const std::string reg =
          producer.detail.substr(writes + 7, producer.detail.find(':', writes) - writes - 7);
      const std::string written = value_of(producer.detail, "writes " + reg + ":");
      const std::string read = value_of(one.detail, "reads " + reg + " from");
      // A written and a read value can be compared only if both are decimal or both hexadecimal; the format
      // depends on the instruction's type.
      if (written.starts_with("0x") != read.starts_with("0x")) continue;
      EXPECT_EQ(written, read) << producer.label << " before " << one.label;
      ++compared;
    }
  EXPECT_GT(arrows, log.size() / 2);
  EXPECT_GT(compared, log.size() / 10);
}

TEST(PipelineLog, NamesTheStageThatServedEachOperand) {
  const testing_support::Simulation simulation;
  const LogFile file(".kanata");
  ObservedRun run("matrix_mul", {R"(gpu.sm.register_file.stages=["register-cache","banks"])",
                                 "watch.sample.ctas=2", file.setting()});
  std::uint64_t cache = 0, banks = 0;
  for (const auto& [id, one] : read_kanata(file.text()))
    for (std::size_t at = 0; (at = one.detail.find(" from ", at)) != std::string::npos; ++at) {
      cache += one.detail.compare(at, 21, " from register_cache:") == 0;
      banks += one.detail.compare(at, 12, " from banks:") == 0;
    }
  const std::string owner = "sm.partition.register_cache.";
  EXPECT_GT(cache, 0u);
  EXPECT_EQ(cache, run.counter(owner + "read_hits"));
  EXPECT_EQ(banks, run.counter(owner + "read_misses") + run.counter(owner + "read_partial_hits"));
}

TEST(PipelineLog, IsTheSameOnAnyNumberOfThreads) {
  const std::vector<std::string> settings = {"gpu.sms=4", "output.pipeline.max_instructions=3000"};
  std::set<std::string> logs;
  for (const char* more :
       {"watch.threads=1", "watch.threads=3", "watch.every_cycle=true", "watch.shuffle_seed=7"}) {
    std::vector<std::string> with = settings;
    with.emplace_back(more);
    logs.insert(log_of("reduction", with));
  }
  EXPECT_EQ(logs.size(), 1u);
}

using Key = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>;
std::vector<Key> keys_of(const Log& log) {
  std::vector<Key> keys;
  for (const auto& [id, one] : log) keys.emplace_back(one.stage("Is")->begin, one.thread, one.uid);
  std::sort(keys.begin(), keys.end());
  return keys;
}

// If the log has a limit, the log must contain the earliest instructions of all SMs, whichever SM was
// simulated first. The log must also state that later instructions are missing.
TEST(PipelineLog, SaysWhereItStops) {
  const Log whole = read_kanata(log_of("reduction", {"gpu.sms=2", "watch.sample.ctas=4"}));
  const std::string text =
      log_of("reduction", {"gpu.sms=2", "watch.sample.ctas=4", "output.pipeline.max_instructions=300"});
  std::vector<Key> first = keys_of(whole);
  first.resize(300);
  EXPECT_EQ(keys_of(read_kanata(text)), first);
  EXPECT_THAT(text, testing::HasSubstr("the log stops here; output.pipeline.max_instructions: 300"));
}

TEST(PipelineLog, KeepsToItsWindowAndSms) {
  const Log whole = read_kanata(log_of("reduction", {"gpu.sms=3", "watch.sample.ctas=6"}));
  std::vector<Key> wanted;
  for (const Key& key : keys_of(whole))
    if (std::get<0>(key) >= 500 && std::get<0>(key) <= 900 && std::get<1>(key) != 1) wanted.push_back(key);
  EXPECT_FALSE(wanted.empty());
  const std::string text =
      log_of("reduction", {"gpu.sms=3", "watch.sample.ctas=6", "output.pipeline.from_cycle=500",
                           "output.pipeline.to_cycle=900", "output.pipeline.sms=[2,0]"});
  EXPECT_EQ(keys_of(read_kanata(text)), wanted);
}

TEST(PipelineLog, IsCompressedByName) {
  const std::string plain = log_of("saxpy", {"watch.sample.ctas=4"});
  const testing_support::Simulation simulation;
  const LogFile file(".kanata.gz");
  const ObservedRun run("saxpy", {"watch.sample.ctas=4", file.setting()});
  EXPECT_EQ(read_gzip(file.path()), plain);
  EXPECT_LT(file.text().size(), plain.size() / 2);
}

TEST(PipelineLog, RefusesSmsThatTheGpuDoesNotHave) {
  const testing_support::Simulation simulation;
  const LogFile file(".kanata");
  try {
    const ObservedRun run("saxpy", {"gpu.sms=2", "output.pipeline.sms=[0,2]", file.setting()});
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "output.pipeline.sms: there is no SM 2 (allowed: 0 to 1)");
  }
}

}  // namespace
}  // namespace heddle::output
