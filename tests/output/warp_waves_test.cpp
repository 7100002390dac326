// A waveform must have one scope for each warp. The scope has the warp's state, pc, lane mask, collector and
// unit. One time unit of the waveform must be one cycle. GTKWave must show the pc as the text of the
// instruction.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>

#include "models/sm/issue_stage.h"
#include "tests/output/observed_run.h"
#include "tests/output/vcd_file.h"

namespace heddle::output {
namespace {

using testing::HasSubstr;

constexpr const char* kWarpsOnly = "output.vcd.select=sm0.warp*.*";

class WarpWaves : public testing::Test {
 protected:
  static std::map<std::string, std::map<std::string, VcdFile::Signal>> warps_of(const VcdFile& file) {
    std::map<std::string, std::map<std::string, VcdFile::Signal>> warps;
    for (const auto& [name, signal] : file.signals) {
      const std::size_t dot = name.rfind('.');
      warps[name.substr(0, dot)][name.substr(dot + 1)] = signal;
    }
    return warps;
  }
  template <class Property>
  static std::uint64_t cycles(const VcdFile& file, const VcdFile::Signal& signal, const Property& property) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < signal.changes.size(); ++i) {
      const std::uint64_t end = i + 1 < signal.changes.size() ? signal.changes[i + 1].first : file.last;
      if (property(signal.changes[i].second)) sum += end - signal.changes[i].first;
    }
    return sum;
  }
};

TEST_F(WarpWaves, HaveOneScopeAWarpAndOneTimeUnitACycle) {
  ObservedRun run("reduction", {"output.vcd.enabled=true", kWarpsOnly, "output.profile=true"});
  const VcdFile file = read_vcd(run.text("waves.vcd"));
  EXPECT_EQ(file.timescale, "1ns");
  const auto warps = warps_of(file);
  EXPECT_EQ(warps.size(), static_cast<std::size_t>(run.session().gpu().sm(0).issue().max_warps()));
  std::uint64_t issuing = 0, barrier = 0;
  for (const auto& [name, signals] : warps) {
    std::set<std::string> names;
    for (const auto& [signal, value] : signals) names.insert(signal);
    EXPECT_EQ(names, (std::set<std::string>{"state", "pc", "mask", "collector", "unit"})) << name;
    issuing += cycles(file, signals.at("state"), [](const std::string& bits) { return bits == "1"; });
    barrier += cycles(file, signals.at("state"), [](const std::string& bits) { return bits == "110"; });
  }
  // In the cycle in which a warp issues its exit, the waveform shows the state draining, not issuing.
  // Therefore, one issue of each warp is missing in the count.
  EXPECT_EQ(issuing + run.counter("sm.warps"), run.counter("sm.issue.issued")) << "times are cycles";
  EXPECT_EQ(barrier, sum_of(read_csv(run.text("profile.csv")), "wait_barrier"));
}

// If an SM has only one warp, the signals must show at most one instruction of the warp in a collector or
// unit at a time.
TEST_F(WarpWaves, ShowWhereTheNewestInstructionIs) {
  ObservedRun run("reduction", {"output.vcd.enabled=true"});
  const VcdFile file = read_vcd(run.text("waves.vcd"));
  const auto driven = [](const std::string& bits) { return bits != "z" && bits != "x"; };
  std::uint64_t in_collectors = 0, collectors_of_warps = 0, in_units = 0;
  for (const auto& [name, signal] : file.signals) {
    if (name.find(".collectors.warp_in_") != std::string::npos) in_collectors += cycles(file, signal, driven);
    if (name.ends_with(".collector")) collectors_of_warps += cycles(file, signal, driven);
    if (name.ends_with(".unit")) in_units += cycles(file, signal, driven);
    if (!name.ends_with(".collector")) continue;
    const std::string warp = name.substr(8, 2);
    for (const auto& [time, bits] : signal.changes) {
      if (!driven(bits)) continue;
      const auto collector = std::stoul(bits, nullptr, 2);
      const std::string holder = "sm0.partition0.collectors.warp_in_" +
                                 std::string(collector < 10 ? "0" : "") + std::to_string(collector);
      std::string held;
      for (const auto& [at, value] : file.signals.at(holder).changes)
        if (at <= time) held = value;
      ASSERT_TRUE(driven(held)) << name << " at " << time;
      EXPECT_EQ(std::stoul(held, nullptr, 2), std::stoul(warp)) << name << " at " << time;
    }
  }
  EXPECT_GT(collectors_of_warps, 0u);
  EXPECT_LE(collectors_of_warps, in_collectors);
  EXPECT_GT(in_units, 0u);
}

TEST_F(WarpWaves, TranslateEachPcIntoItsInstruction) {
  ObservedRun run("bfs", {"output.vcd.enabled=true", kWarpsOnly});
  std::map<std::string, std::string> words;
  std::istringstream lines(run.text("instruction.filter"));
  for (std::string line; std::getline(lines, line);)
    words[line.substr(0, line.find(' '))] = line.substr(line.find(' ') + 1);
  std::size_t instructions = 0;
  for (const auto& [kernel, program] : run.session().programs()) instructions += program->code.size();
  EXPECT_EQ(words.size(), instructions) << "of both kernels";
  std::size_t shown = 0;
  for (const auto& [name, signal] : read_vcd(run.text("waves.vcd")).signals) {
    if (!name.ends_with(".pc")) continue;
    for (const auto& [time, bits] : signal.changes) {
      if (bits == "z" || bits == "x") continue;
      char key[9];
      std::snprintf(key, sizeof key, "%08lx", std::stoul(bits, nullptr, 2));
      EXPECT_TRUE(words.contains(key)) << name << " " << key;
      ++shown;
    }
  }
  EXPECT_GT(shown, 1000u);
}

TEST_F(WarpWaves, OpenInBothViewersWarpByWarp) {
  ObservedRun run("reduction", {"output.vcd.enabled=true"});
  const std::string save = run.text("waves.gtkw"), commands = run.text("waves.sucl");
  EXPECT_THAT(save, HasSubstr("@c00200\n-sm0 warp 03\n"));
  const std::size_t group = save.find("-sm0 warp 03\n");
  const std::string warp = save.substr(group, save.find("@1401200", group) - group);
  EXPECT_THAT(warp, HasSubstr("sm0.warp03.state[3:0]"));
  EXPECT_THAT(warp, HasSubstr("^4 instruction.filter\n+{warp03 pc} sm0.warp03.pc[31:0]"));
  EXPECT_THAT(warp, HasSubstr("^5 unit.filter\n+{warp03 unit} sm0.warp03.unit["));
  EXPECT_THAT(commands, HasSubstr("load_file waves.vcd\n"));
  EXPECT_THAT(commands, HasSubstr("divider_add sm0.warp03\nvariable_add sm0.warp03.state\n"
                                  "variable_add sm0.warp03.pc\nvariable_add sm0.warp03.mask\n"
                                  "variable_add sm0.warp03.collector\nvariable_add sm0.warp03.unit\n"));
}

}  // namespace
}  // namespace heddle::output
