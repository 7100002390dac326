// Tests heddle run --against and heddle compare. A saving compares the energies of two runs that are priced
// by the same technologies (energy account). If the accounts of the runs differ, the output must say so.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

#include "models/core/config_node.h"
#include "tests/cli/program.h"

namespace heddle::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string said(const ProgramResult& result) {
  return std::regex_replace(result.out, std::regex("\\s+"), " ");
}

std::string saxpy() { return source("testbench/kernels/saxpy/small.json"); }

class Against : public ::testing::Test {
 protected:
  ProgramResult run(std::vector<std::string> more) {
    std::vector<std::string> arguments = {"run",          "--launch", saxpy(),    "--gpu",
                                          "fermi-gtx480", "--set",    "gpu.sms=1"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments, folder.path());
  }
  ProgramResult compare(std::vector<std::string> more) {
    more.insert(more.begin(), {"compare", "--launch", saxpy(), "--set", "gpu.sms=1"});
    return run_program(more, folder.path());
  }
  ConfigNode json(const std::string& file) { return parse_config_text(folder.read(file), file); }
  static double at(const ConfigNode& list, std::size_t i) { return list.items.at(i).number; }
  static double energy(const ConfigNode& result, const char* group) {
    const ConfigNode& all = *result.find("total")->find("energy");
    return (group ? all.find("groups")->find(group) : all.find("total"))->find("total_nj")->number;
  }
  Folder folder;
};

void expect_as_described(const ConfigNode& object, const ConfigNode& schema) {
  for (const ConfigNode& name : schema.find("required")->items)
    EXPECT_TRUE(object.find(name.text)) << name.text;
  for (const auto& [name, value] : object.members) EXPECT_TRUE(schema.find("properties")->find(name)) << name;
}

TEST_F(Against, TheSchemaDescribesComparisons) {
  ASSERT_EQ(run({"--with", "hybrid", "--against", "plain", "--out", "out"}).status, 0);
  const ConfigNode made = json("out/comparison.json");
  const ConfigNode schema = parse_config_file(source("docs/formats/comparison.schema.json"));
  expect_as_described(made, schema);
  for (const ConfigNode& variant : made.find("variants")->items)
    expect_as_described(variant, *schema.find("properties")->find("variants")->find("items"));
  EXPECT_FALSE(made.find("energy")->members.empty());
  for (const auto& [structure, row] : made.find("energy")->members)
    expect_as_described(row, *schema.find("$defs")->find("energies"));
}

TEST_F(Against, PlainIsTheRunWithoutTechniquesAtTheSamePrices) {
  const ProgramResult done =
      run({"--with", "hybrid", "--with", "warped-gates", "--against", "plain", "--out", "out", "--report"});
  ASSERT_EQ(done.status, 0) << done.err;
  const ConfigNode made = json("out/result.json"), plain = json("out/against/result.json");
  EXPECT_FALSE(plain.find("techniques"));
  EXPECT_EQ(to_json(*plain.find("configuration")->find("power")),
            to_json(*made.find("configuration")->find("power")));
  const ConfigNode both = json("out/comparison.json");
  EXPECT_EQ(both.find("against")->text, "plain");
  EXPECT_EQ(both.find("variants")->items.at(1).find("name")->text, "hybrid+warped-gates");
  EXPECT_TRUE(both.find("remarks")->items.empty()) << to_json(*both.find("remarks"));
  EXPECT_TRUE(both.find("parameters")->find("gpu.sm.gating.int.policy"));
  EXPECT_FALSE(both.find("parameters")->find("gpu.sms"));
  for (const char* group : {static_cast<const char*>(nullptr), "execution", "register_file"}) {
    const ConfigNode& row = *both.find("energy")->find(group ? group : "total");
    EXPECT_EQ(at(*row.find("total_nj"), 0), energy(plain, group));
    EXPECT_EQ(at(*row.find("total_nj"), 1), energy(made, group));
    EXPECT_DOUBLE_EQ(at(*row.find("saved"), 1), 1 - energy(made, group) / energy(plain, group));
  }
  for (const char* part : {"gpu.sm.gating.int.policy = none | adaptive\n", "\nenergy, nJ ", "  saved\n",
                           "\nhybrid+warped-gates against plain: "})
    EXPECT_THAT(done.out, HasSubstr(part));
  const std::string page = folder.read("out/report.html");
  for (const char* part : {">Compared with plain</h2>", "Energy by structure of all runs",
                           "\"series\":[\"plain\",\"hybrid+warped-gates\"]", "<figure class=chart>"})
    EXPECT_THAT(page, HasSubstr(part));
  ASSERT_EQ(run({"--out", "out", "--quiet"}).status, 0);
  EXPECT_FALSE(folder.has("out/comparison.json"));
}

TEST_F(Against, OneRunAloneSavesNothing) {
  const ProgramResult done = run({"--with", "register-cache", "--with", "warped-gates"});
  ASSERT_EQ(done.status, 0) << done.err;
  EXPECT_THAT(done.out, HasSubstr("plain prices"));
  EXPECT_THAT(done.out, HasSubstr("--against plain"));
  EXPECT_THAT(done.out, Not(HasSubstr("saved  "))) << "a run is not its own baseline";
  EXPECT_THAT(done.out, Not(HasSubstr(", saved")));
}

TEST_F(Against, TechniquesScenariosAndStoredResults) {
  ASSERT_EQ(run({"--with", "register-cache", "--out", "cache", "--quiet"}).status, 0);
  const ProgramResult stored = run({"--with", "operand-file", "--against", "cache/result.json", "--json"});
  ASSERT_EQ(stored.status, 0) << stored.err;
  const ConfigNode one = parse_config_text(stored.out, "--json");
  EXPECT_EQ(one.find("variants")->items.at(0).find("file")->text, "cache/result.json");
  EXPECT_EQ(at(*one.find("metrics")->find("cycles"), 0),
            json("cache/result.json").find("total")->find("cycles")->number);
  const ProgramResult other = run({"--with", "operand-file", "--against", "register-cache,warped-gates"});
  ASSERT_EQ(other.status, 0) << other.err;
  EXPECT_THAT(other.out, HasSubstr("operand-file against register-cache+warped-gates: "));
  folder.write("s.json", R"({"gpu": "fermi-gebhart", "with": ["operand-file"]})");
  const ProgramResult scenario = run({"--against", "./s.json"});
  ASSERT_EQ(scenario.status, 0) << scenario.err;
  EXPECT_THAT(scenario.out, HasSubstr("gpu.name = fermi-gebhart | fermi-gtx480\n"));
  EXPECT_THAT(scenario.out, HasSubstr("this run against ./s.json: "));
}

TEST_F(Against, AScenariosOwnTechniquesAreNotPlain) {
  folder.write("s.json",
               R"({"gpu": {"preset": "fermi-gtx480", "sms": 1}, "with": ["register-cache"], "launch": ")" +
                   saxpy() + R"(", "output": {"folder": "here"}})");
  const ProgramResult done = run_program({"run", "s.json", "--against", "plain"}, folder.path());
  ASSERT_EQ(done.status, 0) << done.err;
  EXPECT_FALSE(json("here/against/result.json").find("techniques"));
  EXPECT_TRUE(json("here/result.json").find("techniques"));
}

TEST_F(Against, AChangeOfATechniquesPartIsLeftOutOfPlainAndSaid) {
  for (const char* change : {"gpu.sm.register_file.stages[register-cache].entries=8",
                             "gpu.sm.gating.int.policy.base=conventional"}) {
    const ProgramResult done =
        run({"--with", "register-cache", "--with", "warped-gates", "--set", change, "--against", "plain"});
    ASSERT_EQ(done.status, 0) << done.err;
    EXPECT_THAT(done.out, HasSubstr(std::string("note: plain has no parameter for --set ") + change))
        << done.out;
  }
}

TEST_F(Against, BadOnesAreOneLine) {
  folder.write("l.json", "[]");
  folder.write("r.json", R"({"format": 2, "configuration": {}, "total": {}})");
  const std::vector<std::pair<std::vector<std::string>, const char*>> rows = {
      {{"nix"}, "unknown technique or scenario \"nix\""},
      {{"plain,cmrc"}, "plain is the run without techniques and stands alone"},
      {{"plain", "--against", "quickstart"}, "stands alone"},
      {{"./none.json"}, "./none.json: cannot read"},
      {{"./l.json"}, "l.json"},
      {{"./r.json"},
       "r.json: no \"interrupted\" (allowed: a result.json of heddle run, or a program.json of heddle exec)"},
      {{saxpy()}, "this is a launch file"},
      {{"register-cache,hybrid"}, "--with hybrid --with register-cache"},
  };
  for (const auto& [words, error] : rows) {
    std::vector<std::string> arguments = {"--against"};
    arguments.insert(arguments.end(), words.begin(), words.end());
    const ProgramResult done = run(arguments);
    EXPECT_EQ(done.status, 1) << words[0];
    EXPECT_THAT(done.err, HasSubstr(error));
    EXPECT_EQ(std::count(done.err.begin(), done.err.end(), '\n'), 1) << done.err;
  }
  ASSERT_EQ(run({"--out", "out", "--quiet"}).status, 0);
  const ProgramResult over = run({"--out", "out", "--against", "out/result.json"});
  EXPECT_EQ(over.status, 1);
  EXPECT_THAT(over.err, HasSubstr("written over the input out/result.json"));
}

TEST_F(Against, AWrongOneMakesTheStatus) {
  ASSERT_EQ(run({"--out", "out", "--quiet"}).status, 0);
  std::string text = folder.read("out/result.json");
  text.replace(text.find("\"equal\": true"), 13, "\"equal\": false");
  folder.write("wrong.json", text);
  const ProgramResult done = run({"--against", "./wrong.json"});
  EXPECT_EQ(done.status, 3);
  EXPECT_THAT(done.err, HasSubstr("--against ./wrong.json: outputs differ from the untimed reference"));
  EXPECT_THAT(done.out, HasSubstr("DIFFERENT"));
  EXPECT_EQ(compare({"fermi-gtx480", "./wrong.json"}).status, 3);
}

TEST_F(Against, WhatTheSignDependsOnIsSaid) {
  const auto against_plain = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all = {"run",    "--launch", "reduction/small", "--gpu", "fermi-gtx480",
                                    "--with", "origami",  "--against",       "plain"};
    all.insert(all.end(), more.begin(), more.end());
    return run_program(all, folder.path());
  };
  const ProgramResult machine = against_plain({"--out", "out"});
  ASSERT_EQ(machine.status, 0) << machine.err;
  EXPECT_THAT(said(machine), HasSubstr(" scope SM, L1, L2 and DRAM "));
  EXPECT_THAT(said(machine),
              HasSubstr(" more energy of SM, L1, L2 and DRAM sign depends on: account (papers: "));
  EXPECT_THAT(said(machine), HasSubstr("leakage of FP units (fp-leakage=high: "));
  EXPECT_THAT(json("out/comparison.json").find("sign_depends_on")->items.at(0).items, ::testing::IsEmpty());
  const auto priced = [&](const std::string& file, const std::string& corner) {
    const ProgramResult done = run_program(
        {"price", file, "--technology", "joint-40nm", "--corner", corner, "--json"}, folder.path());
    return energy(parse_config_text(done.out, file), nullptr);
  };
  for (const std::string corner : {"fp-leakage=nominal", "fp-leakage=high", "dram-byte-pj=high"})
    EXPECT_EQ(priced("out/result.json", corner) < priced("out/against/result.json", corner),
              corner == "fp-leakage=high")
        << corner;
  EXPECT_THAT(said(machine), Not(HasSubstr("dram-byte-pj")));
  const ProgramResult papers = against_plain({"--account", "papers"});
  EXPECT_THAT(said(papers), HasSubstr(" less energy of execution units and register file "
                                      "sign depends on: account (machine: "));
}

TEST_F(Against, OtherPricesOfOneTableAreSaid) {
  ASSERT_EQ(run({"--out", "out", "--quiet"}).status, 0);
  std::string text = folder.read("out/result.json");
  const std::size_t table = text.find("technology/joint-40nm.json"),
                    hash = text.find("\"fnv1a64\": \"", table) + 12;
  ASSERT_LT(hash, text.size());
  text.replace(hash, 4, "0000");
  folder.write("out/older.json", text);
  const ProgramResult done = run({"--against", "out/older.json"});
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_THAT(said(done),
              HasSubstr("another account than those of out/older.json: other contents or ranks of "));
  EXPECT_THAT(said(done), HasSubstr("the same energy of SM, L1, L2 and DRAM (of another account)"));
}

// A signal interrupts the run of `--against`, which is executed before the other run. The files of the
// interrupted run must be kept, and no comparison must be made.
TEST_F(Against, ASignalEndsBoth) {
  folder.write("k.ptx",
               ".version 6.0\n.target sm_30\n.address_size 64\n.visible .entry forever(.param .u64 a)\n{\n"
               ".reg .b32 %r<2>;\nL: add.s32 %r1, %r1, 1;\nbra L;\n}\n");
  folder.write("l.json",
               R"({"ptx": "k.ptx", "buffers": {"a": {"type": "u32", "count": 1, "init": {"kind": "zeros"}}},
 "steps": [{"kernel": "forever", "grid": [1], "block": [32], "args": [{"buffer": "a"}]}]})");
  const ProgramResult done =
      run_program({"run", "--launch", "l.json", "--gpu", "fermi-gtx480", "--check", "off", "--out", "out",
                   "--with", "register-cache", "--against", "plain"},
                  folder.path(), 1500);
  EXPECT_EQ(done.status, 130) << done.out << done.err;
  EXPECT_TRUE(json("out/against/result.json").find("interrupted")->boolean);
  EXPECT_FALSE(folder.has("out/comparison.json"));
}

TEST_F(Against, VariantsTakeTechniquesScenariosAndResults) {
  ASSERT_EQ(run({"--with", "register-cache", "--out", "cache", "--quiet", "--account", "papers"}).status, 0);
  const ProgramResult done = compare({"fermi-gtx480", "fermi-gtx480+corf+++warped-gates,gpu.sm.max_ctas=4",
                                      "quickstart+register-cache", "cache/result.json", "--out", "out",
                                      "--report", "--csv", "t.csv", "--account", "papers"});
  ASSERT_EQ(done.status, 0) << done.err;
  const ConfigNode all = json("out/comparison.json");
  const auto techniques = [&](std::size_t i) {
    return to_json(*all.find("variants")->items.at(i).find("techniques"));
  };
  EXPECT_THAT(techniques(1), HasSubstr("corf++"));
  EXPECT_THAT(techniques(1), HasSubstr("warped-gates"));
  EXPECT_THAT(techniques(2), HasSubstr("register-cache"));
  EXPECT_EQ(all.find("variants")->items.at(3).find("file")->text, "../cache/result.json");
  // The third variant is simulated anew. The fourth variant is the stored result of an equal run, so both
  // must have the same energy.
  const ConfigNode& total = *all.find("energy")->find("total")->find("total_nj");
  EXPECT_EQ(at(total, 2), at(total, 3));
  EXPECT_THAT(folder.read("t.csv"), HasSubstr("\nsaved.register_file,0,"));
  EXPECT_THAT(folder.read("out/report.html"), HasSubstr("Energy by structure of all runs"));
  EXPECT_TRUE(folder.has("out/2/result.json"));
  EXPECT_THAT(said(done), HasSubstr("are of another account than those of fermi-gtx480: priced by "
                                    "gebhart-hierarchy, gtx480-45nm, radaideh-corf"));
  EXPECT_THAT(done.out, HasSubstr("other account"));
  EXPECT_THAT(done.out, Not(HasSubstr("energy_saved"))) << "of a run against itself";
}

TEST_F(Against, BadVariantsAreNamed) {
  ASSERT_EQ(run({"--out", "out", "--quiet"}).status, 0);
  EXPECT_THAT(compare({"nix"}).err, HasSubstr("unknown GPU preset or scenario \"nix\""));
  EXPECT_THAT(compare({"fermi-gtx480+nix"}).err, HasSubstr("nix"));
  EXPECT_THAT(compare({"out/result.json+hybrid"}).err, HasSubstr("takes neither techniques nor changes"));
  EXPECT_THAT(compare({"out/result.json", "--profile"}).err, HasSubstr("has no profile"));
  EXPECT_THAT(compare({"fermi-gtx480", "--report"}).err, HasSubstr("--report: there is no folder"));
  EXPECT_THAT(compare({"fermi-gtx480", "out/result.json", "--csv", "out/result.json"}).err,
              HasSubstr("written over the input"));
}

}  // namespace
}  // namespace heddle::test
