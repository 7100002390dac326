// run, exec, compare, experiment and price take their options from one table. Each command must either accept
// an option with the same meaning as the other commands, or refuse the option with the reason in the table.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "models/core/error.h"
#include "testbench/cli/commands.h"
#include "testbench/cli/option_table.h"
#include "tests/cli/program.h"

namespace heddle::test::options_test {
namespace {

using cli::Command;
using cli::kSharing;
using cli::OptionKind;
using cli::SharedOption;
using ::testing::HasSubstr;
using ::testing::Not;

struct Parser {
  explicit Parser(Command command) : app("", cli::name_of(command)) {
    static const std::map<Command, cli::Action (*)(CLI::App&)> kMake = {
        {Command::run, cli::add_run},
        {Command::exec, cli::add_exec},
        {Command::compare, cli::add_compare},
        {Command::experiment, cli::add_experiment},
        {Command::price, cli::add_price}};
    action = kMake.at(command)(app);
  }
  std::string error(std::vector<std::string> words) {
    std::reverse(words.begin(), words.end());
    try {
      app.parse(words);
      action();
    } catch (const Error& error) {
      return error.what();
    } catch (const CLI::ParseError& error) {
      return std::string("not parsed: ") + error.what();
    }
    return "no error";
  }
  CLI::App app;
  cli::Action action;
};

std::vector<std::string> words_of(Command command, const std::string& result) {
  switch (command) {
    case Command::run:
      return {"--launch", "saxpy/small", "--gpu", "fermi-gtx480"};
    case Command::exec:
      return {"--gpu", "fermi-gtx480", "/bin/true"};
    case Command::compare:
      return {"--launch", "saxpy/small", "fermi-gtx480"};
    case Command::experiment:
      return {"schedulers"};
    default:
      return {result};
  }
}

std::vector<std::string> given(const SharedOption& option, const std::string& text) {
  switch (option.kind) {
    case OptionKind::flag:
      return {option.name};
    case OptionKind::optional_text:
      return {option.name + "=" + text};
    case OptionKind::count:
      return {option.name, "1"};
    case OptionKind::positions:
      return {option.name, "0"};
    default:
      return {option.name, text};
  }
}

bool is_shown(const CLI::Option& option) { return !option.get_group().empty(); }

TEST(Options, EveryCommandHasTheTable) {
  for (const Command command : kSharing) {
    Parser parser(command);
    for (const SharedOption& option : cli::shared_options()) {
      const CLI::Option* there = parser.app.get_option_no_throw(option.name);
      ASSERT_NE(there, nullptr) << cli::name_of(command) << " " << option.name;
      EXPECT_EQ(there->get_description(), option.doc);
      EXPECT_EQ(is_shown(*there), option.refusal(command) == nullptr)
          << cli::name_of(command) << " " << option.name;
    }
  }
}

TEST(Options, NoNameIsOfTwoCommandsOutsideOfTheTable) {
  std::map<std::string, std::set<std::string>> commands;
  for (const Command command : kSharing) {
    Parser parser(command);
    for (const CLI::Option* option : parser.app.get_options())
      for (const std::string& name : option->get_lnames())
        commands["--" + name].insert(cli::name_of(command));
  }
  for (const SharedOption& option : cli::shared_options()) commands.erase(option.name);
  commands.erase("--help");
  for (const auto& [name, of] : commands) EXPECT_EQ(of.size(), 1u) << name;
}

TEST(Options, RefusalsSayWhyAndWhatIsAllowed) {
  int refused = 0;
  for (const Command command : kSharing)
    for (const SharedOption& option : cli::shared_options()) {
      const SharedOption::Refusal* refusal = option.refusal(command);
      if (!refusal) continue;
      ++refused;
      Parser parser(command);
      std::vector<std::string> words = words_of(command, "none.json");
      const std::vector<std::string> more = given(option, "x");
      words.insert(words.begin(), more.begin(), more.end());
      const std::string error = parser.error(words);
      EXPECT_THAT(error, HasSubstr(option.name + ": heddle " + cli::name_of(command) +
                                   " cannot take it: " + refusal->why));
      EXPECT_THAT(error, HasSubstr("(allowed: " + refusal->allowed + ")"));
    }
  EXPECT_GT(refused, 30);
}

TEST(Options, EachIsRefusedBySomeOrNone) {
  std::set<std::string> names;
  for (const SharedOption& option : cli::shared_options()) {
    EXPECT_TRUE(names.insert(option.name).second) << option.name << " stands twice";
    EXPECT_TRUE(option.name.starts_with("--"));
    EXPECT_LT(option.refusals.size(), kSharing.size()) << option.name << " holds nowhere";
  }
}

TEST(Options, WhatIsWrittenNeedsAFolder) {
  const auto error_of = [](Command command, std::vector<std::string> more) {
    const std::vector<std::string> words = words_of(command, "none.json");
    more.insert(more.end(), words.begin(), words.end());
    return Parser(command).error(more);
  };
  const std::vector<std::pair<std::string, std::vector<std::string>>> written = {
      {"--profile", {"--profile"}},
      {"--timeline", {"--timeline=json"}},
      {"--vcd", {"--vcd=w.vcd"}},
      {"--report", {"--report"}},
      {"--analyze", {"--analyze", "value-usage"}},
      {"--set output.profile=true", {"--set", "output.profile=true"}},
      {"--set output.timeline=true", {"--set", "output.timeline=true"}},
      {"--set output.vcd.enabled=true", {"--set", "output.vcd.enabled=true"}},
      {"--set output.analyses=[\"value-usage\"]", {"--set", "output.analyses=[\"value-usage\"]"}}};
  for (const auto& [where, words] : written)
    EXPECT_EQ(error_of(Command::run, words),
              where + ": there is no folder for what it writes (allowed: --out FOLDER)");
  for (const char* part : {"--vcd-select", "--vcd-from", "--vcd-to"})
    EXPECT_THAT(error_of(Command::run, {part, "1", "--out", "none"}), HasSubstr(": no waveform is written"));
  EXPECT_THAT(error_of(Command::exec, {"--set", "output.profile=true"}),
              HasSubstr("--set output.profile=true: heddle exec cannot take it"));
}

TEST(Options, WhatAScenarioWritesNeedsAFolder) {
  Folder folder;
  for (const char* output : {R"("profile": true)", R"("timeline": true)", R"("report": true)",
                             R"("vcd": {"enabled": true})", R"("analyses": ["value-usage"])"}) {
    folder.write("s.json", std::string(R"({"gpu": "fermi-gtx480", "launch": "saxpy/small", "output": {)") +
                               output + "}}");
    const ProgramResult run = run_program({"run", "s.json"}, folder.path());
    EXPECT_EQ(run.status, 1) << output;
    EXPECT_THAT(run.err,
                HasSubstr("there is no folder for what it writes (allowed: output.folder, or --out"));
  }
}

TEST(Options, ANewOneReachesAllFive) {
  Folder folder;
  const ProgramResult stored = run_program(
      {"run", "--launch", "saxpy/small", "--gpu", "fermi-gtx480", "--out", "out", "--quiet"}, folder.path());
  ASSERT_EQ(stored.status, 0) << stored.err;
  cli::shared_options().push_back(
      SharedOption{"--new-prices", OptionKind::texts, "for this test"}.sets("power.technologies"));
  for (const Command command : kSharing) {
    Parser parser(command);
    EXPECT_THAT(parser.app.help(), HasSubstr("--new-prices"));
    std::vector<std::string> words = words_of(command, folder.path() + "/out/result.json");
    words.insert(words.begin(), {"--new-prices", "dear-and-cheap"});
    EXPECT_THAT(parser.error(words), HasSubstr("dear-and-cheap")) << cli::name_of(command);
  }
  cli::shared_options().pop_back();
}

TEST(Options, HelpAndCompletionShowWhatHolds) {
  Folder folder;
  const std::string help = run_program({"price", "--help"}, folder.path()).out;
  for (const char* name : {"--technology", "--set", "--quiet", "--json"}) EXPECT_THAT(help, HasSubstr(name));
  EXPECT_THAT(help, Not(HasSubstr("--scheduler")));
  EXPECT_THAT(run_program({"completion", "fish"}, folder.path()).out,
              Not(HasSubstr("__fish_seen_subcommand_from price' -l scheduler")));
}

TEST(Options, PriceTakesTheParametersOfPricesAlone) {
  Folder folder;
  ASSERT_EQ(
      run_program({"run", "--launch", "saxpy/small", "--gpu", "fermi-gtx480", "--out", "out", "--quiet"},
                  folder.path())
          .status,
      0);
  const auto price = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"price", "out/result.json"});
    return run_program(more, folder.path());
  };
  const std::string by_set = price({"--set", "power.technologies=[\"gtx480-45nm\"]"}).out;
  EXPECT_EQ(by_set, price({"--technology", "gtx480-45nm"}).out);
  EXPECT_EQ(by_set, price({"--account", "papers", "--technology", "gtx480-45nm"}).out) << "tables win";
  EXPECT_NE(by_set, price({}).out);
  EXPECT_THAT(price({"--account", "papers"}).out,
              HasSubstr("    scope           execution units and register file\n"));
  EXPECT_EQ(price({"--quiet"}).out, "");
  EXPECT_THAT(price({"--set", "gpu.sms=2"}).err,
              HasSubstr("--set gpu.sms=2: heddle price cannot take it: a stored run keeps its counters"));
}

TEST(Options, CompareIsQuietAndTakesTheMachine) {
  Folder folder;
  const ProgramResult done =
      run_program({"compare", "--launch", "saxpy/small", "fermi-gtx480", "fermi-gtx480+hybrid", "--scheduler",
                   "lrr", "--registers", "20", "--quiet", "--out", "out", "--timeline", "--interval", "200"},
                  folder.path());
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_EQ(done.out, "");
  EXPECT_TRUE(folder.has("out/1/timeline.pftrace"));
  EXPECT_TRUE(folder.has("out/1/intervals.csv"));
  EXPECT_THAT(folder.read("out/1/result.json"), HasSubstr("\"scheduler\": \"lrr\""));
}

TEST(Options, ExperimentsTakeChangesOfAllRuns) {
  Folder folder;
  folder.write("e.json", R"({"name": "e", "base": {"gpu": {"preset": "fermi-gtx480", "sms": 1}},
    "sizes": {"quick": {"kernels": ["saxpy"], "launch": "small.json", "set": {"gpu.sm.max_ctas": 2}}},
    "variants": [{"name": "a"}, {"name": "b", "set": {"gpu.sm.gating.int.policy": "conventional"}}],
    "figures": [{"id": "f", "title": "t", "kind": "table", "metric": "cycles"}]})");
  const auto experiment = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"experiment", "e.json", "--list"});
    return run_program(more, folder.path());
  };
  const std::string as_it_is = experiment({}).out;
  ASSERT_THAT(as_it_is, HasSubstr("saxpy, a"));
  for (const std::vector<std::string>& change : std::vector<std::vector<std::string>>{
           {"--set", "gpu.sm.max_ctas=3"}, {"--scheduler", "lrr"}, {"--sample-ctas", "2"}}) {
    const ProgramResult changed = experiment(change);
    EXPECT_EQ(changed.status, 0) << changed.err;
    EXPECT_NE(changed.out, as_it_is) << change[0] << ": other configurations have other names";
  }
  EXPECT_EQ(experiment({"--set", "power.technologies=[]"}).out, as_it_is) << "prices are no part of a run";
  EXPECT_EQ(experiment({"--set", "gpu.sm.max_ctas=2"}).out, as_it_is);
  for (const char* change : {"gpu.sm.gating.int.policy=none", "gpu.sm.gating.int={}"})
    EXPECT_THAT(experiment({"--set", change}).err,
                HasSubstr(std::string("--set ") + change +
                          ": the experiment itself sets gpu.sm.gating.int.policy (e.json:3: variants[1])"));
  const ProgramResult run = run_program({"experiment", "e.json", "--out", "out", "--sample-ctas", "2",
                                         "--set", "gpu.sm.scheduler={\"type\": \"gto\"}"},
                                        folder.path());
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(folder.read("out/report.md"),
              HasSubstr("heddle experiment e.json --size quick --set 'gpu.sm.scheduler={\"type\": \"gto\"}' "
                        "--sample-ctas 2`"));
}

}  // namespace
}  // namespace heddle::test::options_test
