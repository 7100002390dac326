// Tests combinations of techniques: order, sizes, conflicts and requirements. The tests only build
// configurations; they simulate nothing.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <numeric>
#include <set>

#include "models/core/error.h"
#include "models/core/part_order.h"
#include "models/core/read_file.h"
#include "program.h"
#include "testbench/run/data_files.h"
#include "testbench/run/scenario.h"
#include "testbench/run/technique_file.h"
#include "testbench/run/tree_path.h"

namespace heddle::test {
namespace {

using run::RunParameters;
using ::testing::HasSubstr;

std::vector<std::string> all_techniques() { return run::list_data("configs/techniques", ".json"); }

RunParameters merged(const std::vector<std::string>& with, const std::string& gpu = "fermi-gtx480",
                     const std::vector<std::string>& sets = {}) {
  run::ScenarioRequest request;
  request.gpu = gpu;
  request.with = with;
  request.sets = sets;
  return run::read_scenario(request);
}

std::string error_of(const std::vector<std::string>& with, const std::string& gpu = "fermi-gtx480") {
  try {
    merged(with, gpu);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

std::string value(const RunParameters& parameters, const std::string& path) {
  const ConfigNode all = run::dump_scenario(parameters);
  const ConfigNode* found = run::find_path(all, path);
  return found ? run::one_line(*found) : "none";
}

std::string said(const RunParameters& parameters) {
  std::string text;
  for (const std::string& note : parameters.technique_notes) text += note + "\n";
  return text;
}

std::vector<run::TechniqueAxis> axes_of(const std::string& name) {
  std::vector<std::string> files;
  return run::read_technique(run::technique_file(ConfigNode::make_string(name)), files).axes;
}

const std::string kStages = "gpu.sm.register_file.stages";
const std::string kBanks = "gpu.sm.register_file.banks.";

TEST(PartOrders, AreWhatTheTypesSay) {
  const auto types = [](const char* place) { return PartOrder::of_place(place).types(); };
  EXPECT_THAT(types("gpu.sm.register_file.stages"),
              ::testing::ElementsAre("read-distances", "operand-file", "operand-window", "register-cache",
                                     "interval-file", "swapping", "renaming", "rename-table", "banks"));
  EXPECT_THAT(types("gpu.sm.front_end.stages"),
              ::testing::ElementsAre("release-flag-cache", "instruction-cache"));
  EXPECT_THAT(types("gpu.sm.constraints"),
              ::testing::ElementsAre("consumer-scoreboard", "dependence-counters", "scoreboard",
                                     "stall-count", "collector-free", "collector-share", "latch-free",
                                     "unit-gated", "register-throttle"));
  EXPECT_EQ(types("gpu.admission").back(), "physical-registers");
  EXPECT_THAT(types("compiler.passes"),
              ::testing::ElementsAre(
                  "fold-parameters", "fold-conversions", "propagate-copies", "simplify-predicates",
                  "remove-dead-code", "clean-branches", "unroll-loops", "schedule-latencies",
                  "schedule-loads", "allocate-registers", "reconvergence", "swap-operands", "strands",
                  "operand-file", "scratchpad", "long-latency-marks", "liveness-hints", "shared-use-marks",
                  "window-hints", "register-banks", "exempt-registers", "register-ranks", "register-sides",
                  "register-pairs", "register-intervals", "hint-words", "release-flags", "control-bits"));
}

TEST(PartOrders, ACircleIsNamed) {
  const auto part = [](const char* name, std::vector<std::string> before,
                       std::vector<std::string> kinds = {}) {
    return PartInfo{name, "", {}, {.kinds = std::move(kinds), .before = std::move(before)}};
  };
  EXPECT_THAT(PartOrder({part("a", {"c"}), part("b", {"k"}), part("c", {}, {"k"})}).types(),
              ::testing::ElementsAre("a", "b", "c"));
  try {
    PartOrder({part("a", {"c"}), part("b", {}), part("c", {"a"})});
    FAIL() << "a circle has an order";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("each of a, c has to stand before another of them"));
  }
}

// The issue constraint `stall-count` makes a machine depend on control bits. Heddle must then add the
// compiler pass `control-bits`, even if a scenario lists its own passes.
TEST(Merging, AMachineWithStallCountsAddsControlBits) {
  const auto passes = [](const char* scenario) {
    return value(run::read_scenario_tree(parse_config_text(scenario, "mine.json"), {}), "compiler.passes");
  };
  EXPECT_EQ(
      passes(R"({"gpu": "ampere-a6000", "launch": "a.json", "compiler": {"passes": ["clean-branches"]}})"),
      R"(["clean-branches", "control-bits"])");
  EXPECT_EQ(passes(R"({"gpu": "ampere-a6000", "launch": "a.json", "passes": ["control-bits"]})"),
            R"(["control-bits"])");
  EXPECT_EQ(
      passes(
          R"({"gpu": {"preset": "ampere-a6000", "sm": {"constraints": ["scoreboard"]}}, "launch": "a.json", "passes": []})"),
      "[]");
}

void expect_contradiction(const std::string& error, const std::string& a, const std::string& b) {
  EXPECT_THAT(error, HasSubstr("--with " + a + " --with " + b + ": both decide the "));
  EXPECT_THAT(error, HasSubstr("decides it"));
}

TEST(Merging, TheOrderOfTechniquesDoesNotShow) {
  const std::vector<std::string> names = all_techniques();
  const auto made = [](const std::vector<std::string>& with) {
    try {
      RunParameters parameters = merged(with);
      std::sort(parameters.power.technologies.begin(), parameters.power.technologies.end());
      return to_json(run::dump_scenario(parameters));
    } catch (const Error& error) {
      return std::string(error.what());
    }
  };
  for (std::size_t a = 0; a < names.size(); ++a)
    for (std::size_t b = a + 1; b < names.size(); ++b) {
      const std::string one = made({names[a], names[b]});
      EXPECT_EQ(one, made({names[b], names[a]})) << names[a] << ", " << names[b];
      if (!one.starts_with('{')) expect_contradiction(one, names[a], names[b]);
    }
}

// Returns the table of docs/techniques.md about properties that only one technique may decide. The table
// lists the properties, the techniques that decide each property, and the pairs of techniques that may still
// be combined.
std::string axes_page() {
  std::map<std::string, std::vector<std::string>> deciding;
  std::vector<run::TechniqueAxis> axes = run::technique_axes();
  for (const std::string& name : all_techniques())
    for (const run::TechniqueAxis& axis : axes_of(name)) {
      deciding[axis.name].push_back(name);
      if (std::find(axes.begin(), axes.end(), axis) == axes.end()) axes.push_back(axis);
    }
  std::string page =
      "| property that only one technique may decide | techniques that decide it | reason | allowed together "
      "|\n| --- | --- | --- | --- |\n";
  for (const run::TechniqueAxis& axis : axes) {
    const std::vector<std::string>& names = deciding[axis.name];
    std::string decided, agreeing;
    for (std::size_t a = 0; a < names.size(); ++a) {
      decided += (a ? ", `" : "`") + names[a] + "`";
      for (std::size_t b = a + 1; b < names.size(); ++b)
        if (error_of({names[a], names[b]}).empty())
          agreeing += (agreeing.empty() ? "`" : ", `") + names[a] + "` and `" + names[b] + "`";
    }
    page += "| " + axis.name + " | " + decided + " | " + axis.reason + " | " + agreeing + " |\n";
  }
  return page;
}

TEST(Merging, EveryRefusalIsAContradictionOfHardware) {
  const std::vector<std::string> names = all_techniques();
  for (const char* gpu : {"fermi-gtx480", "fermi-gebhart", "fermi-cmrc", "fermi-virtualization",
                          "kepler-gtx780", "maxwell-gtx980"})
    for (std::size_t a = 0; a < names.size(); ++a)
      for (std::size_t b = a + 1; b < names.size(); ++b) {
        const std::string error = error_of({names[a], names[b]}, gpu);
        if (error.empty()) continue;
        expect_contradiction(error, names[a], names[b]);
      }
}

TEST(Merging, ThePageListsWhatIsRefused) {
  EXPECT_THAT(read_text_file(source("docs/techniques.md"), "the page"), HasSubstr(axes_page()))
      << axes_page();
}

TEST(Merging, ATechniqueOfTwoIsTheirSum) {
  const std::string sum = to_json(run::dump_scenario(merged({"warped-register-file"})));
  EXPECT_EQ(sum, to_json(run::dump_scenario(merged({"tric", "coma"}))));
  EXPECT_EQ(sum, to_json(run::dump_scenario(merged({"tric", "warped-register-file"}))));
  for (const char* format : {"cmrc", "corf", "corf++"}) {
    EXPECT_EQ(error_of({"tric", format}), "");
    EXPECT_THAT(error_of({"coma", format}), HasSubstr("both decide the format of rows"));
  }
}

int registers(const RunParameters& parameters) {
  const std::vector<int> depths = parameters.gpu.sm.register_file.banks.depths();
  return std::accumulate(depths.begin(), depths.end(), 0);
}

TEST(Sizes, GpuShrinkHalvesTheFileOfEveryPreset) {
  for (const std::string& gpu : run::list_data("configs/gpu", ".json")) {
    const RunParameters whole = merged({}, gpu), half = merged({"gpu-shrink"}, gpu);
    const std::vector<int> depths = whole.gpu.sm.register_file.banks.depths();
    for (std::size_t b = 0; b < depths.size(); ++b)
      EXPECT_EQ(half.gpu.sm.register_file.banks.depths()[b], depths[b] / 2) << gpu << ", bank " << b;
    EXPECT_EQ(half.gpu.sm.register_file.architected_entries, registers(whole)) << gpu;
    EXPECT_THAT(said(half), HasSubstr("0.5 of the preset's")) << gpu;
  }
}

TEST(Sizes, PortsFollowIssueSlotsAndLinesActiveWarps) {
  const auto ports = [](const RunParameters& p, const std::string& stage) {
    return value(p, kStages + "[" + stage + "].read_ports") + "+" +
           value(p, kStages + "[" + stage + "].write_ports");
  };
  for (const char* name : {"register-cache", "shared-register-cache", "hybrid"}) {
    EXPECT_EQ(ports(merged({name}), "register-cache"), "3+1") << name;
    EXPECT_EQ(ports(merged({name, "warped-gates"}), "register-cache"), "6+2") << name;
    EXPECT_EQ(ports(merged({name}, "maxwell-gtx980"), "register-cache"), "6+2") << name;
  }
  for (const char* name : {"operand-file", "operand-hierarchy", "scratchpad", "hybrid"})
    EXPECT_EQ(ports(merged({name, "warped-gates"}), "operand-file"), "6+2") << name;
  EXPECT_EQ(ports(merged({"register-cache"}, "fermi-gtx480", {"gpu.sm.issue_width=2"}), "register-cache"),
            "6+2");
  const std::string lines = kStages + "[register-cache].entries";
  EXPECT_EQ(value(merged({"hybrid"}, "maxwell-gtx980"), lines), "16");
  EXPECT_EQ(value(merged({"shared-register-cache"}, "maxwell-gtx980"), lines), "24");
  EXPECT_EQ(value(merged({"hybrid", "warped-gates"}), lines), "128");
  EXPECT_EQ(value(merged({"hybrid"}, "fermi-cmrc", {"gpu.sm.scheduler=gto"}), lines), "96")
      << "24 warps, all active";
  EXPECT_EQ(value(merged({"hybrid"}, "fermi-cmrc", {"gpu.sm.scheduler=two-level"}), lines), "32")
      << "8 by default";
}

TEST(Sizes, WhatIsNoneIsNamed) {
  const Folder folder;
  const auto error = [&](const std::string& path, const std::string& size) {
    folder.write("t.json", R"({"description": "d", "set": {")" + path + R"(": )" + size + "}}");
    return error_of({folder.path() + "/t.json"});
  };
  const std::string entries = kBanks + "entries";
  EXPECT_THAT(error(entries, R"({"times": 0, "of": "preset"})"), HasSubstr("without a positive factor"));
  EXPECT_THAT(error(entries, R"({"times": 0.5, "of": "all"})"),
              HasSubstr("unknown whole \"all\" (allowed: preset,"));
  EXPECT_THAT(error(kBanks + "layout", R"({"times": 0.5, "of": "preset"})"),
              HasSubstr("wshift in the preset"));
  EXPECT_THAT(error(entries, R"({"times": 0.5, "by": "day"})"), HasSubstr("\"day\""));
  EXPECT_THAT(error(entries, R"({"times": 3, "by": "warp", "in": "gpu"})"),
              HasSubstr("unknown structure \"gpu\""));
  EXPECT_THAT(error(entries, R"({"times": 3, "by": "warp", "inn": "sm"})"), HasSubstr("unknown key \"inn\""));
  EXPECT_THAT(error(entries, R"({"times": 0.001, "of": "preset"})"), HasSubstr("0 is out of range"));
  folder.write("t.json", R"({"description": "d", "set": {")" + entries +
                             R"(": {"times": 3, "by": "warp", "in": "sm"}}})");
  EXPECT_EQ(value(merged({folder.path() + "/t.json"}), entries), "144");
}

TEST(Requirements, APropertyIsMetByWhateverHasIt) {
  for (const char* name : {"register-cache", "shared-register-cache", "hybrid", "operand-file",
                           "operand-hierarchy", "scratchpad"}) {
    EXPECT_EQ(value(merged({name, "origami"}), "gpu.sm.scheduler.type"), "origami") << name;
    EXPECT_EQ(value(merged({name}, "fermi-cmrc"), "gpu.sm.scheduler.type"), "two-level") << name;
  }
  const Folder folder;
  folder.write(
      "t.json",
      R"({"description": "d", "requires": [{"parameter": "gpu.sm.scheduler", "has": "wings", "why": "w"}]})");
  EXPECT_THAT(error_of({folder.path() + "/t.json"}),
              HasSubstr("no part at gpu.sm.scheduler has the property \"wings\""));
  folder.write("t.json", R"({"description": "d", "set": {"gpu.sm.scheduler": "lrr"}})");
  EXPECT_THAT(error_of({folder.path() + "/t.json", "hybrid"}),
              HasSubstr("lrr, and hybrid needs one of gates, origami, two-level"));
}

TEST(Requirements, OfAnAbsentPartNothingIsRequired) {
  const std::string full = kStages + "[renaming].bank_full";
  EXPECT_EQ(value(merged({"corf++"}), full), "none");
  EXPECT_EQ(value(merged({"virtualization"}), full), "none") << "left at its default";
  for (const char* renaming : {"virtualization", "gpu-shrink"})
    for (const char* layout : {"corf", "corf++"})
      EXPECT_EQ(value(merged({layout, renaming}), full), "next-bank");
}

TEST(Requirements, OfTwoPreferencesTheFirstByNameIsTakenAndSaid) {
  const RunParameters p = merged({"scratchpad", "register-cache"}, "fermi-cmrc");
  EXPECT_EQ(value(p, "gpu.sm.scheduler.active_warps"), "8");
  EXPECT_THAT(said(p), HasSubstr("by register-cache, which scratchpad would have as"));
}

TEST(Notes, SayWhereTechniquesMeet) {
  EXPECT_THAT(
      said(merged({"warped-gates", "hybrid"})),
      HasSubstr("warped-gates changes schedulers (gpu.sm.schedulers_per_partition 2 -> 1, "
                "gpu.sm.issue_width 1 -> 2), "
                "which determines the ports of hybrid's register-cache (read_ports 6, write_ports 2)"));
  EXPECT_THAT(said(merged({"warped-gates", "hybrid"})),
              HasSubstr("changes active warps (gpu.sm.scheduler.active_warps 6 -> 32)"));
  EXPECT_THAT(said(merged({"corf++", "virtualization"})),
              HasSubstr("which determines the rows of virtualization's renaming (bank_full next-bank)"));
  EXPECT_THAT(said(merged({"warped-gates"})), Not(HasSubstr("changes")));
}

TEST(Notes, PricesCannotBeRemoved) {
  const auto by_papers = [](const std::vector<std::string>& with) {
    return merged(with, "fermi-gtx480", {"power.account=papers"});
  };
  const RunParameters p = by_papers({"pilot-register-file", "warped-gates"});
  EXPECT_THAT(p.power.technologies,
              ::testing::IsSupersetOf({"gtx480-45nm", "gebhart-hierarchy", "abdel-majeed-finfet-7nm"}));
  EXPECT_THAT(said(by_papers({"pilot-register-file"})), Not(HasSubstr("no prices")));
  EXPECT_THAT(said(by_papers({"two-level", "virtualization", "hybrid"})),
              HasSubstr("no prices of their own: two-level, virtualization"));
}

TEST(Account, IsTheMachinesWhateverTechniquesName) {
  using Names = std::vector<std::string>;
  const Names machine = {"joint-40nm"}, with = {"cmrc", "warped-gates"};
  const Names papers = {"gtx480-45nm", "gebhart-hierarchy", "radaideh-cmrc"};
  const auto tables = [&](const std::vector<std::string>& sets) {
    return merged(with, "fermi-gtx480", sets).power.technologies;
  };
  EXPECT_EQ(tables({}), machine);
  EXPECT_EQ(tables({"power.account=machine"}), machine);
  EXPECT_EQ(tables({"power.account=papers"}), papers);
  EXPECT_THAT(said(merged({"two-level"})), Not(HasSubstr("no prices"))) << "the machine's table has them";
  const std::string own = R"(power.technologies=["gtx480-45nm"])";
  EXPECT_EQ(tables({own}), Names{"gtx480-45nm"});
  EXPECT_EQ(tables({own, "power.account=papers"}), Names{"gtx480-45nm"});
  EXPECT_EQ(tables({"power.account=papers", own}), Names{"gtx480-45nm"});
  EXPECT_THROW(tables({"power.account=nobody"}), Error);
}

}  // namespace
}  // namespace heddle::test
