// Every energy figure of Heddle's technologies names its source. The coefficients must equal the papers'
// tables; these were copied into this test by hand.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "models/compiler/analyses/access_energy.h"
#include "testbench/run/data_files.h"
#include "testbench/run/energy_setup.h"
#include "testbench/run/scenario.h"

namespace heddle::run {
namespace {

std::vector<std::string> all_technologies() { return list_data("configs/technology", ".json"); }

power::Technology technology_of(const std::string& name) {
  return power::read_technology(find_technology(name, "test"), find_technology);
}

RunParameters parameters_of(const std::string& gpu, const std::vector<std::string>& sets) {
  ScenarioRequest request;
  request.gpu = gpu;
  request.sets = sets;
  return read_scenario(request);
}

double value_of(const std::string& technology, const std::string& value,
                const std::vector<std::string>& sets = {}, const std::string& gpu = "fermi-gebhart") {
  const RunParameters parameters = parameters_of(gpu, sets);
  const power::Technology t = technology_of(technology);
  return power::evaluate(ConfigNode::make_string(value), t.definitions, energy_configuration(parameters));
}

std::string stages(const std::string& list) {
  return "gpu.sm.register_file.stages=[" + list + ", \"banks\"]";
}

class EveryTechnology : public testing::TestWithParam<std::string> {};

bool has_origin(const ConfigNode& node) { return node.find("source") || node.find("assumed"); }

void expect_origins(const ConfigNode& node, bool inside) {
  if (node.is_number() && node.number != 0 && node.number != 1) {
    EXPECT_TRUE(inside) << node.where() << ": " << node.number << " has no origin";
  }
  const ConfigNode* source = node.find("source");
  if (source) {
    // An origin is a paper ("Jeon 2015, Table 2: ..."), or a file with measurements in the repository.
    constexpr std::array<std::string_view, 5> kPapers{"Gebhart 2012", "Jeon 2015", "Radaideh 2021",
                                                      "Abdel-Majeed 2016", "Bailey 2018"};
    const bool paper = std::any_of(kPapers.begin(), kPapers.end(), [&source](std::string_view name) {
      return source->text.starts_with(std::string(name) + ", ");
    });
    const std::string file = source->text.substr(0, source->text.find(':'));
    EXPECT_TRUE(paper || (file.starts_with("power/") &&
                          std::filesystem::is_regular_file(HEDDLE_SOURCE_FOLDER "/" + file)))
        << node.where() << " names no paper and no file: " << source->text;
  }
  for (const auto& [key, member] : node.members) expect_origins(member, inside || has_origin(node));
  for (const ConfigNode& item : node.items) expect_origins(item, inside || has_origin(node));
}

TEST_P(EveryTechnology, NamesItselfAndGivesEveryFigureAnOrigin) {
  const ConfigNode tree = parse_config_file(find_technology(GetParam(), "test"));
  EXPECT_EQ(tree.find("name")->text, GetParam());
  expect_origins(tree, false);
}

TEST_P(EveryTechnology, ReadsWithAllThatItExtends) {
  EXPECT_FALSE(technology_of(GetParam()).entries.empty());
}

INSTANTIATE_TEST_SUITE_P(Technologies, EveryTechnology, testing::ValuesIn(all_technologies()),
                         [](const auto& name) {
                           std::string text = name.param;
                           for (char& c : text)
                             if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
                           return text;
                         });

TEST(Hierarchy, MainRegisterFileAsTableV) {
  EXPECT_DOUBLE_EQ(value_of("gebhart-hierarchy", "mrf-read-pj"), 64) << "eight times 8 pJ";
  EXPECT_DOUBLE_EQ(value_of("gebhart-hierarchy", "mrf-write-pj"), 88);
  EXPECT_DOUBLE_EQ(value_of("gebhart-hierarchy", "mrf-wire-pj"), 60.8) << "32 words, 1.9 pJ, 1 mm";
  EXPECT_DOUBLE_EQ(value_of("gebhart-hierarchy", "l1-private-wire-pj"), 60.8 / 5) << "five times less (6.3)";
  EXPECT_DOUBLE_EQ(value_of("gebhart-hierarchy", "l0-private-wire-pj"), 60.8 / 20)
      << "twenty times less (6.3)";
}

// Gebhart 2012, Table IV: entries per thread, active warps, and the energies in pJ of reading and writing 128
// bits
TEST(Hierarchy, SmallArraysAsTableIV) {
  struct Row {
    int entries, warps;
    double read, write;
  };
  const Row rows[] = {{4, 4, 1.2, 3.8}, {4, 6, 1.2, 4.4}, {4, 8, 1.9, 6.1},
                      {6, 4, 1.2, 4.4}, {6, 6, 1.7, 5.4}, {6, 8, 2.2, 6.7},
                      {8, 4, 1.9, 6.1}, {8, 6, 2.2, 6.7}, {8, 8, 3.4, 10.9}};
  for (const Row& row : rows) {
    const std::vector<std::string> sets = {
        fmt::format("gpu.sm.scheduler.active_warps={}", row.warps),
        stages(fmt::format(
            R"({{"type": "operand-file", "entries": {}}}, {{"type": "register-cache", "entries": {}}})",
            row.entries, row.entries))};
    for (const char* stage : {"orf", "rfc"}) {
      EXPECT_NEAR(value_of("gebhart-hierarchy", fmt::format("{}-read-pj", stage), sets), 8 * row.read, 1e-9)
          << stage << " " << row.entries << " x " << row.warps;
      EXPECT_NEAR(value_of("gebhart-hierarchy", fmt::format("{}-write-pj", stage), sets), 8 * row.write,
                  1e-9);
    }
  }
}

TEST(Hierarchy, BetweenAndBeyondThePrintedPoints) {
  const auto orf = [](int entries, const char* value) {
    return value_of("gebhart-hierarchy", value,
                    {stages(fmt::format(R"({{"type": "operand-file", "entries": {}}})", entries))});
  };
  EXPECT_NEAR(orf(3, "orf-read-pj"), 8 * 1.2, 1e-9) << "3 x 8 warps are 24 entries, as 4 x 6";
  EXPECT_NEAR(orf(5, "orf-read-pj"), 8 * (1.7 + 0.5 * 4 / 12), 1e-9)
      << "40 lies a third of the way from 36 to 48";
  EXPECT_NEAR(orf(3, "lrf-read-pj"), 8 * 0.7, 1e-9) << "Table V: L0, one entry a warp";
  EXPECT_NEAR(orf(3, "lrf-write-pj"), 8 * 2.0, 1e-9);
  EXPECT_NEAR(orf(10, "orf-read-pj"), 8 * (3.4 + 16 * 1.2 / 16), 1e-9)
      << "80: the line from 48 to 64 goes on";
  EXPECT_NEAR(value_of("gebhart-eight-at-three", "orf-read-pj",
                       {stages(R"({"type": "operand-file", "entries": 8})")}),
              8 * 1.2, 1e-9)
      << "limit study (8.3)";
}

// In the limit study (Gebhart 2012, section 8), all accesses go to an ideal L0 or L1. Its technologies
// therefore price each access to the main register file like an access to L0 or L1, with wire. The baseline's
// price stays the same.
TEST(Hierarchy, LimitStudiesChangeWhatIsSpentAndNotTheBaseline) {
  const auto read = [](const char* technology) {
    return value_of(technology, "mrf-read-pj") + value_of(technology, "mrf-wire-pj");
  };
  EXPECT_NEAR(read("gebhart-hierarchy"), 8 * (8 + 7.6), 1e-9);
  EXPECT_NEAR(read("gebhart-all-l0"), 8 * (0.7 + 0.38), 1e-9);
  EXPECT_NEAR(read("gebhart-all-l1"), 8 * (1.7 + 0.5 * 4 / 12 + 1.52), 1e-9) << "5 entries of 8 warps are 40";
  EXPECT_DOUBLE_EQ(value_of("gebhart-all-l0", "plain-read-pj"), 64);
}

TEST(Hierarchy, AllocationPassesWeighWithTheSameEnergies) {
  for (const int warps : {1, 4, 6, 8})
    for (const int entries : {1, 2, 3, 5, 8, 12}) {
      compiler::AccessEnergy weights;
      weights.active_warps = warps;
      weights = weights.resolved(entries);
      const std::vector<std::string> sets = {
          fmt::format("gpu.sm.scheduler.active_warps={}", warps),
          stages(fmt::format(R"({{"type": "operand-file", "entries": {}}})", entries))};
      const auto value = [&](const char* name) { return value_of("gebhart-hierarchy", name, sets) / 8; };
      EXPECT_NEAR(value("orf-read-pj"), weights.operand_read_pj, 1e-9) << entries << " x " << warps;
      EXPECT_NEAR(value("orf-write-pj"), weights.operand_write_pj, 1e-9) << entries << " x " << warps;
      EXPECT_NEAR(value("mrf-read-pj") + value("mrf-wire-pj"), weights.read(isa::kMainLevel, false), 1e-9);
      EXPECT_NEAR(value("mrf-write-pj") + value("mrf-wire-pj"), weights.write(isa::kMainLevel, true), 1e-9);
      EXPECT_NEAR(value("l1-private-wire-pj"), weights.operand_wire_pj, 1e-9);
      EXPECT_NEAR(value("l1-shared-wire-pj"), weights.operand_wire_shared_pj, 1e-9);
      EXPECT_NEAR(value("l0-private-wire-pj"), weights.last_wire_pj, 1e-9);
    }
}

TEST(Hierarchy, DefaultsOfAStageCount) {
  EXPECT_NEAR(value_of("gebhart-hierarchy", "orf-read-pj", {stages(R"("operand-file")")}), 8 * 1.2, 1e-9)
      << "three entries, though the scenario does not say so";
}

TEST(Hierarchy, AddedBitsOfAnInstruction) {
  const auto bits = [](const std::string& list) {
    return value_of("gebhart-hierarchy", "added-bits", {stages(list)});
  };
  EXPECT_DOUBLE_EQ(
      bits(R"({"type": "register-cache", "entries": 1, "shared_units": "closed"}, "register-cache")"), 5)
      << "Gebhart 2012, 7.9: deschedule, shared units, three sources";
  EXPECT_DOUBLE_EQ(bits(R"({"type": "register-cache", "liveness_hints": false})"), 1);
  EXPECT_DOUBLE_EQ(bits(R"("operand-file")"), 1);
  EXPECT_DOUBLE_EQ(value_of("gebhart-hierarchy", "added-bits"), 0) << "plain banks";
  EXPECT_DOUBLE_EQ(
      value_of(
          "gebhart-hierarchy", "encoding-cost",
          {stages(
              R"({"type": "register-cache", "entries": 1, "shared_units": "closed"}, "register-cache")")}),
      0.015)
      << "Gebhart 2012, 7.9: 1.5 %";
}

TEST(Hybrid, EntriesOfASchedulerDecide) {
  const std::vector<std::string> hybrid = {
      R"(gpu.sm.scheduler={"type": "two-level", "active_warps": 4})",
      stages(
          R"({"type": "operand-file", "entries": 2}, {"type": "register-cache", "entries": 16, "capacity": "shared",
                 "ways": 2})")};
  const double slice = 8 * 0.7;
  const auto value = [&](const char* technology, const char* name) {
    return value_of(technology, name, hybrid, "maxwell-gtx980");
  };
  EXPECT_NEAR(value("bailey-hybrid-28nm", "rc-read-pj"), slice * 1.2, 1e-9)
      << "8 KB an SM: 16 lines a scheduler";
  EXPECT_NEAR(value("bailey-hybrid-28nm", "rsp-read-pj"), slice * 0.7, 1e-9)
      << "4 KB an SM: 8 entries a scheduler";
  EXPECT_NEAR(value("bailey-half-size-28nm", "rc-write-pj"), slice * 2, 1e-9) << "16 lines at the power of 8";
  EXPECT_NEAR(value("bailey-hybrid-28nm", "mrf-read-pj"), slice * 8, 1e-9);
  EXPECT_NEAR(value("bailey-cacti-28nm", "mrf-read-pj"), 159, 1e-9);
  EXPECT_NEAR(value("bailey-cacti-28nm", "rc-read-pj"), 2 * 28, 1e-9) << "both ways";
  EXPECT_NEAR(value("bailey-hybrid-28nm", "tag-check-pj"), 0.7 * 14 * 2 / 128 * 1.2, 1e-9) << "two ways";
}

TEST(Gtx480, LeakageAsPrinted) {
  const auto value = [](const char* name) { return value_of("gtx480-45nm", name, {}, "fermi-gtx480"); };
  EXPECT_NEAR(value("fp-leakage-mw") * 30, 4400, 1e-9);
  EXPECT_NEAR(value("int-leakage-mw") * 30, 5.57, 1e-9);
  const double sfus = 15 * value("sfu-leakage-mw");
  EXPECT_NEAR(sfus / (4405.57 + sfus), 0.025, 1e-9)
      << "Abdel-Majeed 2016, 3.2: 2.5 % of the execution units' static power";
}

TEST(Gtx480, CountersOfGatesAndBlackoutCostEnergy) {
  const auto counters = [](const char* scheduler, const char* policy) {
    return value_of(
        "gtx480-45nm", "has-counters",
        {fmt::format("gpu.sm.scheduler={}", scheduler), fmt::format("gpu.sm.gating.int.policy={}", policy)},
        "fermi-gtx480");
  };
  EXPECT_EQ(counters("two-level", "none"), 0);
  EXPECT_EQ(counters("two-level", "conventional"), 0);
  EXPECT_EQ(counters("two-level", "naive-blackout"), 1);
  EXPECT_EQ(counters("gates", "conventional"), 1);
}

// A pipeline is always busy, and the upper two lanes of every quad (four lanes) are gated in cycles 11 to 210
// of every 300 cycles. The break-even time is 14 cycles (Abdel-Majeed 2016, chapter 4). The gating must save
// 16 * (200 - 14)/(32 * 300) of the pipeline's leakage, both with counters that sum over the 32 lanes, and
// with counters that sum over the two halves (lower and upper lanes of all quads).
TEST(Origami, UpperLanesGatedForTwoThirdsOfTheTime) {
  const auto saved = [](const std::string& part, std::uint64_t parts) {
    const RunParameters parameters = parameters_of("fermi-gtx480", {});
    StatsRegistry stats;
    std::vector<std::uint64_t> values;
    const auto count = [&](const std::string& name, std::uint64_t value) {
      const std::size_t dot = name.rfind('.');
      stats.add(name.substr(0, dot), name.substr(dot + 1), "cycles", "by hand");
      values.push_back(value);
    };
    const std::string domain = "sm0.partition0.gating.int0." + part + ".";
    count(domain + "on_cycles", parts * 300 - parts / 2 * 200);
    count(domain + "uncompensated_cycles", parts / 2 * 14);
    count(domain + "compensated_cycles", parts / 2 * 186);
    count(domain + "wake_up_cycles", 0);
    count(domain + "sleeps", parts / 2);
    count("sm0.partition0.units.int0.operations", 300);
    power::Technology lanes = technology_of("abdel-majeed-origami-45nm");
    std::erase_if(lanes.entries, [](const auto& entry) {
      return !entry.name.starts_with("int-lanes-") && !entry.name.starts_with("int-quad-halves-");
    });
    lanes.shares.clear();
    const power::EnergyAccount account(std::vector<power::Technology>{lanes},
                                       energy_configuration(parameters), stats);
    return 100 * account.report(values, 300).find("execution.int").static_saved();
  };
  EXPECT_NEAR(saved("lanes", 32), 31.0, 1e-9);
  EXPECT_NEAR(saved("quad_halves", 2), 31.0, 1e-9);
}

// Example of four reads and two writes (Radaideh 2021), some accesses served together. The reads open 5
// sub-banks, and the writes open 5. Accesses to whole rows would open 16 and 8.
TEST(Cmrc, SubBanksOfOneBank) {
  const auto value = [](const char* name) { return value_of("radaideh-cmrc", name, {}, "fermi-cmrc"); };
  EXPECT_NEAR(5 * value("mrf-read-pj") / 4 + 5 * value("mrf-write-pj") / 4, 190, 1e-9);
  EXPECT_NEAR(4 * value("mrf-read-pj") + 2 * value("mrf-write-pj"), 432, 1e-9);
}

// In the file's first line that begins with `name`, returns the number after `column` separators.
double measured(const std::string& file, const std::string& name, char separator, int column) {
  std::ifstream lines(std::string(HEDDLE_SOURCE_FOLDER) + "/" + file);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(name)) continue;
    std::size_t at = 0;
    for (int i = 0; i < column; ++i) at = line.find(separator, at) + 1;
    return std::stod(line.substr(at));
  }
  ADD_FAILURE() << file << " has no line " << name;
  return 0;
}

// joint-40nm must price the present Verilog of rtl/: the block `tric`, which controls 64 rows, and the area
// of `pilot`. The leakage per area of `pilot` is that of `swapping_cam`.
TEST(Joint, PricesTheBlocksOfToday) {
  const auto cells = [](const std::string& block, int column) {
    return measured("power/joint/gates-45nm.csv", block + ",", ',', column);
  };
  constexpr double kGateUm2 = 0.798;  // area of the cell NAND2_X1
  const double hot = value_of("joint-40nm", "cells-hot"), area = value_of("joint-40nm", "cells-area");
  const double pilot = kGateUm2 * measured("docs/rtl-report.md", "| `pilot` |", '|', 6);
  const std::vector<std::string> swaps = {stages(R"({"type":"swapping"})")};
  const std::vector<std::string> rows = {"gpu.sm.register_file.banks.power=tri-modal"};
  EXPECT_NEAR(value_of("joint-40nm", "row-state-mw"), hot * cells("tric", 4) / 1000 / 64, 1e-6);
  EXPECT_NEAR(value_of("joint-40nm", "area.register_file.row_states", rows),
              1024 * area * cells("tric", 2) / 1e6 / 64, 1e-5);
  EXPECT_NEAR(value_of("joint-40nm", "swap-leakage-mw"),
              hot * pilot * cells("swapping_cam", 4) / cells("swapping_cam", 2) / 1000, 1e-3);
  EXPECT_NEAR(value_of("joint-40nm", "area.register_file.swapping_table", swaps), area * pilot / 1e6, 1e-5);
}

// Savings of 30 to 45 % of the FP units' leakage are 1.62 to 2.43 % of the chip's power if 33 % of this power
// is leakage. They are 2.46 to 3.69 % of the chip's power if half of this power is leakage (Abdel-Majeed
// 2016, 3.6.3).
TEST(Gtx480, SharesGiveThePapersChipFigures) {
  const power::Technology t = technology_of("gtx480-45nm");
  const ConfigNode none = ConfigNode::make_object();
  const auto share = [&](const std::string& name) {
    for (const power::Share& s : t.shares)
      if (s.name == name) return power::evaluate(s.share, t.definitions, none);
    return 0.0;
  };
  EXPECT_NEAR(0.30 * share("chip_power_33_leakage"), 0.0162, 5e-5);
  EXPECT_NEAR(0.45 * share("chip_power_33_leakage"), 0.0243, 5e-5);
  EXPECT_NEAR(0.30 * share("chip_power_50_leakage"), 0.0246, 5e-5);
  EXPECT_NEAR(0.45 * share("chip_power_50_leakage"), 0.0369, 5e-5);
  EXPECT_NEAR(share("chip_leakage"), 4.40 / 26.87, 5e-5)
      << "the printed 16.38 % is the FP units' share alone";
}

}  // namespace
}  // namespace heddle::run
