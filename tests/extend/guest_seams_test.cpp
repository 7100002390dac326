// Tests techniques whose hardware is not part of Heddle. These techniques add axes (properties of the
// machine that only one technique of a run may decide), events of the energy account, entry formats with
// sub-banks, counters, and power groups.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "tests/cli/program.h"

namespace heddle::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

ProgramResult run_in(const Folder& folder, std::vector<std::string> more) {
  std::vector<std::string> arguments = {
      "run",       "--launch",     source("testbench/kernels/hotspot/small.json"),
      "--gpu",     "fermi-gtx480", "--set",
      "gpu.sms=1", "--check",      "on",
      "--out",     "out"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_program(arguments, folder.path());
}

TEST(GuestSeams, AnOverlayDeclaresItsAxis) {
  const Folder folder;
  const auto toy = [&](const char* name, const char* reason, int places) {
    folder.write(name, fmt::format(R"({{"description": "d", "stages": [],
      "axes": [{{"name": "toy places", "path": "gpu.sm.register_file.operands", "reason": "{}"}}],
      "set": {{"gpu.sm.register_file.operands": {{"type": "toy-one-by-one", "places": {}}}}}}})",
                                   reason, places));
  };
  toy("a.json", "one stage holds them", 2);
  toy("b.json", "one stage holds them", 3);
  const ProgramResult both = run_in(folder, {"--with", "./a.json", "--with", "./b.json"});
  EXPECT_NE(both.status, 0);
  EXPECT_THAT(both.err, HasSubstr("--with a --with b: both decide the toy places, and one stage holds them"));
  EXPECT_EQ(run_in(folder, {"--with", "./a.json"}).status, 0);
  toy("b.json", "two reasons", 2);
  EXPECT_THAT(run_in(folder, {"--with", "./a.json", "--with", "./b.json"}).err,
              HasSubstr("two axes \"toy places\": one stage holds them at"));
  folder.write("c.json",
               R"({"description": "d", "axes": [{"name": "scheduler", "path": "a", "reason": "r"}]})");
  EXPECT_THAT(run_in(folder, {"--with", "./c.json"}).err,
              HasSubstr("c.json:1: axes[0]: \"scheduler\" is an axis already (allowed: its name alone)"));
}

// Two technologies (tables of energies) price the same event of the toy technique, with different counters.
// The technology with the higher rank must price it.
TEST(GuestSeams, ATechnologyDeclaresItsEventsAndParts) {
  const Folder folder;
  const auto table = [&](const std::string& name, int rank, const std::string& counter,
                         const std::string& more) {
    folder.write(name + ".json", fmt::format(R"({{"name": "{}", "description": "d", "rank": {}, {}"entries": [
      {{"name": "{}", "structure": "register_file.toy", "kind": "dynamic", "baseline": 0,
        "counter": "sm*.partition*.toy_counter.{}", "coefficient": {{"value": 2, "assumed": "a toy"}}}}]}})",
                                             name, rank, more, name, counter));
  };
  const std::string event = R"("events": [{"structure": "register_file.toy", "kind": "pass",
    "counters": ["sm*.partition*.toy_counter.reads", "sm*.partition*.toy_counter.writes"]}], )";
  const auto priced = [&](const std::string& tables) {
    const ProgramResult r = run_in(folder, {"--set", R"(gpu.sm.register_file.stages=["toy-counter","banks"])",
                                            "--set", "power.technologies=[" + tables + "]"});
    EXPECT_EQ(r.status, 0) << r.err;
    return r;
  };
  table("by-reads", 2, "reads", event);
  table("by-writes", 1, "writes", "");
  EXPECT_EQ(priced(R"("./by-reads.json","./by-writes.json")").err, "");
  EXPECT_THAT(folder.read("out/energy.csv"), HasSubstr(",by-reads,dynamic,"));
  EXPECT_THAT(folder.read("out/energy.csv"), Not(HasSubstr(",by-writes,dynamic,")));
  EXPECT_THAT(priced(R"("joint-40nm")").out,
              HasSubstr("nothing prices what sm*.partition*.toy_counter counts"));
  folder.write("named.json", R"({"name": "named", "description": "d", "entries": [],
    "parts": [{"name": "toy counter", "has": "sm*.partition*.toy_counter.reads", "leaks": true}]})");
  const ProgramResult named = priced(R"("joint-40nm","./named.json")");
  EXPECT_THAT(named.out, Not(HasSubstr("nothing prices")));
  EXPECT_THAT(named.out, HasSubstr("toy counter"));
  folder.write("other.json", R"({"name": "other", "description": "d", "entries": [], "events": [
    {"structure": "register_file.other", "kind": "read", "counters": "sm*.partition*.banks.reads"}]})");
  EXPECT_THAT(run_in(folder, {"--set", R"(power.technologies=["./other.json"])"}).err,
              HasSubstr("sm*.partition*.banks.reads measures \"read\" of register_file.mrf"));
}

// An entry format with two, four or eight sub-banks must have the counters of its number of sub-banks
// (reads_width_1, 2, ...), and counters of its own. If a policy gates the sub-banks, it must have a power
// group for each bank.
TEST(GuestSeams, AFormatHasItsSubBanksCountersAndPowerGroups) {
  const Folder folder;
  for (const int sub_banks : {2, 4, 8}) {
    SCOPED_TRACE(sub_banks);
    for (const char* policy : {"none", "conventional", "naive-blackout"}) {
      SCOPED_TRACE(policy);
      const ProgramResult r = run_in(
          folder,
          {"--set",
           fmt::format(R"(gpu.sm.register_file.banks.format={{"type":"toy-zeros","sub_banks":{},"gating":)"
                       R"({{"policy":"{}","idle_detect_cycles":0,"wake_up_cycles":10}}}})",
                       sub_banks, policy)});
      ASSERT_EQ(r.status, 0) << r.err;
      const std::string stats = folder.read("out/stats.csv");
      EXPECT_THAT(stats, HasSubstr(fmt::format("sm0.partition0.banks,reads_width_{},", sub_banks)));
      EXPECT_THAT(stats, Not(HasSubstr(fmt::format("sm0.partition0.banks,reads_width_{},", sub_banks + 1))));
      EXPECT_THAT(stats, HasSubstr("sm0.partition0.banks.format,closed,"));
      EXPECT_THAT(r.out, HasSubstr(fmt::format("closed sub-banks (1024 x {} bits)", sub_banks)));
      const bool gates = policy != std::string("none");
      EXPECT_EQ(stats.find("sm0.partition0.banks.format.bank0,sleeps,") != std::string::npos, gates);
    }
  }
  const ProgramResult lanes =
      run_in(folder, {"--set", R"(gpu.sm.register_file.banks.format={"type":"toy-zeros","sub_banks":8})",
                      "--set", "gpu.sm.register_file.banks.lane_gating=active"});
  EXPECT_THAT(lanes.err, HasSubstr("no lane has a segment of its own (allowed: format whole, or "
                                   "lane_gating none)"));
  EXPECT_THAT(
      run_in(folder, {"--set", R"(gpu.sm.register_file.banks.format={"type":"toy-zeros","sub_banks":6})"})
          .err,
      HasSubstr("6 sub-banks (allowed: 2, 4 or 8)"));
}

TEST(GuestSeams, AWrongFormatIsAnErrorWithFileAndLine) {
  const Folder folder;
  const auto error_of = [&](const char* sub_banks, const char* lane_gating) {
    folder.write("rows.json", fmt::format(R"({{"description": "d", "set": {{
  "gpu.sm.register_file.banks.lane_gating": "{}",
  "gpu.sm.register_file.banks.format": {{"type": "base-delta",
    "sub_banks": {}}}}}}})",
                                          lane_gating, sub_banks));
    return run_in(folder, {"--with", "./rows.json"}).err;
  };
  EXPECT_THAT(error_of("6", "none"), HasSubstr("rows.json:4: "));
  EXPECT_THAT(error_of("6", "none"), HasSubstr("6 sub-banks (allowed: 4 or 8)"));
  EXPECT_THAT(error_of("8", "active"), HasSubstr("rows.json:3: "));
  EXPECT_THAT(error_of("8", "active"), HasSubstr("format base-delta with lane_gating active"));
  EXPECT_EQ(error_of("8", "none"), "");
}

// CORF's rename table must cost energy in every account that has a price for the table. Two other machines
// have no such table: a machine with a format that detects no widths, and CMRC.
TEST(GuestSeams, OnlyCorfPaysForARenameTable) {
  const Folder folder;
  for (const char* technique : {"corf", "corf++"})
    for (const char* account : {"machine", "papers"}) {
      SCOPED_TRACE(std::string(technique) + " " + account);
      const ProgramResult r =
          run_in(folder, {"--with", technique, "--set", std::string("power.account=") + account});
      EXPECT_EQ(r.status, 0) << r.err;
      EXPECT_THAT(folder.read("out/energy.csv"),
                  AllOf(HasSubstr("register_file.rename_table,rename-access,dynamic"),
                        HasSubstr("register_file.rename_table,rename-leakage,leakage")));
      EXPECT_THAT(r.out, Not(HasSubstr("rename table")));
    }
  for (const char* technique : {"cmrc", "base-delta"}) {
    EXPECT_EQ(run_in(folder, {"--with", technique}).status, 0);
    EXPECT_THAT(folder.read("out/energy.csv"), Not(HasSubstr("rename_table"))) << technique;
  }
  const ProgramResult bare =
      run_in(folder, {"--with", "corf++", "--set", R"(power.technologies=["radaideh-cmrc"])"});
  EXPECT_THAT(bare.out, HasSubstr("rename table"));
}

// The energy of an entry format must include its own logic, but not the width detection of another technique.
// If an account has no price for this logic, the account must list it as not priced.
TEST(GuestSeams, AFormatPaysForItsOwnLogic) {
  const Folder folder;
  const auto format = [&](const std::string& name, const std::string& tables) {
    const ProgramResult r = run_in(folder, {"--set", "gpu.sm.register_file.banks.format=" + name, "--set",
                                            "power.technologies=[" + tables + "]"});
    EXPECT_EQ(r.status, 0) << r.err;
    return r.out;
  };
  const auto without_leakage = [](const std::string& out) { return out.substr(0, out.find("leakage of")); };
  for (const char* table : {R"("joint-40nm")", R"("002-cmrc")"}) {
    SCOPED_TRACE(table);
    EXPECT_THAT(format("toy-short", table),
                AllOf(HasSubstr("logic of the row format"), HasSubstr("arrays of toy-short")));
    EXPECT_THAT(folder.read("out/energy.csv"), Not(HasSubstr("register_file.coalescing")));
    EXPECT_THAT(without_leakage(format("packed", table)), Not(HasSubstr("logic of the row format")));
    EXPECT_THAT(folder.read("out/energy.csv"), HasSubstr("register_file.packing"));
    EXPECT_THAT(folder.read("out/energy.csv"), Not(HasSubstr("register_file.coalescing")));
    EXPECT_THAT(without_leakage(format("sub-banked", table)), Not(HasSubstr("logic of the row format")));
    EXPECT_THAT(folder.read("out/energy.csv"), HasSubstr("register_file.coalescing"));
    EXPECT_THAT(format("whole", table), Not(HasSubstr("logic of the row format")));
  }
  folder.write("short.json", R"({"name": "short", "description": "d", "entries": [
    {"name": "halves", "structure": "register_file.halves", "event": "register_file.row_format", "kind": "dynamic",
     "baseline": 0, "if": {"parameter": "gpu.sm.register_file.banks.format", "one_of": "toy-short"},
     "counter": "sm*.partition*.banks.writes", "coefficient": {"value": 1, "assumed": "a toy"}}]})");
  format("toy-short", R"("joint-40nm","./short.json")");
  EXPECT_THAT(folder.read("out/energy.csv"), HasSubstr("register_file.halves"));
  format("sub-banked", R"("joint-40nm","./short.json")");
  EXPECT_THAT(folder.read("out/energy.csv"), Not(HasSubstr("register_file.halves")));
}

}  // namespace
}  // namespace heddle::test
