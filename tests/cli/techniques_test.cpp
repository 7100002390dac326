// For every pair of techniques, a run with both must either have the same outputs as the reference, or be
// refused. The error of a refusal must name both techniques and say how to choose one.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "models/core/config_node.h"
#include "models/core/error.h"
#include "program.h"
#include "testbench/run/scenario.h"

namespace heddle::test {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> techniques() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(source("configs/techniques")))
    names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

class Techniques : public ::testing::Test {
 protected:
  ProgramResult run(std::vector<std::string> more, const std::string& gpu = "fermi-gtx480") {
    std::vector<std::string> arguments = {
        "run",       "--launch", source("testbench/kernels/reduction/small.json"),
        "--gpu",     gpu,        "--set",
        "gpu.sms=1", "--check",  "on"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments, folder.path());
  }
  ConfigNode result(std::vector<std::string> more) {
    more.insert(more.end(), {"--out", "out"});
    const ProgramResult done = run(more);
    EXPECT_EQ(done.status, 0) << done.err;
    return parse_config_text(folder.read("out/result.json"), "result.json");
  }
  static std::string configured(const ConfigNode& result, const std::string& key, const std::string& member) {
    const ConfigNode& sm = *result.find("configuration")->find("gpu")->find("sm");
    return to_json(*(key.empty() ? sm.find(member) : sm.find(key)->find(member)));
  }
  Folder folder;
};

void expect_in(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "no " << part << " in\n" << text;
}

TEST_F(Techniques, EveryOneRunsOnEveryPreset) {
  for (const std::string& name : techniques())
    for (const char* gpu : {"fermi-gtx480", "fermi-gebhart", "maxwell-gtx980"}) {
      const ProgramResult done = run({"--with", name, "--quiet"}, gpu);
      EXPECT_EQ(done.status, 0) << name << " on " << gpu << ": " << done.err;
    }
}

// Returns the error of a scenario with these techniques, or "". The function simulates nothing.
std::string refusal(const std::vector<std::string>& with) {
  run::ScenarioRequest request;
  request.gpu = "fermi-gtx480";
  request.with = with;
  try {
    run::read_scenario(request);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

using Pair = std::pair<std::string, std::string>;
Pair pair_of(const std::string& a, const std::string& b) { return a < b ? Pair(a, b) : Pair(b, a); }

// Returns sets of at most `size` techniques. Every pair of `allowed` is in at least one set, and every pair in
// a set is in `allowed`. Each set starts with a pair that no earlier set has. The technique that adds the most
// such pairs is then added to the set, until the set is full or no technique adds a pair.
std::vector<std::vector<std::string>> sets_with_every_pair(const std::set<Pair>& allowed, std::size_t size) {
  const std::vector<std::string> names = techniques();
  std::set<Pair> left = allowed;
  std::vector<std::vector<std::string>> sets;
  while (!left.empty()) {
    std::vector<std::string> chosen = {left.begin()->first, left.begin()->second};
    while (chosen.size() < size) {
      std::ptrdiff_t most = 0;
      std::string best;
      for (const std::string& name : names) {
        const auto in = [&](const std::set<Pair>& pairs) {
          return std::count_if(chosen.begin(), chosen.end(),
                               [&](const std::string& other) { return pairs.count(pair_of(name, other)); });
        };
        if (in(allowed) < std::ssize(chosen) || in(left) <= most) continue;
        most = in(left);
        best = name;
      }
      if (best.empty()) break;
      chosen.push_back(best);
    }
    for (const std::string& a : chosen)
      for (const std::string& b : chosen) left.erase(pair_of(a, b));
    sets.push_back(std::move(chosen));
  }
  return sets;
}

// Four techniques run together, so that a run tests six pairs. HEDDLE_FULL runs each pair alone. The test uses
// each pair in one order only, because technique_merging_test.cpp checks that both orders give the same
// configuration.
TEST_F(Techniques, EveryPairRunsRightOrIsRefusedByName) {
  const std::vector<std::string> names = techniques();
  std::set<Pair> allowed;
  int refused = 0;
  for (std::size_t a = 0; a < names.size(); ++a)
    for (std::size_t b = a + 1; b < names.size(); ++b) {
      const std::string error = refusal({names[a], names[b]});
      if (error.empty()) {
        allowed.insert({names[a], names[b]});
        continue;
      }
      ++refused;
      expect_in(error, "--with " + names[a] + " --with " + names[b] + ": both decide the ");
      expect_in(error, "decides it");
    }
  EXPECT_GT(allowed.size(), 20u);
  EXPECT_GT(refused, 10) << "two schedulers, two gating policies, two sizes of one cache";
  for (const auto& with : sets_with_every_pair(allowed, std::getenv("HEDDLE_FULL") ? 2 : 4)) {
    std::vector<std::string> arguments = {"--quiet"};
    for (const std::string& name : with) arguments.insert(arguments.end(), {"--with", name});
    const ProgramResult done = run(arguments);
    EXPECT_EQ(done.status, 0) << ::testing::PrintToString(with) << ": " << done.err;
  }
}

TEST_F(Techniques, TheirOrderDoesNotMatter) {
  const ConfigNode one = result({"--with", "hybrid", "--with", "warped-gates", "--with", "read-distances"});
  const ConfigNode two = result({"--with", "read-distances", "--with", "warped-gates", "--with", "hybrid"});
  EXPECT_EQ(to_json(*one.find("total")), to_json(*two.find("total")));
  EXPECT_EQ(to_json(*one.find("configuration")->find("compiler")),
            to_json(*two.find("configuration")->find("compiler")));
  expect_in(to_json(*one.find("techniques")), "warped-gates");
  const std::string stages = configured(one, "register_file", "stages");
  EXPECT_LT(stages.find("read-distances"), stages.find("operand-file"));
  EXPECT_LT(stages.find("operand-file"), stages.find("register-cache"));
  EXPECT_LT(stages.find("register-cache"), stages.find("banks"));
  expect_in(configured(one, "", "scheduler"), "gates");
}

TEST_F(Techniques, AConflictIsDecidedBySet) {
  const std::vector<std::string> both = {"--with", "hybrid", "--with", "register-cache"};
  const ProgramResult refused = run(both);
  EXPECT_EQ(refused.status, 1);
  expect_in(refused.err, "gpu.sm.register_file.stages[register-cache].");
  std::vector<std::string> decided = both;
  decided.insert(decided.end(), {"--set", R"(gpu.sm.register_file.stages=["banks"])", "--quiet"});
  EXPECT_EQ(run(decided).status, 0) << "the whole list is the user's";
  const ProgramResult schedulers = run({"--with", "two-level", "--with", "gates"});
  expect_in(schedulers.err, "gpu.sm.scheduler is ");
  EXPECT_EQ(run({"--with", "two-level", "--with", "gates", "--scheduler", "gto", "--quiet"}).status, 0);
}

TEST_F(Techniques, WhatIsRequiredIsPutThereOrRefused) {
  expect_in(configured(result({"--with", "hybrid", "--set", "gpu.sm.max_ctas=4"}), "", "scheduler"),
            "two-level");
  folder.write(
      "t.json",
      R"({"description": "d", "requires": [{"parameter": "gpu.sm.scheduler", "one_of": ["lrr"], "why": "w"}]})");
  const ProgramResult refused = run({"--with", "./t.json"});
  EXPECT_EQ(refused.status, 1);
  expect_in(refused.err, "--with t: gpu.sm.scheduler is two-level: w (allowed: lrr)");
  EXPECT_EQ(run({"--with", "./t.json", "--scheduler", "lrr", "--quiet"}).status, 0);
}

// Small CTAs begin and end in the same cycle. A cache must not write back a line of a warp that has ended,
// because the warp's registers have no entries in the banks any more.
TEST_F(Techniques, SharedLinesOfAnEndedWarpGoNowhere) {
  for (const int entries : {5, 6}) {
    const std::string scratchpad = std::to_string(entries), cache = std::to_string(4 * entries);
    const ProgramResult done = run_program({"run",
                                            "--launch",
                                            source("testbench/kernels/nn/small.json"),
                                            "--gpu",
                                            "maxwell-gtx980",
                                            "--set",
                                            "gpu.sms=1",
                                            "--set",
                                            "gpu.memory.l2.slices=1",
                                            "--set",
                                            "gpu.memory.l2.bytes=131072",
                                            "--set",
                                            "gpu.memory.l2.bytes_per_cycle=32",
                                            "--set",
                                            "gpu.memory.dram.channels=1",
                                            "--set",
                                            "gpu.memory.dram.bytes_per_cycle=12.4325",
                                            "--with",
                                            "hybrid",
                                            "--set",
                                            "gpu.sm.register_file.stages[operand-file].entries=" + scratchpad,
                                            "--set",
                                            "compiler.passes[scratchpad].entries=" + scratchpad,
                                            "--set",
                                            "gpu.sm.register_file.stages[register-cache].entries=" + cache,
                                            "--check",
                                            "on",
                                            "--quiet"},
                                           folder.path());
    EXPECT_EQ(done.status, 0) << done.err;
  }
}

// A run with two techniques may take at most 10 % more cycles than a run with one of the two. It takes more
// if a register whose home bank is full waits instead of getting an entry of the next bank, or if a register
// cache has too few ports for the instructions that the scheduler issues in a cycle.
TEST_F(Techniques, WhatIsSizedByAnotherDoesNotStarve) {
  const auto cycles = [&](const std::string& kernel, const std::vector<std::string>& with) {
    std::vector<std::string> arguments = {
        "run",       "--launch",     source("testbench/kernels/" + kernel + "/small.json"),
        "--gpu",     "fermi-gtx480", "--set",
        "gpu.sms=1", "--check",      "on",
        "--out",     "out"};
    for (const std::string& technique : with) arguments.insert(arguments.end(), {"--with", technique});
    const ProgramResult done = run_program(arguments, folder.path());
    EXPECT_EQ(done.status, 0) << done.err;
    return parse_config_text(folder.read("out/result.json"), "result.json")
        .find("total")
        ->find("cycles")
        ->integer;
  };
  const std::int64_t renamed = cycles("ray_tracing", {"virtualization"});
  for (const char* layout : {"corf", "corf++"})
    EXPECT_LT(cycles("ray_tracing", {layout, "virtualization"}), renamed * 11 / 10) << layout;
  const std::int64_t gates = cycles("block_cipher", {"warped-gates"});
  for (const char* levels : {"register-cache", "operand-file"})
    EXPECT_LT(cycles("block_cipher", {levels, "warped-gates"}), gates * 11 / 10) << levels;
}

// Two release lists name the same register, while an instruction still has to read this register. The
// register must be released only once.
TEST_F(Techniques, ARegisterThatIsReleasedTwiceWhileItIsReadGoesOnce) {
  const ProgramResult done = run_program(
      {"run", "--launch", source("testbench/kernels/reduction/small.json"), "--gpu", "fermi-virtualization",
       "--set", "gpu.sms=1", "--with", "virtualization", "--check", "on", "--quiet"},
      folder.path());
  EXPECT_EQ(done.status, 0) << done.err;
}

TEST_F(Techniques, BadOnesAreNamed) {
  expect_in(run({"--with", "nix"}).err, "unknown technique \"nix\"");
  expect_in(run({"--with", "nix"}).err, "warped-gates");
  folder.write("t.json", R"({"description": "d", "stages": ["nix"]})");
  expect_in(run({"--with", "./t.json"}).err, "unknown type \"nix\" (allowed: read-distances, operand-file");
  folder.write("t.json", R"({"description": "d", "axes": ["colour"]})");
  expect_in(run({"--with", "./t.json"}).err, "unknown axis \"colour\" (allowed: cache of the hierarchy");
  folder.write("t.json", R"({"description": "d", "with": ["./u.json"]})");
  folder.write("u.json", R"({"description": "d", "with": ["./t.json"]})");
  expect_in(run({"--with", "./t.json"}).err, "sums of each other in a circle");
  folder.write("t.json", R"({"description": "d", "stage": []})");
  expect_in(run({"--with", "./t.json"}).err, "unknown key \"stage\"");
  folder.write("t.json", R"({"description": "d", "set": {"gpu.sm.nix": 1}})");
  expect_in(run({"--with", "./t.json"}).err, "nix");
}

TEST_F(Techniques, ScenariosAreLikeOthersAndNameTechniques) {
  const std::string launch = source("testbench/kernels/reduction/small.json");
  fs::create_directories(folder.path() + "/base");
  folder.write(
      "base/a.json",
      R"({"gpu": "fermi-gtx480", "scheduler": "gto", "registers": 24, "with": ["conventional-gating"], "launch": ")" +
          launch + R"("})");
  folder.write("b.json",
               R"({"like": "base/a.json", "scheduler": "lrr", "gpu": {"sms": 1}, "with": ["read-distances"],
                            "power": {"technologies": []}})");
  const ProgramResult done = run_program({"run", "b.json", "--out", "out"}, folder.path());
  ASSERT_EQ(done.status, 0) << done.err;
  const ConfigNode made = parse_config_text(folder.read("out/result.json"), "result.json");
  expect_in(configured(made, "", "scheduler"), "lrr");
  expect_in(configured(made, "register_file", "stages"), "read-distances");
  EXPECT_EQ(made.find("techniques")->items.size(), 2u);
  EXPECT_EQ(made.find("configuration")->find("compiler")->find("max_registers")->integer, 24);
  EXPECT_EQ(made.find("configuration")->find("gpu")->find("sms")->integer, 1);
  folder.write("base/a.json", R"({"like": "../b.json"})");
  expect_in(run_program({"run", "b.json"}, folder.path()).err, "in a circle");
}

}  // namespace
}  // namespace heddle::test
