// Every command must do what its help text says.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

#include "models/core/config_node.h"
#include "program.h"

namespace heddle::test::commands_test {
namespace {

std::string kernel(const std::string& name) { return source("testbench/kernels/" + name + "/small.json"); }

ProgramResult run_ok(const std::vector<std::string>& arguments, const std::string& folder) {
  ProgramResult result = run_program(arguments, folder);
  EXPECT_EQ(result.status, 0) << result.out << result.err;
  return result;
}

void expect_in(const std::string& text, std::initializer_list<const char*> parts) {
  for (const char* part : parts)
    EXPECT_NE(text.find(part), std::string::npos) << "no " << part << " in\n" << text;
}

TEST(Help, IsThereForEveryCommand) {
  Folder folder;
  expect_in(run_ok({"--help"}, folder.path()).out,
            {"run", "compare", "compile", "list", "rerun", "Exit status"});
  for (const char* command : {"run", "compare", "compile", "list", "mix", "reference", "rerun", "schema"})
    expect_in(run_ok({command, "--help"}, folder.path()).out, {"Usage: heddle", command, "--help"});
  expect_in(run_ok({"--version"}, folder.path()).out, {"0."});
}

TEST(Run, QuickstartWritesEverything) {
  Folder folder;
  const ProgramResult result = run_ok({"run", source("configs/scenarios/quickstart.json")}, folder.path());
  EXPECT_EQ(result.err, "");
  expect_in(result.out,
            {"fermi-gtx480", "two-level", "scoreboard", "matrix_mul", "IPC", "occup.", "issue slots",
             "64-bit pairs", "units busy", "global memory", "check: equal", "warp-instructions/s"});
  for (const char* file : {"result.json", "stats.csv", "c.npy", "waves.vcd", "waves.gtkw", "profile.txt",
                           "timeline.pftrace", "intervals.csv"})
    EXPECT_TRUE(folder.has(std::string("results/quickstart/") + file)) << file;
  const ConfigNode root = parse_config_text(folder.read("results/quickstart/result.json"), "result.json");
  EXPECT_TRUE(root.find("check")->find("equal")->boolean);
  EXPECT_EQ(root.find("launches")->items.size(), 1u);
  EXPECT_GT(root.find("total")->find("metrics")->find("ipc")->number, 1.0);
  EXPECT_GT(root.find("launches")->items[0].find("counters")->find("sm.issue.issued")->integer, 10000);
}

TEST(Run, EveryScenarioRuns) {
  for (const char* name : {"two_level", "bfs", "few_registers"}) {
    Folder folder;
    const ProgramResult result =
        run_ok({"run", source(std::string("configs/scenarios/") + name + ".json")}, folder.path());
    expect_in(result.out, {"check: equal"});
    EXPECT_TRUE(folder.has(std::string("results/") + name + "/result.json"));
  }
}

TEST(Run, FlagsWinOverTheScenarioAndSetOverFlags) {
  Folder folder;
  const ProgramResult result =
      run_ok({"run", source("configs/scenarios/two_level.json"), "--launch", kernel("vector_add"), "--gpu",
              "fermi-cmrc", "--scheduler", "two-level", "--set", "gpu.sm.scheduler.active_warps=3", "--set",
              "gpu.sms=2", "--registers", "20", "--out", "other"},
             folder.path());
  expect_in(result.out,
            {"vector_add", "fermi-cmrc: 2 SMs", "two-level(active_warps=3)", "at most 20 registers"});
  EXPECT_TRUE(folder.has("other/result.json"));
  EXPECT_FALSE(folder.has("results"));
}

TEST(Run, WhatDiffersFromThePresetStandsAtTheHead) {
  Folder folder;
  for (const char* gpu : {"fermi-gtx480", "kepler-gtx780", "maxwell-gtx980", "fermi-gebhart"})
    EXPECT_EQ(
        run_ok({"run", "--launch", kernel("vector_add"), "--gpu", gpu}, folder.path()).out.find("\nset "),
        std::string::npos)
        << gpu;
  const std::string out = run_ok({"run", "--launch", kernel("vector_add"), "--gpu", "fermi-gtx480", "--set",
                                  "gpu.sm.max_warps=16", "--scheduler", "lrr", "--check", "on"},
                                 folder.path())
                              .out;
  expect_in(out,
            {"\nset       gpu.sm.max_warps = 16 (48)\n", "\nset       gpu.sm.scheduler = lrr (two-level)\n",
             "\nset       watch.check = on (auto)\n"});
}

TEST(Run, APresetOfOnesOwnLiesBesideTheScenario) {
  Folder folder;
  folder.write("tiny.json", R"({"sms": 1, "sm": {"max_warps": 16}})");
  folder.write("s.json", R"({"gpu": "tiny.json", "launch": ")" + kernel("vector_add") + R"("})");
  expect_in(run_ok({"run", folder.path() + "/s.json"}, "/").out, {"tiny: 1 SM", "16 warps", "check: equal"});
}

TEST(Run, TwoRunsWriteTheSameBytes) {
  Folder folder;
  for (const char* out : {"a", "b"})
    run_ok({"run", "--launch", kernel("histogram"), "--gpu", "fermi-gtx480", "--quiet", "--out", out},
           folder.path());
  const std::string first = folder.read("a/stats.csv");
  EXPECT_GT(first.size(), 1000u);
  EXPECT_EQ(first, folder.read("b/stats.csv"));
  const ConfigNode a = parse_config_text(folder.read("a/result.json"), "a");
  const ConfigNode b = parse_config_text(folder.read("b/result.json"), "b");
  EXPECT_EQ(to_json(*a.find("total")), to_json(*b.find("total")));
}

TEST(Run, QuietPrintsNothing) {
  Folder folder;
  const ProgramResult result =
      run_ok({"run", "--launch", kernel("vector_add"), "--gpu", "fermi-gtx480", "--quiet"}, folder.path());
  EXPECT_EQ(result.out + result.err, "");
}

TEST(Run, SamplesSayTheirShare) {
  Folder folder;
  const ProgramResult ctas = run_ok(
      {"run", "--launch", kernel("saxpy"), "--gpu", "fermi-gtx480", "--sample-ctas", "2"}, folder.path());
  expect_in(ctas.out, {"sample: 2 of 10 CTAs timed (20.0 %)", "check: equal"});
  const ProgramResult launches =
      run_ok({"run", "--launch", kernel("bfs"), "--gpu", "fermi-gtx480", "--launches", "1,3"}, folder.path());
  expect_in(launches.out,
            {"1 bfs_expand", "3 bfs_expand", "11 launches were executed untimed", "check: equal"});
}

TEST(Run, UncheckedSaysWhy) {
  Folder folder;
  expect_in(
      run_ok({"run", "--launch", kernel("saxpy"), "--gpu", "fermi-gtx480", "--check", "off"}, folder.path())
          .out,
      {"not checked", "switched off"});
  expect_in(
      run_ok({"run", "--launch", kernel("saxpy"), "--gpu", "fermi-gtx480", "--set", "watch.check_below=10"},
             folder.path())
          .out,
      {"not checked", "check_below"});
}

// CTA 0 executes fewer instructions than CTA 1. In the untimed reference, CTA 0 therefore stores before CTA
// 1. On the timed GPU, the loads of CTA 0 delay its store until after the store of CTA 1. The outputs
// therefore differ.
TEST(Run, DifferentOutputsHaveAStatusOfTheirOwn) {
  Folder folder;
  folder.write("k.ptx",
               ".version 6.0\n.target sm_30\n.address_size 64\n.visible .entry last(.param .u64 a)\n{\n"
               ".reg .b32 %r<3>; .reg .b64 %rd<2>; .reg .pred %p;\nld.param.u64 %rd1, [a];\n"
               "mov.u32 %r1, %ctaid.x;\nsetp.ne.u32 %p, %r1, 0;\n@%p bra quick;\n"
               "ld.volatile.global.u32 %r2, [%rd1];\nld.volatile.global.u32 %r2, [%rd1];\n"
               "ld.volatile.global.u32 %r2, [%rd1];\nld.volatile.global.u32 %r2, [%rd1];\nbra store;\n"
               "quick:\nmov.u32 %r2, 5;\nwait:\nsub.u32 %r2, %r2, 1;\nsetp.ne.u32 %p, %r2, 0;\n"
               "@%p bra wait;\nstore:\nst.volatile.global.u32 [%rd1], %r1;\nret;\n}\n");
  folder.write("l.json",
               R"({"ptx": "k.ptx", "buffers": {"a": {"type": "u32", "count": 1, "init": {"kind": "zeros"}}},
 "steps": [{"kernel": "last", "grid": [2], "block": [1], "args": [{"buffer": "a"}]}]})");
  const ProgramResult result =
      run_program({"run", "--launch", "l.json", "--gpu", "fermi-gtx480", "--out", "out"}, folder.path());
  EXPECT_EQ(result.status, 3) << result.out << result.err;
  expect_in(result.out, {"DIFFERENT", "buffer a"});
  expect_in(result.err, {"error: l.json: outputs differ"});
  EXPECT_TRUE(folder.has("out/result.json"));
}

TEST(Run, ASignalEndsItWithPartialResults) {
  Folder folder;
  folder.write("k.ptx",
               ".version 6.0\n.target sm_30\n.address_size 64\n.visible .entry forever(.param .u64 a)\n{\n"
               ".reg .b32 %r<2>;\nL: add.s32 %r1, %r1, 1;\nbra L;\n}\n");
  folder.write("l.json",
               R"({"ptx": "k.ptx", "buffers": {"a": {"type": "u32", "count": 1, "init": {"kind": "zeros"}}},
 "steps": [{"kernel": "forever", "grid": [1], "block": [32], "args": [{"buffer": "a"}]}]})");
  for (const char* check : {"off", "on"}) {
    const ProgramResult result = run_program({"run", "--launch", "l.json", "--gpu", "fermi-gtx480", "--check",
                                              check, "--out", check, "--interval", "1000"},
                                             folder.path(), 1500);
    EXPECT_EQ(result.status, 130) << result.out << result.err;
    expect_in(result.out, {"ended early"});
    const ConfigNode root =
        parse_config_text(folder.read(std::string(check) + "/result.json"), "result.json");
    EXPECT_TRUE(root.find("interrupted")->boolean);
    const std::string rows = folder.read(std::string(check) + "/intervals.csv");
    EXPECT_EQ(std::count(rows.begin(), rows.end(), '\n') > 10, std::string(check) == "off") << rows;
    EXPECT_LE(root.find("total")->find("metrics")->find("occupancy")->number, 1.0);
  }
}

TEST(Rerun, FindsTheSameNumbersAndNoticesChanges) {
  Folder folder;
  run_ok({"run", "--launch", kernel("reduction"), "--gpu", "kepler-gtx780", "--scheduler", "lrr", "--quiet",
          "--out", "first"},
         folder.path());
  expect_in(run_ok({"rerun", "first/result.json", "--out", "second"}, folder.path()).out,
            {"equal: all counters"});
  EXPECT_TRUE(folder.has("second/result.json"));
  expect_in(run_ok({"rerun", "first/result.json", "--made", "second/result.json"}, folder.path()).out,
            {"equal: all counters"});
  std::string text = folder.read("first/result.json");
  std::string priced = text;
  priced.insert(priced.rfind("\"dynamic_nj\": ") + 14, "1");
  folder.write("priced.json", priced);
  EXPECT_EQ(run_program({"rerun", "first/result.json", "--made", "priced.json"}, folder.path()).status, 3);
  run_ok({"rerun", "first/result.json", "--made", "priced.json", "--counters"}, folder.path());
  const std::size_t cycles = text.rfind("\"cycles\": ") + 10;
  text.insert(cycles, "1");
  folder.write("first/result.json", text);
  const ProgramResult changed = run_program({"rerun", "first/result.json"}, folder.path());
  EXPECT_EQ(changed.status, 3);
  expect_in(changed.out, {"total.cycles was", "different: 1 value\n"});
  EXPECT_EQ(
      run_program({"rerun", "first/result.json", "--made", "second/result.json", "--counters"}, folder.path())
          .status,
      3);
}

TEST(Compare, VariantsStandSideBySide) {
  Folder folder;
  const ProgramResult result = run_ok(
      {"compare", source("configs/scenarios/compare_gto.json"), source("configs/scenarios/compare_lrr.json"),
       "fermi-gtx480,gpu.sm.scheduler=fetch-group,gpu.sm.scheduler.group_warps=4", "--launch", kernel("scan"),
       "--csv", "table.csv", "--out", "out", "--jobs", "2"},
      folder.path());
  expect_in(result.out, {"variant", "cycles", "speed-up", "ipc_per_sm", "stall_memory", "equal"});
  expect_in(result.out, {"the variants differ in ", "  gpu.sm.scheduler = gto | lrr | fetch-group\n",
                         "  gpu.sm.scheduler.group_warps = - | - | 4\n"});
  EXPECT_EQ(result.out.find("gpu.core_clock_mhz ="), std::string::npos) << result.out;
  expect_in(folder.read("table.csv"), {"variant,", "\nipc,"});
  EXPECT_TRUE(folder.has("out/2/result.json"));
}

TEST(Compile, ListsKernelsAndAnnotatesOne) {
  Folder folder;
  const std::string several = source("testbench/kernels/lud/kernel.ptx");
  expect_in(run_ok({"compile", several}, folder.path()).out, {"4 kernels", "lud_diagonal"});
  expect_in(run_ok({"compile", several, "--kernel", "lud_internal"}, folder.path()).out,
            {"architected registers", "block 0", "0 spill stores"});
  const std::string few =
      run_ok({"compile", several, "--kernel", "lud_internal", "--registers", "8"}, folder.path()).out;
  EXPECT_EQ(few.find(" 0 spill stores"), std::string::npos) << few;
  expect_in(few, {"architected registers: 8 words", "st.local", "ld.local"});
  expect_in(run_ok({"compile", several, "--kernel", "lud_internal", "--passes",
                    "fold-parameters,propagate-copies", "--print-after-each"},
                   folder.path())
                .out,
            {"as parsed", "after fold-parameters", "after propagate-copies", "after allocate-registers"});
}

TEST(Compile, SurveysAFolder) {
  Folder folder;
  const auto kernel = [](const std::string& name, const std::string& body) {
    return ".visible .entry " + name + "(.param .u64 p) {\n.reg .b32 %r<4>; .reg .b64 %d<4>;\n" + body +
           "\nret;\n}\n";
  };
  const std::string head = ".version 7.5\n.target sm_80\n.address_size 64\n";
  std::filesystem::create_directories(folder.path() + "/ptx/deep/deeper");
  folder.write("ptx/b.ptx", head + kernel("runs", "") + kernel("copies", "cp.async.bulk.commit_group;"));
  folder.write("ptx/deep/a.ptx", head + ".extern .func elsewhere();\n" +
                                     kernel("calls", "call elsewhere, ();") +
                                     kernel("multiplies", "wgmma.fence.sync.aligned;"));
  folder.write("ptx/deep/deeper/c.ptx",
               head + kernel("more", "mov.u32 %r1, 1;\ncp.async.bulk.commit_group;"));
  folder.write("ptx/deep/not.ptx", "no PTX at all");
  folder.write("ptx/notes.txt", "no PTX either");
  const std::string expected =
      "ptx: 5 kernels in 4 files, 1 compile (20.0 %), 4 are refused\n"
      "       2  bulk copies (cp.async.bulk)  (ptx/b.ptx:11)\n"
      "       1  functions of other files  (ptx/deep/a.ptx:7)\n"
      "       1  matrix instructions  (ptx/deep/a.ptx:12)\n"
      "not read: ptx/deep/not.ptx:1:1: ";
  const std::string text = run_ok({"compile", "--survey", "ptx"}, folder.path()).out;
  EXPECT_EQ(text.substr(0, expected.size()), expected) << text;
  const ConfigNode root =
      parse_config_text(run_ok({"compile", "--survey", "ptx", "--json"}, folder.path()).out, "survey");
  EXPECT_EQ(root.find("kernels")->integer, 5);
  EXPECT_EQ(root.find("compiled")->integer, 1);
  ASSERT_EQ(root.find("reasons")->items.size(), 3u);
  EXPECT_EQ(root.find("reasons")->items[0].find("kernels")->integer, 2);
  EXPECT_EQ(root.find("reasons")->items[0].find("example")->text, "ptx/b.ptx:11");
  EXPECT_EQ(root.find("unread")->items.size(), 1u);

  std::filesystem::create_directories(folder.path() + "/empty");
  const ProgramResult empty = run_program({"compile", "--survey", "empty"}, folder.path());
  EXPECT_EQ(empty.status, 1);
  expect_in(empty.err, {"no *.ptx in or below \"empty\""});
}

TEST(List, NamesEveryFamily) {
  Folder folder;
  expect_in(run_ok({"list"}, folder.path()).out,
            {"warp scheduler policy", "issue constraint", "CTA admission constraint", "register-file stage",
             "bank arbiter", "memory model", "compiler pass", "presets", "fermi-gtx480", "quickstart",
             "matrix_mul"});
  expect_in(run_ok({"list", "scheduler"}, folder.path()).out, {"two-level", "active_warps"});
  const ConfigNode json = parse_config_text(run_ok({"list", "--json"}, folder.path()).out, "list");
  EXPECT_GE(json.items.size(), 11u);
}

TEST(List, ShowsThePapersOfTechniques) {
  Folder folder;
  std::istringstream words(run_ok({"list", "techniques"}, folder.path()).out);
  std::string text;
  for (std::string word; words >> word;) text += word + " ";
  expect_in(text, {"(Gebhart 2012, 4.3 and 4.5)", "(Abdel-Majeed 2016, chapter 3)", "(Bailey 2018, III)"});
  expect_in(run_ok({"list", "techniques", "--json"}, folder.path()).out, {"\"paper\"", "Jeon 2015, 8.1"});
}

std::string member_of(const ConfigNode& family, const std::string& name, const char* member) {
  for (const ConfigNode& part : family.find("parts")->items)
    if (part.find("name")->text == name) return to_json(*part.find(member));
  ADD_FAILURE() << name << " is not listed";
  return {};
}

/// Returns the names that `heddle list NAME` shows, with their units. Each must have a name, a unit and a
/// description.
std::map<std::string, std::string> listed_units(const Folder& folder, const char* list) {
  const ProgramResult result = run_ok({"list", list, "--json"}, folder.path());
  EXPECT_EQ(result.err, "");
  const ConfigNode lists = parse_config_text(result.out, "list");
  EXPECT_EQ(lists.items.size(), 1u) << list;
  EXPECT_EQ(lists.items.at(0).find("name")->text, list);
  std::map<std::string, std::string> units;
  for (const ConfigNode& part : lists.items[0].find("parts")->items) {
    for (const char* key : {"name", "unit", "doc"})
      EXPECT_FALSE(part.find(key)->text.empty()) << to_json(part);
    units[part.find("name")->text] = part.find("unit")->text;
  }
  return units;
}

TEST(List, GivesUnitAndMeaningOfEveryMetricAndCounter) {
  Folder folder;
  const std::map<std::string, std::string> metrics = listed_units(folder, "metrics");
  const std::map<std::string, std::string> counters = listed_units(folder, "counters");
  run_ok({"run", "--launch", "saxpy/small", "--gpu", "fermi-gtx480", "--with", "hybrid", "--set", "gpu.sms=1",
          "--out", "out", "--quiet"},
         folder.path());
  const ConfigNode result = parse_config_text(folder.read("out/result.json"), "result");
  for (const auto& [name, value] : result.find("total")->find("metrics")->members)
    EXPECT_TRUE(metrics.count(name)) << name;
  for (const auto& [name, value] : result.find("launches")->items[0].find("counters")->members)
    EXPECT_TRUE(counters.count(name)) << name;
  EXPECT_EQ(metrics.at("stall_no-warp"), "share of issue slots");
  EXPECT_EQ(run_ok({"list"}, folder.path()).out.find("sm.issue.issued"), std::string::npos);
}

TEST(List, ShowsWhatTechniquesDecideAndNeed) {
  Folder folder;
  const ConfigNode list =
      parse_config_text(run_ok({"list", "techniques", "--json"}, folder.path()).out, "list");
  expect_in(member_of(list.items[0], "hybrid", "axes"),
            {"cache of the hierarchy", "entries of the hierarchy"});
  expect_in(member_of(list.items[0], "hybrid", "requirements"),
            {"gpu.sm.scheduler", "two-level", "Bailey 2018"});
}

TEST(Schema, ListsParametersAsJson) {
  Folder folder;
  const ConfigNode all =
      parse_config_text(run_ok({"schema", "parameters", "--json"}, folder.path()).out, "parameters");
  std::set<std::string> paths;
  for (const ConfigNode& one : all.items) paths.insert(one.find("path")->text);
  for (const char* path : {"gpu.sms", "gpu.sm.max_warps", "gpu.sm.scheduler", "gpu.sm.scheduler.active_warps",
                           "gpu.sm.register_file.stages[register-cache].entries", "gpu.sm.gating.int.policy"})
    EXPECT_TRUE(paths.contains(path)) << path;
  EXPECT_EQ(run_program({"schema", "launch", "--json"}, folder.path()).status, 1);
}

TEST(MixAndReference, CountInstructions) {
  Folder folder;
  expect_in(run_ok({"mix", kernel("lud"), kernel("saxpy")}, folder.path()).out,
            {"lud_internal", "total", "saxpy", "fp32", "memory"});
  expect_in(run_ok({"reference", kernel("saxpy"), "--out", "golden"}, folder.path()).out,
            {"1 launches, 10 CTAs"});
  EXPECT_TRUE(folder.has("golden/y.npy"));
}

TEST(Documentation, SchemaAndParametersAreCurrent) {
  Folder folder;
  EXPECT_EQ(run_ok({"schema", "run"}, folder.path()).out,
            read_file(source("docs/formats/scenario.schema.json")))
      << "make it anew: build/bin/heddle schema run > docs/formats/scenario.schema.json";
  EXPECT_EQ(run_ok({"schema", "parameters"}, folder.path()).out, read_file(source("docs/parameters.md")))
      << "make it anew: build/bin/heddle schema parameters > docs/parameters.md";
  for (const std::string format : {"launch", "experiment", "pack", "technique", "technology", "result"})
    EXPECT_EQ(run_ok({"schema", format}, folder.path()).out,
              read_file(source("docs/formats/" + format + ".schema.json")))
        << "make it anew: build/bin/heddle schema " << format << " > docs/formats/" << format
        << ".schema.json";
}

TEST(Documentation, TheExperimentSchemaHasEveryKey) {
  const ConfigNode schema = parse_config_file(source("docs/formats/experiment.schema.json"));
  std::vector<std::string> files = {source("tests/experiment/tiny.json")};
  for (const auto& entry : std::filesystem::directory_iterator(source("configs/experiments")))
    files.push_back(entry.path());
  for (const std::string& file : files)
    for (const auto& [key, member] : parse_config_file(file).members) {
      const ConfigNode* known = schema.find("properties")->find(key);
      ASSERT_TRUE(known) << file << ": " << key;
      const ConfigNode* form = known->find("$ref");
      if (form) form = schema.find("$defs")->find(form->text.substr(std::string("#/$defs/").size()));
      const ConfigNode* inner = form ? form->find("properties") : nullptr;
      for (const auto& [name, value] : member.members)
        EXPECT_TRUE(!inner || inner->find(name)) << file << ": " << key << "." << name;
    }
}

void expect_keys(const ConfigNode& all, const ConfigNode& example, const std::string& path) {
  for (const auto& [key, member] : all.members) {
    const ConfigNode* mine = example.find(key);
    if (path == "compiler" && (key == "passes" || key == "max_registers")) continue;
    ASSERT_TRUE(mine) << path << "." << key << " is missing in scenario-maximal.json";
    if (!member.find("type")) expect_keys(member, *mine, key);
  }
}

TEST(Documentation, MaximalScenarioRunsAndIsMaximal) {
  Folder folder;
  run_ok({"run", source("docs/formats/scenario-maximal.json")}, folder.path());
  const ConfigNode result = parse_config_text(folder.read("results/maximal/result.json"), "result.json");
  expect_keys(*result.find("configuration"), parse_config_file(source("docs/formats/scenario-maximal.json")),
              "");
}

}  // namespace
}  // namespace heddle::test::commands_test
