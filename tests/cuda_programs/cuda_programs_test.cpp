// Runs complete CUDA programs under `heddle exec`. Tests outputs, table of launches, captures that can be
// repeated, and CUDA's errors for incorrect input.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>

#include "../cli/program.h"
#include "models/core/config_node.h"

namespace heddle::test {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string cuda_program(const std::string& name) { return std::string(CUDA_PROGRAMS) + "/" + name; }

ProgramResult exec(std::vector<std::string> words, const Folder& folder) {
  words.insert(words.begin(), "exec");
  return run_program(words, folder.path());
}

std::multiset<std::string> data_of_outputs(const std::string& folder) {
  constexpr std::size_t kLengthAt = 8, kHeaderAt = 10;
  std::multiset<std::string> all;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".npy") continue;
    std::ifstream in(entry.path(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const auto length = static_cast<unsigned char>(text.at(kLengthAt)) +
                        256u * static_cast<unsigned char>(text.at(kLengthAt + 1));
    all.insert(text.substr(kHeaderAt + length));
  }
  return all;
}

class Programs : public testing::TestWithParam<const char*> {};

TEST_P(Programs, RunsTimedAndIsChecked) {
  const Folder folder;
  const std::string program = cuda_program(GetParam());
  if (!std::filesystem::exists(program)) GTEST_SKIP() << "nvcc or OpenMP is missing";
  const ProgramResult run =
      exec({"--gpu", "fermi-gtx480", "--set", "gpu.sms=1", "--check", "on", "--out", "out", "--", program},
           folder);
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  EXPECT_THAT("\n" + run.out, HasSubstr("\n0 wrong of "));
  const ConfigNode result = parse_config_text(folder.read("out/program.json"), "program.json");
  const ConfigNode& total = *result.find("total");
  EXPECT_GT(total.find("launches")->integer, 0);
  EXPECT_EQ(total.find("checked")->integer, total.find("launches")->integer);
  EXPECT_EQ(total.find("different")->integer, 0);
  EXPECT_GT(total.find("cycles")->integer, 0);
  EXPECT_GT(total.find("energy_pj")->number, 0);
}

INSTANTIATE_TEST_SUITE_P(All, Programs,
                         testing::Values("bfs", "block_collectives", "constants", "copies", "cuda_11080",
                                         "cuda_12090", "cuda_13000", "driver_api", "dynamic_shared", "files",
                                         "grid_heap", "halves", "host_in_c", "host_math", "linked_by_name",
                                         "managed_list", "openmp", "pointer_structs", "pools",
                                         "run_time_link", "streams_events", "templates", "texture_objects",
                                         "texture_references", "textures", "thrust_algorithms", "translated",
                                         "nvcc_grid_heap", "nvcc_files", "nvcc_linked", "nvcc_managed_list",
                                         "nvcc_texture_objects", "nvcc_textures"),
                         [](const auto& test) { return std::string(test.param); });

TEST(Exec, TimesTheLaunchesThatAreNamed) {
  const Folder folder;
  const ProgramResult run = exec({"--gpu", "fermi-gtx480", "--set", "gpu.sms=1", "--launches", "1,expand:1",
                                  "--out", "out", "--", cuda_program("bfs")},
                                 folder);
  EXPECT_EQ(run.status, 0) << run.err;
  const ConfigNode result = parse_config_text(folder.read("out/program.json"), "program.json");
  const std::vector<ConfigNode>& launches = result.find("launches")->items;
  ASSERT_GT(launches.size(), 3u);
  for (std::size_t i = 0; i < launches.size(); ++i) {
    EXPECT_EQ(launches[i].find("timed")->boolean, i < 2) << i;
    EXPECT_GT(launches[i].find("instructions")->integer, 0);
  }
  EXPECT_THAT(folder.read("out/launches.csv"), HasSubstr("\n1,expand,5x1x1,64x1x1,0,"));
}

TEST(Exec, ViewShowsALaunchOfAProgram) {
  const Folder folder;
  const ProgramResult run =
      exec({"--gpu", "fermi-gtx480", "--quiet", "--out", "out", "--", cuda_program("bfs"), "100"}, folder);
  ASSERT_EQ(run.status, 0) << run.err;
  const ProgramResult view = run_program({"view", "out", "--launch", "1", "--to", "200"}, folder.path());
  ASSERT_EQ(view.status, 0) << view.err;
  EXPECT_THAT(folder.read("view.html"), HasSubstr("\"kernels\":[\"\",\"expand\"]"));
  for (const std::vector<std::string>& wrong :
       {std::vector<std::string>{"--launch", "99"}, {"--sm", "15"}, {"--sm", "14"}}) {
    std::vector<std::string> words = {"view", "out", "--out", "none.html"};
    words.insert(words.end(), wrong.begin(), wrong.end());
    const ProgramResult refused = run_program(words, folder.path());
    EXPECT_EQ(refused.status, 1) << wrong[1];
    EXPECT_THAT(refused.err, HasSubstr(wrong[0]));
    EXPECT_EQ(std::count(refused.err.begin(), refused.err.end(), '\n'), 1) << refused.err;
    EXPECT_FALSE(folder.has("none.html"));
  }
}

TEST(Exec, WhyExplainsAProgramByKernel) {
  const Folder folder;
  const ProgramResult run =
      exec({"--gpu", "fermi-gtx480", "--quiet", "--report", "--out", "out", "--", cuda_program("bfs"), "100"},
           folder);
  ASSERT_EQ(run.status, 0) << run.err;
  ASSERT_EQ(run_program({"pack", "out", "-o", "p.heddle", "--quiet"}, folder.path()).status, 0);
  const ProgramResult why = run_program({"why", "out"}, folder.path());
  EXPECT_THAT(why.out, HasSubstr("1. "));
  for (const char* result : {"out/program.json", "p.heddle"})
    EXPECT_EQ(run_program({"why", result}, folder.path()).out, why.out) << result;
  const ConfigNode tree = parse_config_text(run_program({"why", "out", "--json"}, folder.path()).out, "why");
  double slots = 0;
  for (const ConfigNode& cause : tree.find("causes")->items) slots += cause.find("slots")->number;
  EXPECT_NEAR(slots, 1, 1e-9);
  EXPECT_THAT(folder.read("out/report.html"), HasSubstr("Why it takes these cycles"));
}

TEST(Exec, CapturedLaunchesAreRepeatedBitForBit) {
  const Folder folder;
  ProgramResult run = exec({"--quiet", "--capture", "captured", "--", cuda_program("bfs"), "100"}, folder);
  EXPECT_EQ(run.status, 0) << run.err;
  ASSERT_TRUE(folder.has("captured/0002-expand/launch.json"));
  EXPECT_LT(std::filesystem::file_size(folder.path() + "/captured/pages.bin"), 12u * 4096);
  for (const char* const gpu : {"fermi-gtx480", "kepler-gtx780"}) {
    run = run_program({"run", "--launch", "captured/0002-expand/launch.json", "--gpu", gpu, "--set",
                       "gpu.sms=1", "--set", "gpu.memory.buffer_base=17179869184"},
                      folder.path());
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_THAT(run.out, HasSubstr("(captured)"));
    EXPECT_THAT(run.out, Not(HasSubstr("DIFFERENT")));
  }
  std::string pages = folder.read("captured/pages.bin");
  pages[0] = static_cast<char>(pages[0] + 1);
  folder.write("captured/pages.bin", pages);
  run = run_program({"reference", "captured/0002-expand/launch.json"}, folder.path());
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.err, HasSubstr("holds other pages than were captured"));
}

TEST(Exec, VariablesAndStructuresOfPointersAreCaptured) {
  const Folder folder;
  for (const char* const name :
       {"constants", "pointer_structs", "files", "dynamic_shared", "textures", "texture_references"}) {
    ProgramResult run = exec({"--quiet", "--capture", name, "--", cuda_program(name)}, folder);
    ASSERT_EQ(run.status, 0) << run.err;
    for (const auto& launch : std::filesystem::directory_iterator(folder.path() + "/" + name)) {
      if (!launch.is_directory()) continue;
      run = run_program({"run", "--quiet", "--launch", launch.path() / "launch.json", "--gpu", "fermi-gtx480",
                         "--set", "gpu.sms=1"},
                        folder.path());
      EXPECT_EQ(run.status, 0) << launch.path() << run.err;
    }
  }
}

// The test makes a draft of a launch file from a captured launch. A run of the draft must repeat the launch.
// Only if the captured memory contains addresses, buffers must keep their captured addresses.
TEST(Exec, DraftsOfCapturedLaunchesAreComplete) {
  struct Case {
    const char *program, *launch;
    bool keeps_places;
  };
  const Folder folder;
  for (const Case& c : {Case{"bfs", "0002-expand", false},
                        {"constants", "0000-apply", false},
                        {"pointer_structs", "0005-sum_rows", true},
                        {"textures", "0000-look", true}}) {
    SCOPED_TRACE(c.program);
    ProgramResult run = exec({"--quiet", "--capture", c.program, "--", cuda_program(c.program)}, folder);
    ASSERT_EQ(run.status, 0) << run.err;
    const std::string name = std::string(c.program) + "/" + c.launch,
                      drafted = std::string(c.program) + ".json";
    ASSERT_TRUE(folder.has(name + "/launch.json")) << name;
    run = run_program({"draft", name + "/launch.json", "--out", drafted}, folder.path());
    ASSERT_EQ(run.status, 0) << run.err;
    const std::string text = folder.read(drafted);
    EXPECT_THAT(text, Not(HasSubstr("\"?\"")));
    EXPECT_EQ(text.find("Memory holds addresses") != std::string::npos, c.keeps_places) << text;
    const ProgramResult real =
        run_program({"reference", name + "/launch.json", "--out", name + "-out"}, folder.path());
    run = run_program({"reference", drafted, "--out", drafted + "-out"}, folder.path());
    EXPECT_EQ(real.status, 0) << real.err;
    ASSERT_EQ(run.status, 0) << run.err << text;
    const auto should = data_of_outputs(folder.path() + "/" + name + "-out"),
               is = data_of_outputs(folder.path() + "/" + drafted + "-out");
    EXPECT_FALSE(is.empty());
    for (const std::string& data : is) EXPECT_TRUE(should.contains(data)) << text;
  }
}

TEST(Exec, CapturesAreKernelsOfExperiments) {
  const Folder folder;
  ProgramResult run = exec({"--quiet", "--capture", "captured", "--capture-launches", "representatives", "--",
                            cuda_program("bfs"), "40"},
                           folder);
  ASSERT_EQ(run.status, 0) << run.err;
  folder.write("mine.json", R"json({
    "name": "mine", "description": "captures",
    "base": {"gpu": {"preset": "fermi-gtx480", "sms": 1}},
    "variants": [{"name": "plain"}, {"name": "gto", "set": {"gpu.sm.scheduler": "gto"}}],
    "sizes": {"quick": {"kernels": ["captured/*"]}},
    "figures": [{"id": "time", "title": "Run time", "kind": "bars", "metric": "cycles / base(cycles)",
                 "relative_to": "plain"}]
  })json");
  run = run_program({"experiment", "mine.json", "--out", "results"}, folder.path());
  ASSERT_EQ(run.status, 0) << run.out << run.err;
  const std::string results = folder.read("results/results.csv");
  EXPECT_THAT(results, HasSubstr("\n0000-expand,plain,,,"));
  EXPECT_THAT(results, HasSubstr("\n0000-expand,gto,,,gto,,,,done,"));
  EXPECT_GT(std::count(results.begin(), results.end(), '\n'), 4);
}

TEST(Exec, RepresentativesStandForLaunchesThatAreAlike) {
  const Folder folder;
  const ProgramResult run = exec({"--gpu", "fermi-gtx480", "--set", "gpu.sms=1", "--launches",
                                  "representatives", "--capture", "captured", "--capture-launches",
                                  "representatives", "--out", "out", "--", cuda_program("bfs"), "3000"},
                                 folder);
  ASSERT_EQ(run.status, 0) << run.err;
  const ConfigNode result = parse_config_text(folder.read("out/program.json"), "program.json");
  const std::vector<ConfigNode>& launches = result.find("launches")->items;
  std::int64_t represented = 0, representatives = 0;
  for (std::size_t i = 0; i < launches.size(); ++i) {
    const ConfigNode& launch = launches[i];
    const auto of = static_cast<std::size_t>(launch.find("representative")->integer);
    ASSERT_LE(of, i);
    EXPECT_EQ(launch.find("timed")->boolean, of == i) << i;
    EXPECT_EQ(launch.find("captured") != nullptr, of == i) << i;
    EXPECT_EQ(launch.find("represents") != nullptr, of == i) << i;
    if (of == i) {
      ++representatives;
      represented += launch.find("represents")->integer;
      EXPECT_TRUE(launch.find("equal")->boolean);
    }
  }
  EXPECT_EQ(represented, static_cast<std::int64_t>(launches.size()));
  EXPECT_LT(representatives, represented);
  EXPECT_GT(representatives, 1);
  const std::string table = folder.read("captured/launches.csv");
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), representatives + 1);
  EXPECT_THAT(table, HasSubstr("\n0000-expand,0,expand,"));
  const ProgramResult both = exec(
      {"--gpu", "fermi-gtx480", "--estimate", "--launches", "representatives", "--", cuda_program("bfs")},
      folder);
  EXPECT_EQ(both.status, 1);
  EXPECT_THAT(both.err, HasSubstr("representatives with --estimate"));
}

TEST(Exec, SaysWhyALaunchDiffers) {
  const Folder folder;
  const ProgramResult run = exec({"--gpu", "fermi-gtx480", "--set", "gpu.sms=1", "--out", "out", "--report",
                                  "--", cuda_program("bad_input"), "order"},
                                 folder);
  EXPECT_EQ(run.status, 3) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("words differ"));
  EXPECT_THAT(run.out, HasSubstr("  atomics: kernel take_places: the order of atomics decides"));
  const ConfigNode result = parse_config_text(folder.read("out/program.json"), "program.json");
  EXPECT_FALSE(result.find("launches")->items.at(0).find("races")->items.empty());
  EXPECT_THAT(folder.read("out/report.html"), HasSubstr("the order of atomics decides"));
}

TEST(Exec, ChecksNameTheLaunchesWithFaults) {
  const std::vector<std::vector<std::string>> ways = {
      {"--check", "memory,races"},
      {"--check", "memory,races", "--gpu", "fermi-gtx480", "--set", "gpu.sms=1", "--out", "out"}};
  const Folder folder;
  for (std::vector<std::string> words : ways) {
    words.insert(words.end(), {"--", cuda_program("checks")});
    const ProgramResult run = exec(words, folder);
    EXPECT_EQ(run.status, 3) << run.out << run.err;
    for (const char* line : {"launch 1 races: kernel last_writes", "launch 2 memory: kernel fill",
                             "launch 4 memory: kernel read", "checks: 3 findings"})
      EXPECT_THAT(run.out, HasSubstr(line));
  }
  const ConfigNode result = parse_config_text(folder.read("out/program.json"), "program.json");
  EXPECT_EQ(result.find("launches")->items.at(1).find("findings")->integer, 1);
  const ProgramResult freed = exec({"--check", "memory", "--", cuda_program("checks"), "freed"}, folder);
  EXPECT_THAT(freed.out, HasSubstr("an illegal memory access was encountered"));
  EXPECT_THAT(freed.out, HasSubstr("is out of bounds"));
  const ProgramResult off = exec({"--check", "off", "--", cuda_program("checks")}, folder);
  EXPECT_EQ(off.status, 0) << off.err;
  EXPECT_THAT(off.out, testing::Not(HasSubstr("checks:")));
}

TEST(Exec, AKernelThatReadsTheTimeEqualsTheReference) {
  const Folder folder;
  const ProgramResult run =
      exec({"--gpu", "fermi-gtx480", "--set", "gpu.sms=1", "--", cuda_program("bad_input"), "clock"}, folder);
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("1 equal"));
}

// The program measures latencies of instructions by reading the clock. The program must find the latencies of
// the timed machine, even if the run uses estimates or times only a sample of launches.
TEST(Exec, AProgramMeasuresTheConfiguredLatenciesByTheClock) {
  const std::vector<std::vector<std::string>> ways = {{}, {"--estimate"}, {"--check", "off"}};
  for (const std::vector<std::string>& way : ways) {
    const Folder folder;
    std::vector<std::string> words = {"--gpu", "maxwell-gtx980", "--set", "gpu.sms=1"};
    words.insert(words.end(), way.begin(), way.end());
    words.insert(words.end(), {"--", cuda_program("clocks")});
    const ProgramResult run = exec(words, folder);
    EXPECT_EQ(run.status, 0) << run.out << run.err;
    EXPECT_THAT(run.out, HasSubstr("integer add: 6.0 cycles"));
    EXPECT_THAT(run.out, HasSubstr("integer multiply: 13.0 cycles"));
    EXPECT_THAT(run.out, HasSubstr("single-precision add: 6.0 cycles"));
    EXPECT_THAT(run.out, HasSubstr("double-precision add: 38.0 cycles"));
    if (way.empty()) EXPECT_THAT(run.out, HasSubstr("1 equal"));
  }
}

// If outputs cannot be compared, the error must name the cause: timed run and reference read the clock a
// different number of times, or the order of atomics differs. Any other difference must be reported as a
// difference.
TEST(Exec, ADifferenceThatComesOfWaitingByTheClockIsNotComparable) {
  const std::vector<std::string> words = {"--gpu",     "fermi-gtx480", "--set",
                                          "gpu.sms=2", "--",           cuda_program("clocks")};
  std::vector<std::string> waits = words, tickets = words, races = words;
  waits.push_back("waits");
  tickets.push_back("tickets");
  races.push_back("races");
  const Folder folder;
  ProgramResult run = exec(waits, folder);
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("1 not comparable"));
  EXPECT_THAT(run.out, HasSubstr("read the clock at line"));
  run = exec(tickets, folder);
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("1 not comparable"));
  EXPECT_THAT(run.out, HasSubstr("old values of atomics"));
  EXPECT_THAT(run.out, HasSubstr("the order of atomics decides"));
  tickets.insert(tickets.begin(), {"--capture", "captured"});
  exec(tickets, folder);
  const ProgramResult again = run_program(
      {"run", "--launch", "captured/0000-tickets/launch.json", "--gpu", "fermi-gtx480", "--set", "gpu.sms=2"},
      folder.path());
  EXPECT_EQ(again.status, 0) << again.out << again.err;
  EXPECT_THAT(again.out, HasSubstr("old values of atomics"));
  run = exec(races, folder);
  EXPECT_EQ(run.status, 3) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("1 DIFFERENT"));
}

TEST(Exec, LocksEndTimedAndUntimedFromSm70On) {
  const std::vector<std::vector<std::string>> ways = {{}, {"--gpu", "maxwell-gtx980", "--set", "gpu.sms=2"}};
  for (const std::vector<std::string>& way : ways) {
    const Folder folder;
    std::vector<std::string> words = way;
    words.insert(words.end(), {"--", cuda_program("locks")});
    const ProgramResult run = exec(words, folder);
    EXPECT_EQ(run.status, 0) << run.out << run.err;
    for (const char* lock : {"cas_in_loop: 128", "exch_in_loop: 128", "flag_in_loop: 128", "cas_before: 128",
                             "exch_before: 128", "turns: 128", "one_a_warp: 4", "flag_then_barrier: 128"})
      EXPECT_THAT(run.out, HasSubstr(lock));
  }
}

TEST(Exec, LocksBeforeSm70EndOrAreNamed) {
  const std::vector<std::vector<std::string>> ways = {
      {},
      {"--gpu", "maxwell-gtx980", "--set", "gpu.sms=2"},
      {"--gpu", "maxwell-gtx980", "--set", "gpu.sms=2", "--check", "off"}};
  for (const std::vector<std::string>& way : ways)
    for (const auto& [lock, ends] :
         {std::pair("cas_in_loop", true), {"one_a_warp", true}, {"cas_before", false}}) {
      const Folder folder;
      std::vector<std::string> words = way;
      words.insert(words.end(), {"--", cuda_program("locks_61"), lock});
      const ProgramResult run = exec(words, folder);
      if (ends) {
        EXPECT_EQ(run.status, 0) << run.out << run.err;
        continue;
      }
      EXPECT_THAT(run.err, HasSubstr("cannot end: every warp that runs repeats itself"));
      EXPECT_THAT(run.err, HasSubstr("for them at line"));
    }
}

TEST(Exec, AnInterruptKeepsWhatHasRun) {
  const Folder folder;
  const ProgramResult run = exec({"--gpu", "fermi-gtx480", "--set", "gpu.sms=1", "--out", "out", "--progress",
                                  "--", cuda_program("bad_input"), "interrupt"},
                                 folder);
  EXPECT_EQ(run.status, 130) << run.out << run.err;
  EXPECT_THAT(run.out, Not(HasSubstr("not interrupted")));
  EXPECT_THAT(run.err, HasSubstr("ended early by a signal"));
  const ConfigNode result = parse_config_text(folder.read("out/program.json"), "program.json");
  EXPECT_TRUE(result.find("end")->find("interrupted")->boolean);
  EXPECT_EQ(result.find("total")->find("launches")->integer, 3);
  EXPECT_EQ(result.find("total")->find("checked")->integer, 3);
}

TEST(Exec, WritesAWaveformAndAReport) {
  const Folder folder;
  const ProgramResult run =
      exec({"--gpu", "fermi-gtx480", "--set", "gpu.sms=1", "--launches", "expand:1", "--vcd", "--vcd-select",
            "sm0.warp00.*", "--report", "--out", "out", "--", cuda_program("bfs"), "40"},
           folder);
  EXPECT_EQ(run.status, 0) << run.err;
  const std::string waves = folder.read("out/waves/waves.vcd");
  EXPECT_THAT(waves, HasSubstr("$enddefinitions"));
  EXPECT_THAT(waves, HasSubstr("\n#"));
  const std::string report = folder.read("out/report.html");
  EXPECT_THAT(report, HasSubstr("1 launch was compared, and equals the untimed reference."));
  EXPECT_THAT(report, HasSubstr(">expand<"));
}

TEST(Exec, AgainstPlainMakesBothRuns) {
  const Folder folder;
  const ProgramResult run = exec({"--gpu", "fermi-gtx480", "--set", "gpu.sms=1", "--with", "warped-gates",
                                  "--against", "plain", "--out", "out", "--", cuda_program("bfs"), "40"},
                                 folder);
  ASSERT_EQ(run.status, 0) << run.err;
  const std::string said = "wrong of 40";
  ASSERT_NE(run.out.find(said), std::string::npos) << run.out;
  EXPECT_EQ(run.out.find(said), run.out.rfind(said));
  for (const char* line : {"  of it leakage ", "\n  execution ", "\n    fp ", "\n  register_file ",
                           "gpu.sm.gating.fp.policy = none | adaptive\n", "\nwarped-gates against plain: "})
    EXPECT_THAT(run.out, HasSubstr(line));
  EXPECT_THAT(run.out, Not(HasSubstr("power.technologies ="))) << "the same prices";
  const auto total = [&](const std::string& file) {
    return *parse_config_text(folder.read(file), file).find("total");
  };
  const ConfigNode both = parse_config_text(folder.read("out/comparison.json"), "comparison.json");
  const ConfigNode& spent = *both.find("energy")->find("total")->find("total_nj");
  const ConfigNode plain = total("out/against/program.json"), own = total("out/program.json");
  EXPECT_DOUBLE_EQ(spent.items.at(0).number, plain.find("energy")->find("total")->find("total_nj")->number);
  EXPECT_DOUBLE_EQ(spent.items.at(1).number, own.find("energy")->find("total")->find("total_nj")->number);
  EXPECT_NEAR(own.find("energy_pj")->number / 1e3, spent.items.at(1).number, 1e-6 * spent.items.at(1).number);
  EXPECT_EQ(exec({"--against", "plain", "--", cuda_program("bfs")}, folder).status, 1);
  const ProgramResult stored =
      exec({"--gpu", "fermi-gtx480", "--set", "gpu.sms=1", "--with", "hybrid", "--against",
            "out/against/program.json", "--", cuda_program("bfs"), "40"},
           folder);
  EXPECT_EQ(stored.status, 0) << stored.err;
  EXPECT_THAT(stored.out, HasSubstr("hybrid against out/against/program.json: "));
}

// Small launches must be timed completely, so their values are exact, and their confidence intervals have
// width 0. A launch that is like an earlier launch must not be timed.
TEST(Exec, Estimates) {
  const Folder folder;
  std::vector<std::string> words = {"--gpu", "fermi-gtx480",      "--set", "gpu.sms=1", "--out", "whole",
                                    "--",    cuda_program("bfs"), "400"};
  ProgramResult run = exec(words, folder);
  EXPECT_EQ(run.status, 0) << run.err;
  words[5] = "estimated";
  words.insert(words.begin(), "--estimate");
  run = exec(words, folder);
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("\nestimate  "));
  const auto total_of = [&](const std::string& name) {
    return *parse_config_text(folder.read(name + "/program.json"), "program.json").find("total");
  };
  const ConfigNode whole = total_of("whole"), estimated = total_of("estimated");
  const ConfigNode& cycles = *estimated.find("estimate")->find("cycles");
  const auto exact = static_cast<double>(whole.find("cycles")->integer);
  EXPECT_LE(cycles.find("low")->number, exact);
  EXPECT_GE(cycles.find("high")->number, exact);
  EXPECT_LE(estimated.find("estimate")->find("instructions_timed")->integer,
            estimated.find("estimate")->find("instructions")->integer);
  run = exec({"--estimate", "--", cuda_program("bfs")}, folder);
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.err, HasSubstr("nothing is timed without a GPU"));
}

std::vector<std::string> estimating(const std::string& out, std::vector<std::string> more,
                                    const std::string& nodes) {
  std::vector<std::string> words = {"--estimate", "--gpu", "fermi-gtx480", "--set", "gpu.sms=1",
                                    "--out",      out,     "--report"};
  words.insert(words.end(), more.begin(), more.end());
  words.insert(words.end(), {"--", cuda_program("bfs"), nodes});
  return words;
}

std::vector<std::vector<std::string>> csv_rows(const std::string& text) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    rows.emplace_back();
    for (std::string field; std::getline(fields, field, ',');) rows.back().push_back(field);
  }
  return rows;
}

double column(const std::vector<std::vector<std::string>>& rows, const std::string& name) {
  const auto at = std::find(rows[0].begin(), rows[0].end(), name) - rows[0].begin();
  double sum = 0;
  for (std::size_t i = 1; i < rows.size(); ++i) sum += std::stod(rows[i].at(static_cast<std::size_t>(at)));
  return sum;
}

TEST(Exec, RowsOfAnEstimateAddUpToItsTotal) {
  const Folder folder;
  const ProgramResult run = exec(estimating("out", {"--check", "off"}, "20000"), folder);
  ASSERT_EQ(run.status, 0) << run.err;
  const ConfigNode total = *parse_config_text(folder.read("out/program.json"), "program.json").find("total");
  const ConfigNode& estimate = *total.find("estimate");
  const auto rows = csv_rows(folder.read("out/launches.csv"));
  const double cycles = estimate.find("cycles")->find("value")->number;
  EXPECT_THAT(folder.read("out/launches.csv"), HasSubstr(",like ")) << "else nothing is between others";
  EXPECT_EQ(column(rows, "cycles"), cycles);
  EXPECT_EQ(total.find("cycles")->number, cycles);
  for (const char* key : {"energy_pj", "dynamic_pj"}) {
    const double energy = estimate.find(key)->find("value")->number;
    EXPECT_NEAR(column(rows, key) / energy, 1, 1e-9) << key;
    EXPECT_NEAR(total.find(key)->number / energy, 1, 1e-9) << key;
  }
  EXPECT_TRUE(total.find("estimated")->boolean);
  EXPECT_THAT(run.out, HasSubstr(" ~" + std::to_string(std::llround(cycles))));
  EXPECT_THAT(run.out, HasSubstr(" by launches that are like them; ~: estimated"));
  EXPECT_THAT(folder.read("out/report.html"), HasSubstr("Values with ~ are estimated"));
}

TEST(Exec, RowsOfSeveralProcessesAddUpToTheirEstimate) {
  const Folder folder;
  folder.write("both.sh", cuda_program("bfs") + " 8000\n" + cuda_program("bfs") + " 20000\n");
  const ProgramResult run = exec({"--estimate", "--gpu", "fermi-gtx480", "--set", "gpu.sms=1", "--check",
                                  "off", "--out", "out", "--", "sh", "both.sh"},
                                 folder);
  ASSERT_EQ(run.status, 0) << run.err;
  const ConfigNode total = *parse_config_text(folder.read("out/program.json"), "program.json").find("total");
  EXPECT_EQ(column(csv_rows(folder.read("out/launches.csv")), "cycles"),
            total.find("estimate")->find("cycles")->find("value")->number);
  EXPECT_GT(total.find("launches")->integer, 20);
}

TEST(Exec, DifferencesOfProgramsAreOfTheSamePlaces) {
  const Folder folder;
  const std::vector<std::string> paired = {"--check", "off", "--set", "estimate.paired_share=0.15"};
  ProgramResult run = exec(estimating("plain", paired, "100000"), folder);
  ASSERT_EQ(run.status, 0) << run.err;
  std::vector<std::string> other = paired;
  other.insert(other.end(), {"--with", "virtualization", "--against", "plain/program.json"});
  run = exec(estimating("other", other, "100000"), folder);
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("virtualization (estimated) against plain/program.json (estimated): "));
  EXPECT_THAT(run.out, HasSubstr(" places that both timed"));
  const auto read = [&](const std::string& file) { return parse_config_text(folder.read(file), file); };
  const auto cycles = [&](const std::string& name) {
    return read(name + "/program.json").find("total")->find("cycles")->number;
  };
  const ConfigNode both = read("other/comparison.json");
  const ConfigNode& difference = both.find("paired")->items.at(1);
  EXPECT_GT(difference.find("places")->integer, 2);
  EXPECT_NEAR(difference.find("ratio")->number, cycles("other") / cycles("plain"), 1e-9);
  for (const ConfigNode* of : {&difference, difference.find("energy")}) {
    const double ratio = of->find("ratio")->number;
    EXPECT_LT(of->find("low")->number, ratio);
    EXPECT_LT(of->find("high")->number - ratio, 0.03 * ratio) << "that of two estimates is wider";
  }
  EXPECT_THAT(folder.read("other/report.html"),
              HasSubstr(">Compared with plain/program.json (estimated)</h2>"));
  run = run_program({"compare", "plain/program.json", "other/program.json"}, folder.path());
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr(" places that both timed"));
  EXPECT_THAT(std::regex_replace(run.out, std::regex("\\s+"), " "),
              HasSubstr("% less energy of SM, L1, L2 and DRAM (+-"));
  run = exec({"--gpu", "fermi-gtx480", "--set", "gpu.sms=1", "--check", "off", "--against",
              "plain/program.json", "--", cuda_program("bfs"), "40"},
             folder);
  EXPECT_THAT(run.out, HasSubstr("note: this run runs " + cuda_program("bfs") + " 40, not " +
                                 cuda_program("bfs") + " 100000"));
}

TEST(Exec, OnlyAProgramsResultStandsBesideAProgram) {
  const Folder folder;
  folder.write("p.json", R"({"format": 1, "command": ["./p"], "kernels": [], "end": {"interrupted": false},
    "total": {"launches": 2, "timed": 0, "checked": 0, "different": 0}})");
  folder.write("r.json", R"({"format": 1, "configuration": {}})");
  const auto against = [&](std::vector<std::string> words) {
    words.insert(words.end(), {"--", cuda_program("bfs"), "40"});
    return exec(words, folder).err;
  };
  EXPECT_THAT(against({"--against", "p.json"}), HasSubstr("nothing is timed without a GPU"));
  EXPECT_THAT(against({"--gpu", "fermi-gtx480", "--against", "p.json"}),
              HasSubstr("p.json: no launch of this program was timed"));
  EXPECT_THAT(against({"--gpu", "fermi-gtx480", "--against", "r.json"}),
              HasSubstr("r.json: no \"interrupted\""));
  EXPECT_THAT(against({"--gpu", "fermi-gtx480", "--against", "./q.json"}),
              HasSubstr("q.json: cannot read this file"));
  EXPECT_THAT(against({"--gpu", "fermi-gtx480", "--against", "quickstarts"}),
              HasSubstr("unknown technique or scenario \"quickstarts\""));
}

// With --lenient, reads just beyond a buffer must return padding. Writes must still be errors.
TEST(Exec, LenientReadsGivePaddingAndAreCounted) {
  const Folder folder;
  ProgramResult run = exec({"--lenient", "--", cuda_program("bad_input"), "outside"}, folder);
  EXPECT_THAT(run.out, HasSubstr("outside: cudaSuccess"));
  EXPECT_THAT(run.out, HasSubstr("2 reads of threads just outside of an allocation"));
  run = exec({"--lenient", "--", cuda_program("bad_input"), "illegal-address"}, folder);
  EXPECT_THAT(run.out, HasSubstr("illegal-address: cudaErrorIllegalAddress"));
  EXPECT_THAT(run.err, HasSubstr("a write of 4 bytes"));
  run = exec({"--", cuda_program("bad_input"), "outside"}, folder);
  EXPECT_THAT(run.out, HasSubstr("outside: cudaErrorIllegalAddress"));
}

struct Mistake {
  const char* argument;
  const char* error;
  const char* said;
};

void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.argument; }

class Mistakes : public testing::TestWithParam<Mistake> {};

TEST_P(Mistakes, GiveCudasErrorAndALine) {
  const Folder folder;
  const Mistake& mistake = GetParam();
  const ProgramResult run = exec({"--gpu", "fermi-gtx480", "--set", "gpu.sms=1", "--quiet", "--",
                                  cuda_program("bad_input"), mistake.argument},
                                 folder);
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr(mistake.error));
  EXPECT_THAT(run.err, HasSubstr(mistake.said));
  EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
}

INSTANTIATE_TEST_SUITE_P(
    All, Mistakes,
    testing::Values(
        Mistake{"wrong-pointer", "wrong-pointer: cudaErrorInvalidValue", "the target is no device memory"},
        Mistake{"too-long", "too-long: cudaErrorInvalidValue", "run past the end"},
        Mistake{"host-pointer", "host-pointer: cudaErrorInvalidValue", "the target is no device memory"},
        Mistake{"direction", "direction: cudaErrorInvalidMemcpyDirection", "direction 9"},
        Mistake{"out-of-memory", "out-of-memory: cudaErrorMemoryAllocation",
                "no room for 1125899906842624 bytes"},
        Mistake{"double-free", "double-free: cudaErrorInvalidValue", "was freed already"},
        Mistake{"missing-symbol", "missing-symbol: cudaErrorInvalidSymbol", "no variable of the device"},
        Mistake{"driver-call", "driver-call: cudaErrorNotSupported",
                "cuTexRefCreate: Heddle does not have this call"},
        Mistake{"device", "device: cudaErrorInvalidDevice", "there is only device 0"},
        Mistake{"stream", "stream: cudaErrorInvalidResourceHandle", "a stream that was not created"},
        Mistake{"fork", "fork: cudaErrorInitializationError", "forked"},
        Mistake{"threads", "threads: cudaErrorInvalidConfiguration\nafter: cudaSuccess",
                "a block of 2000 threads"},
        Mistake{"shared", "shared: cudaErrorInvalidValue", "1048576 bytes of dynamic shared memory"},
        Mistake{"registers", "registers: cudaErrorLaunchOutOfResources\nfewer: cudaSuccess",
                "blocks of 1024 threads with"},
        Mistake{"illegal-address",
                "illegal-address: cudaErrorIllegalAddress\nsticky: cudaErrorIllegalAddress\nstill: "
                "cudaErrorIllegalAddress\nreset: cudaSuccess",
                "thread (4,0,0): store of 4 bytes"},
        Mistake{"misaligned", "misaligned: cudaErrorMisalignedAddress", "misaligned"},
        Mistake{"trap", "trap: cudaErrorLaunchFailure", "trap"},
        Mistake{"assert", "assert: cudaErrorAssert\nsticky: cudaErrorAssert", "bad_input.cu:"}),
    [](const auto& test) {
      std::string name = test.param.argument;
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

struct Described {
  const char* gpu;
  std::vector<std::string> figures;
};

TEST(Exec, ReportsTheFiguresOfThePreset) {
  const Folder folder;
  const Described machines[] = {
      {"fermi-gtx480",
       {"l2 786432", "bus 384", "memory-khz 1848000", "khz 700000", "sms 15", "shared-block 49152",
        "shared-optin 49152", "shared-sm 49152", "registers-block 32768", "registers-sm 32768",
        "threads-sm 1536", "threads-block 1024", "blocks-sm 8", "warp 32", "double-ratio 8"}},
      {"kepler-gtx780",
       {"l2 1572864", "bus 384", "memory-khz 3004000", "khz 863000", "shared-block 49152",
        "registers-block 65536", "threads-sm 2048", "blocks-sm 16", "double-ratio 24"}},
      {"maxwell-gtx980",
       {"l2 2097152", "bus 256", "memory-khz 3505000", "khz 1126000", "shared-block 49152",
        "shared-optin 49152", "shared-sm 98304", "registers-block 65536", "threads-sm 2048", "blocks-sm 32",
        "double-ratio 32"}},
      {"fermi-gebhart", {"l2 0", "shared-block 32768", "shared-optin 32768", "threads-sm 1024"}},
      {"", {"l2 786432", "bus 384", "shared-block 49152", "shared-optin 65536", "shared-sm 65536"}}};
  for (const Described& machine : machines) {
    SCOPED_TRACE(machine.gpu);
    std::vector<std::string> words{"--quiet"};
    if (*machine.gpu) words.insert(words.end(), {"--gpu", machine.gpu});
    words.insert(words.end(), {"--", cuda_program("device")});
    const ProgramResult run = exec(words, folder);
    EXPECT_EQ(run.status, 0) << run.err << run.out;
    EXPECT_THAT(run.out, HasSubstr("0 wrong of 15"));
    for (const std::string& figure : machine.figures)
      EXPECT_THAT("\n" + run.out, HasSubstr("\n" + figure + "\n"));
  }
  const ProgramResult other =
      exec({"--quiet", "--gpu", "maxwell-gtx980", "--set", "gpu.memory.l2.bytes=1048576", "--set",
            "gpu.device.shared_bytes_per_block_optin=98304", "--", cuda_program("device")},
           folder);
  EXPECT_THAT(other.out, HasSubstr("l2 1048576\n"));
  EXPECT_THAT(other.out, HasSubstr("shared-optin 98304\n"));
}

TEST(Exec, RefusesUntimedLaunchesBeyondThePreset) {
  const Folder folder;
  const auto run = [&](const char* gpu, const char* optin, const char* argument) {
    return exec({"--quiet", "--gpu", gpu, "--launches", "99", "--set",
                 std::string("gpu.device.shared_bytes_per_block_optin=") + optin, "--",
                 cuda_program("bad_input"), argument},
                folder)
        .out;
  };
  EXPECT_EQ(run("fermi-gtx480", "49152", "registers"),
            "registers: cudaErrorLaunchOutOfResources\nfewer: cudaSuccess\n");
  EXPECT_EQ(run("kepler-gtx780", "49152", "shared"), "shared: cudaErrorInvalidValue\n");
  EXPECT_EQ(run("maxwell-gtx980", "49152", "optin"),
            "optin: cudaErrorInvalidValue\nlaunch: cudaErrorInvalidValue\nless: cudaSuccess\n");
  EXPECT_EQ(run("maxwell-gtx980", "98304", "optin"),
            "optin: cudaSuccess\nlaunch: cudaSuccess\nless: cudaSuccess\n");
  const ProgramResult nothing_timed = exec({"--quiet", "--", cuda_program("bad_input"), "shared"}, folder);
  EXPECT_EQ(nothing_timed.out, "shared: cudaErrorInvalidValue\n");
}

TEST(Exec, RefusesWhatItCannotRun) {
  const Folder folder;
  const auto expect_error = [&](const std::vector<std::string>& words, const std::string& text) {
    const ProgramResult run = exec(words, folder);
    EXPECT_EQ(run.status, 1) << text;
    EXPECT_THAT(run.err, HasSubstr(text));
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
  };
  const std::string program = cuda_program("bfs");
  expect_error({"--gpu", "fermi-gtx480"}, "no program is named");
  expect_error({"--", "./absent"}, "no such program");
  expect_error({"--launches", "1", "--", program}, "nothing is timed without a GPU");
  expect_error({"--gpu", "fermi-gtx480", "--launches", "1,", "--", program}, "ends with a comma");
  expect_error({"--gpu", "fermi-gtx480", "--launches", "5-3", "--", program}, "means no launches");
  expect_error({"--gpu", "none", "--", program}, "unknown GPU preset");
  folder.write("full", "x");
  expect_error({"--capture", ".", "--", program}, "is not empty");
  const ProgramResult none = exec({"--", "/bin/true"}, folder);
  EXPECT_EQ(none.status, 0);
  EXPECT_THAT(none.err, HasSubstr("has made no CUDA call"));
  const ProgramResult failed = exec({"--quiet", "--", "/bin/sh", "-c", "exit 7"}, folder);
  EXPECT_EQ(failed.status, 7);
}

}  // namespace
}  // namespace heddle::test
