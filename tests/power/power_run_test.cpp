// Energies of real runs, in all files that show energies, must equal sums that the test itself computes from
// the counters.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "testbench/output/counter_view.h"
#include "testbench/output/energy_output.h"
#include "testbench/output/result_file.h"
#include "testbench/output/run_totals.h"
#include "testbench/run/energy_setup.h"
#include "testbench/run/scenario.h"
#include "tests/output/observed_run.h"

namespace heddle::output {
namespace {

namespace fs = std::filesystem;
using power::EnergyReport;
using power::Kind;

// pJ per cycle for 1 mW, at the 700 MHz of the GTX 480
constexpr double kPicojoulesOfMilliwattCycle = 1000.0 / 700;

EnergyReport report_of(ObservedRun& run) {
  return run.session().energy()->report(total_counters(run.session()), total_cycles(run.session().result()));
}

double count(const ObservedRun& run, const std::string& name) {
  return static_cast<double>(run.counter(name));
}

const std::string kPapers = "power.account=papers";

const std::vector<std::string> kGated = {kPapers, "gpu.sm.gating.int.policy=conventional",
                                         "gpu.sm.gating.fp.policy=conventional",
                                         "gpu.sm.gating.fp.break_even_cycles=9", "watch.interval_cycles=400"};

TEST(PowerRun, ExecutionUnitsOfAGatedRun) {
  ObservedRun run("hotspot", kGated);
  const EnergyReport report = report_of(run);
  const double cycles = static_cast<double>(total_cycles(run.session().result()));

  // INT units: 0.1 pJ for an operation of a lane, 3.1 pJ for a multiplication. The leakage of all 30
  // pipelines is 5.57 mW, and the break-even time is 14 cycles.
  const power::EnergyBalance ints = report.find("execution.int");
  const double int_cycle = 5.57 / 30 * kPicojoulesOfMilliwattCycle;
  const std::string units = "sm.partition.units.", gating = "sm.partition.gating.";
  EXPECT_GT(count(run, units + "int.multiply_lanes"), 0);
  EXPECT_NEAR(
      ints.spent[Kind::dynamic],
      0.1 * count(run, units + "int.lane_operations") + 3.0 * count(run, units + "int.multiply_lanes"), 1e-3);
  EXPECT_NEAR(ints.spent[Kind::leakage],
              int_cycle * (count(run, gating + "int.on_cycles") + count(run, gating + "int.wake_up_cycles")),
              1e-3);
  EXPECT_NEAR(ints.spent[Kind::overhead], int_cycle * 14 * count(run, gating + "int.sleeps"), 1e-3);
  EXPECT_NEAR(ints.baseline[Kind::leakage], int_cycle * 2 * cycles, 1e-3) << "two clusters, always on";
  EXPECT_NEAR(ints.baseline[Kind::dynamic], ints.spent[Kind::dynamic], 1e-6)
      << "gating takes no work away (Abdel-Majeed 2016, 3.6.3)";

  // FP units: 2.3 pJ for an operation of a lane, the mean of an addition (0.9 pJ) and a multiplication (3.7
  // pJ). The leakage of all 30 pipelines is 4400 mW. This run configures a break-even time of 9 cycles.
  const power::EnergyBalance fps = report.find("execution.fp");
  const double fp_cycle = 4400.0 / 30 * kPicojoulesOfMilliwattCycle;
  EXPECT_NEAR(
      fps.spent[Kind::dynamic],
      2.3 * count(run, units + "fp.lane_operations") + 3 * 2.3 * count(run, units + "fp.double_lanes"), 1e-3);
  EXPECT_NEAR(fps.spent[Kind::overhead], fp_cycle * 9 * count(run, gating + "fp.sleeps"), 1e-3);
  EXPECT_GT(count(run, gating + "fp.sleeps"), 0);

  // Leakage saved, in cycles of a domain's leakage (Abdel-Majeed 2016): the number of gated cycles, minus one
  // break-even time for each time a domain was gated.
  const double net = count(run, gating + "fp.uncompensated_cycles") +
                     count(run, gating + "fp.compensated_cycles") - 9 * count(run, gating + "fp.sleeps");
  EXPECT_NEAR(fps.static_saved(), net / (2 * cycles), 1e-9);
}

TEST(PowerRun, UnitsOfAStructureSumToIt) {
  ObservedRun run("hotspot", kGated);
  for (const power::StructureReport& structure : report_of(run).structures) {
    power::EnergyBalance sum;
    for (const power::NamedBalance& unit : structure.units) sum.add(unit.energy);
    EXPECT_DOUBLE_EQ(sum.spent.total(), structure.energy.spent.total()) << structure.name;
    if (structure.name == "execution.int") {
      ASSERT_EQ(structure.units.size(), 2u);
      EXPECT_EQ(structure.units[1].name, "partition0.int1");
    }
  }
}

TEST(PowerRun, PlainRegisterFileMultipliesTheBanksAccesses) {
  ObservedRun run("reduction", {kPapers});
  const EnergyReport report = report_of(run);
  const double reads = count(run, "sm.partition.banks.reads"),
               writes = count(run, "sm.partition.banks.writes");
  EXPECT_EQ(reads, count(run, "sm.issue.source_words"));
  EXPECT_DOUBLE_EQ(report.find("register_file.mrf").spent.total(), 8 * 8 * reads + 8 * 11 * writes);
  EXPECT_NEAR(report.find("register_file.mrf_wire").spent.total(), 32 * 1.9 * (reads + writes), 1e-3);
  EXPECT_DOUBLE_EQ(report.find("register_file").saved(), 0) << "the baseline of plain banks is themselves";
}

// Expects that matrix instructions of the kernel compute `products` products at `pj` each. A multiplication
// and an addition at 45 nm (Horowitz, ISSCC 2014) take 1.1 + 0.4 pJ in half precision, and 0.2 + 0.1 pJ for
// bytes with a 32-bit sum.
void expect_products(const char* kernel, const std::string& counter, double products, double pj) {
  ObservedRun run(kernel, {kPapers, "matrix-unit"});
  EXPECT_EQ(count(run, "sm.partition.units.matrix." + counter), products);
  const EnergyReport report = report_of(run);
  EXPECT_NEAR(report.find("execution.matrix").spent[Kind::dynamic], pj * products, 1e-3);
  for (const auto* parts : {&report.not_priced.dynamic, &report.not_priced.still})
    EXPECT_EQ(std::count(parts->begin(), parts->end(), "matrix units"), 0);
}
TEST(PowerRun, HalfProductsOfMatrixUnits) { expect_products("mma_gemm", "half_products", 64 * 64 * 64, 1.5); }
TEST(PowerRun, ByteProductsOfMatrixUnits) { expect_products("s8_gemm", "byte_products", 64 * 64 * 128, 0.3); }

TEST(PowerRun, RegisterCacheOfSixEntriesAndSixActiveWarps) {
  ObservedRun run("matrix_mul", {kPapers, R"(gpu.sm.register_file.stages=["register-cache", "banks"])"});
  const EnergyReport report = report_of(run);
  const std::string cache = "sm.partition.register_cache.";
  const double reads = count(run, cache + "private_reads") + count(run, cache + "shared_reads") +
                       count(run, cache + "writebacks") + count(run, cache + "flush_writebacks");
  const double writes = count(run, cache + "private_writes") + count(run, cache + "shared_writes") +
                        count(run, cache + "upper_writes") + count(run, cache + "fills");
  EXPECT_GT(reads, 0);
  EXPECT_NEAR(report.find("register_file.l1").spent.total(), 8 * (1.7 * reads + 5.4 * writes), 1e-3)
      << "Gebhart 2012, Table IV, 6 entries, 6 warps";
  EXPECT_NEAR(report.find("register_file.tags").spent.total(),
              8.0 * 6 / 128 * 1.7 * count(run, cache + "tag_checks"), 1e-3);
  EXPECT_DOUBLE_EQ(report.find("register_file.mrf").baseline.total(),
                   64 * count(run, "sm.issue.source_words") + 88 * count(run, "sm.issue.result_words"));
  EXPECT_GT(report.find("register_file").saved(), 0);
}

TEST(PowerRun, FilesShowTheSameEnergy) {
  ObservedRun run("bfs", kGated);
  const double total = report_of(run).total.spent.total();
  const ConfigNode result = parse_config_file(run.file("result.json"));
  const ConfigNode& energy = *result.find("total")->find("energy");
  EXPECT_NEAR(energy.find("total")->find("total_nj")->number * 1000, total, 1e-9 * total);
  EXPECT_NEAR(result.find("total")->find("metrics")->find("energy_nj")->number * 1000, total, 1e-9 * total);

  double launches = 0, rows = 0, launch_rows = 0, intervals = 0;
  for (const ConfigNode& launch : result.find("launches")->items)
    launches += launch.find("energy")->find("total")->find("total_nj")->number * 1000;
  EXPECT_NEAR(launches, total, 1e-6 * total) << "launches sum to the run";
  for (const auto& row : read_csv(run.text("energy.csv")))
    (row.at("launch") == "total" ? rows : launch_rows) += std::stod(row.at("energy_nj")) * 1000;
  EXPECT_NEAR(rows, total, 1e-6 * total) << "rows of energy.csv";
  EXPECT_NEAR(launch_rows, total, 1e-6 * total);
  for (const auto& row : read_csv(run.text("intervals.csv")))
    intervals += std::stod(row.at("power_mw")) * kPicojoulesOfMilliwattCycle * std::stod(row.at("cycles"));
  EXPECT_NEAR(intervals, total, 1e-4 * total) << "power over time";
  EXPECT_EQ(result.find("inputs")->items.size(), 4u) << "launch file, PTX, two technologies";
}

class OwnTechnology : public testing::Test {
 protected:
  OwnTechnology()
      : folder_(
            fs::path(testing::TempDir()) /
            (std::string("heddle_own_") + testing::UnitTest::GetInstance()->current_test_info()->name())) {
    fs::create_directories(folder_);
    std::ofstream(folder_ / "toy.json")
        << R"({"name": "toy", "description": "branches cost 3 pJ", "entries": [
      {"name": "toy-branch", "structure": "toy.branches", "kind": "dynamic", "counter": "sm*.issue.branches",
       "coefficient": {"value": 3, "assumed": "a toy"}}]})";
  }
  ~OwnTechnology() override { fs::remove_all(folder_); }
  fs::path folder_;
};

TEST_F(OwnTechnology, JoinsByOneLine) {
  const std::string own = (folder_ / "toy.json").string();
  ObservedRun run("reduction",
                  {R"(power.technologies=["gtx480-45nm", "gebhart-hierarchy", ")" + own + R"("])"});
  const EnergyReport report = report_of(run);
  const double branches = 3 * count(run, "sm.issue.branches");
  EXPECT_GT(branches, 0);
  EXPECT_DOUBLE_EQ(report.find("toy.branches").spent.total(), branches);
  const double others = report.find("execution").spent.total() + report.find("register_file").spent.total();
  EXPECT_GT(others, 0);
  EXPECT_NEAR(report.total.spent.total(), others + branches, 1e-9 * others);
  const ConfigNode result = parse_config_file(run.file("result.json"));
  EXPECT_NE(result.find("total")->find("energy")->find("structures")->find("toy.branches"), nullptr);

  // The technology file's path is relative to the result file, so the run can be repeated from its folder.
  run::RunParameters again = run::read_scenario_tree(*result.find("configuration"), {});
  EXPECT_TRUE(fs::equivalent(again.power.technologies.at(2), own));
}

TEST_F(OwnTechnology, NothingCostsLessThanNothing) {
  for (const char* value : {"-0.5", R"({"product": [-1, 2]})"}) {
    std::ofstream(folder_ / "toy.json")
        << R"({"name": "toy", "description": "gains by leaking", "entries": [{"name": "gain", "structure":
 "toy.gain", "kind": "leakage", "unit": "mW", "counter": "sm*.issue.cycles", "optional": true, "coefficient": )"
        << value << "}]}";
    try {
      ObservedRun run("reduction", {R"(power.technologies=[")" + (folder_ / "toy.json").string() + R"("])"});
      FAIL() << value;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("entry \"gain\": the coefficient is -"), std::string::npos)
          << error.what();
    }
  }
}

TEST_F(OwnTechnology, IsFoundBesideItsScenario) {
  const std::string scenario = (folder_ / "scenario.json").string();
  std::ofstream(scenario) << R"({"power": {"technologies": ["gtx480-45nm", "toy.json"]}})";
  run::ScenarioRequest request;
  request.scenario = scenario;
  const run::RunParameters parameters = run::read_scenario(request);
  EXPECT_EQ(parameters.power.technologies,
            (std::vector<std::string>{"gtx480-45nm", (folder_ / "toy.json").string()}));
}

TEST(PowerRun, TheTextOfAResultIsThatOfItsTree) {
  ObservedRun run("bfs", {});
  ConfigNode tree = make_result(run.session(), run.folder());
  const ConfigNode written = parse_config_text(run.text("result.json"), "result.json");
  EXPECT_GT(written.find("launches")->items.size(), 1u);
  for (const char* key : {"files", "tables"}) tree.members.emplace_back(key, *written.find(key));
  EXPECT_EQ(run.text("result.json"), to_json(tree));
}

TEST(PowerRun, SaysWhatItLeavesOut) {
  ObservedRun run("reduction", {kPapers});
  const power::NotPriced& plain = run.session().energy()->not_priced();
  EXPECT_EQ(plain.dynamic, (std::vector<std::string>{"collectors", "result bus", "front end", "issue",
                                                     "shared memory", "L1", "texture units", "L2", "DRAM"}));
  EXPECT_EQ(plain.still, std::vector<std::string>{"main register file"});
  const std::string summary = energy_summary(report_of(run));
  EXPECT_NE(summary.find("left out        collectors, result bus, front end, issue, shared memory, L1, "
                         "texture units, L2, DRAM, leakage of "
                         "main register file; static power of the rest\n"),
            std::string::npos)
      << summary;
  EXPECT_NE(summary.find("gtx480-45nm 45 nm, gebhart-hierarchy 40 nm: not on one scale"), std::string::npos);
  const ConfigNode result = parse_config_file(run.file("result.json"));
  EXPECT_EQ(result.find("not_priced")->find("leakage")->items.at(0).text, "main register file");
  EXPECT_EQ(result.find("warnings")->items.size(), 0u);
}

TEST(PowerRun, TheMachineIsTheDefault) {
  ObservedRun run("reduction", {});
  EXPECT_EQ(run.session().parameters().power.technologies, std::vector<std::string>{"joint-40nm"});
  EXPECT_EQ(run.session().energy()->scope(), (std::vector<std::string>{"SM", "L1", "L2", "DRAM"}));
  EXPECT_EQ(run.session().energy()->not_priced().dynamic, std::vector<std::string>{"texture units"});
  EXPECT_NE(energy_summary(report_of(run)).find("    scope           SM, L1, L2 and DRAM\n"),
            std::string::npos);
  const ConfigNode result = parse_config_file(run.file("result.json"));
  EXPECT_EQ(result.find("scope")->items.size(), 4u);
}

TEST(PowerRun, PapersPriceWhatTheyArePublishedFor) {
  ObservedRun run("reduction", {kPapers});
  EXPECT_EQ(run.session().energy()->scope(), (std::vector<std::string>{"execution units", "register file"}));
}

TEST(PowerRun, FormerNamesOfTablesAreAliases) {
  EXPECT_EQ(run::find_technology("000-hierarchy", "test"), run::find_technology("gebhart-hierarchy", "test"));
  EXPECT_EQ(run::find_technology("elsewhere/configs/technology/003-finfet-7nm.json", "test"),
            run::find_technology("abdel-majeed-finfet-7nm", "test"));
  EXPECT_EQ(run::find_technology("./000-hierarchy.json", "test"), "./000-hierarchy.json")
      << "a file of one's own";
}

TEST(PowerRun, SaysWhatATechniqueAddsWithoutAPrice) {
  ObservedRun run("reduction", {R"(gpu.sm.register_file.stages=["register-cache", "banks"])",
                                R"(gpu.sm.register_file.banks.power="tri-modal")",
                                R"(power.technologies=["gebhart-hierarchy"])"});
  const power::NotPriced& missing = run.session().energy()->not_priced();
  const auto has = [](const std::vector<std::string>& names, const char* name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (const char* name : {"INT and FP units", "SFUs", "load/store unit", "row wake-ups"})
    EXPECT_TRUE(has(missing.dynamic, name)) << name;
  for (const char* name : {"INT and FP units", "main register file", "register cache", "tags"})
    EXPECT_TRUE(has(missing.still, name)) << name;
  for (const char* name : {"register cache", "tags", "main register file", "operand file"})
    EXPECT_FALSE(has(missing.dynamic, name)) << name;
}

TEST(PowerRun, NoTechnologyNoEnergy) {
  ObservedRun run("reduction", {"power.technologies=[]"});
  EXPECT_EQ(run.session().energy(), nullptr);
  EXPECT_FALSE(run.has("energy.csv"));
  EXPECT_EQ(run.text("result.json").find("energy_nj"), std::string::npos);
}

TEST(PowerRun, UnknownTechnologyListsTheKnownOnes) {
  try {
    ObservedRun run("reduction", {R"(power.technologies=["nix"])"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("unknown technology \"nix\" (allowed: abdel-majeed-"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace heddle::output
