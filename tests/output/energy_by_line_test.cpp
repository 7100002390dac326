// The sum of the energies in profile.csv and profile_rest.csv must be the energy of the run. Each energy must
// belong to the instructions that caused it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "testbench/output/energy_output.h"
#include "tests/output/observed_run.h"

namespace heddle::output {
namespace {

using ::testing::HasSubstr;
using Row = std::map<std::string, std::string>;
using Rows = std::vector<Row>;

double number(const Row& row, const std::string& column) { return std::stod(row.at(column)); }

double energy(const Row& row) {
  double sum = 0;
  for (const auto& [column, value] : row)
    if (column.ends_with("_nj")) sum += std::stod(value);
  return sum;
}

double energy(const Rows& rows) {
  double sum = 0;
  for (const Row& row : rows) sum += energy(row);
  return sum;
}

double dynamic_nj(const power::EnergyReport& report) {
  double pj = 0;
  for (const power::StructureReport& structure : report.structures)
    if (structure.name.starts_with("register_file.") || structure.name.starts_with("execution."))
      pj += structure.energy.spent[power::Kind::dynamic];
  return pj / 1e3;
}

void expect_whole_account(ObservedRun& run) {
  const power::EnergyReport account = total_energy(run.session());
  const Rows lines = read_csv(run.text("profile.csv")), rest = read_csv(run.text("profile_rest.csv"));
  const double all = account.total.spent.total() / 1e3;
  EXPECT_GT(all, 0);
  EXPECT_NEAR(energy(lines) + energy(rest), all, all * 1e-9);
  Rows of_structures;
  for (const Row& row : rest)
    if (row.at("structure") != "SMs without a CTA") of_structures.push_back(row);
  EXPECT_LE(energy(of_structures), 0.05 * dynamic_nj(account));
  for (const power::NamedBalance& group : account.groups) {
    double sum = 0;
    for (const Row& row : lines)
      if (const auto cell = row.find(group.name + "_nj"); cell != row.end()) sum += std::stod(cell->second);
    for (const Row& row : rest)
      if (row.at("kind") == "dynamic" && row.at("structure").starts_with(group.name + "."))
        sum += number(row, "energy_nj");
    const double dynamic = group.energy.spent[power::Kind::dynamic] / 1e3;
    EXPECT_NEAR(sum, dynamic, 1e-9 * std::abs(dynamic)) << group.name;
  }
}

TEST(EnergyByLine, SumsToTheAccount) {
  ObservedRun run("matrix_mul", {"output.profile=true"});
  expect_whole_account(run);
}

TEST(EnergyByLine, SmsWithoutACtaLeakForNoInstruction) {
  ObservedRun run("n_body", {"output.profile=true", "gpu.sms=15"});
  expect_whole_account(run);
  double no_cta = 0, leakage_pj = 0;
  for (const Row& row : read_csv(run.text("profile_rest.csv")))
    if (row.at("structure") == "SMs without a CTA") no_cta += number(row, "energy_nj");
  for (const power::StructureReport& structure : total_energy(run.session()).structures)
    if (!structure.name.starts_with("memory.l2") && !structure.name.starts_with("memory.dram") &&
        structure.name != "memory.rest")
      leakage_pj += structure.energy.spent[power::Kind::leakage];
  double cycles = 0;
  for (const run::LaunchRecord& launch : run.session().result().launches)
    cycles += static_cast<double>(launch.cycles);
  const double share = 1 - static_cast<double>(run.counter("sm.busy_cycles")) / (15 * cycles);
  EXPECT_GT(share, 0.1);
  EXPECT_NEAR(no_cta / (leakage_pj / 1e3), share, 1e-6);
}

TEST(EnergyByLine, SumsToTheAccountOfSeveralKernels) {
  ObservedRun run("bfs", {"output.profile=true"});
  expect_whole_account(run);
}

void expect_whole_account_with(const char* technique) {
  ObservedRun run("hotspot", {"output.profile=true", technique});
  expect_whole_account(run);
}

TEST(EnergyByLine, SumsToTheAccountOfMatrixUnits) {
  ObservedRun run("norm_gemm", {"output.profile=true", "matrix-unit", "register-cache"});
  expect_whole_account(run);
}
TEST(EnergyByLine, SumsToTheAccountOfWarpedGates) { expect_whole_account_with("warped-gates"); }
TEST(EnergyByLine, SumsToTheAccountOfARegisterCache) { expect_whole_account_with("register-cache"); }
TEST(EnergyByLine, SumsToTheAccountOfOperandHierarchy) { expect_whole_account_with("operand-hierarchy"); }
TEST(EnergyByLine, SumsToTheAccountOfVirtualization) { expect_whole_account_with("virtualization"); }
TEST(EnergyByLine, SumsToTheAccountOfPilotRegisterFile) { expect_whole_account_with("pilot-register-file"); }
TEST(EnergyByLine, SumsToTheAccountOfWarpFolding) { expect_whole_account_with("warp-folding"); }

bool accesses_memory(const Row& row) {
  const std::string& text = row.at("instruction");
  for (const char* name : {"ld.", "st.", "atom.", "red."})
    if (text.find(name) != std::string::npos) return true;
  return false;
}

TEST(EnergyByLine, LinesWithoutLoadsSpendNothingInMemory) {
  ObservedRun run("matrix_mul", {"output.profile=true"});
  double memory = 0;
  for (const Row& row : read_csv(run.text("profile.csv"))) {
    memory += number(row, "memory_nj");
    if (!accesses_memory(row)) EXPECT_EQ(number(row, "memory_nj"), 0) << row.at("instruction");
  }
  EXPECT_GT(memory, 0);
}

// All additions must cost the same energy, because the energy of units, collectors and registers depends only
// on the numbers of lanes and words.
TEST(EnergyByLine, InstructionsOfAKindCostTheSame) {
  ObservedRun run("matrix_mul", {"output.profile=true"});
  const power::EnergyReport account = total_energy(run.session());
  double each = 0;
  for (const power::EntryReport& entry : account.entries)
    if (entry.entry->name == "fp-operation") each = entry.pj_each / 1e3;
  ASSERT_GT(each, 0);
  std::size_t found = 0;
  for (const Row& row : read_csv(run.text("profile.csv"))) {
    if (!row.at("instruction").starts_with("fma.rn.f32")) continue;
    const double expected = each * number(row, "lanes");
    EXPECT_NEAR(number(row, "execution_nj"), expected, 1e-9 * expected);
    ++found;
  }
  EXPECT_GT(found, 0u);
}

// With a register cache, an instruction must be charged bank energy only for words that the cache did not
// contain.
TEST(EnergyByLine, BanksAreChargedForWordsThatACachePasses) {
  ObservedRun run("hotspot", {"output.profile=true", "register-cache"});
  std::uint64_t passed = 0;
  const std::vector<ProgramProfile>& profiles = run.profiles();
  for (const ProgramProfile& profile : profiles)
    for (const InstructionCounts& counts : profile.instructions) passed += counts.passed_reads;
  EXPECT_GT(passed, 0u);
  EXPECT_LE(passed, run.counter("sm.partition.banks.reads"));
  EXPECT_LT(passed, run.counter("sm.partition.register_port.reads"));
}

TEST(EnergyByLine, TheRestNamesEntriesThatNoInstructionCauses) {
  const std::string file = testing::TempDir() + "heddle_energy_by_line_own.json";
  std::ofstream(file)
      << R"({"name": "own", "description": "barriers", "entries": [{"name": "arrival", "structure": "core.barriers",
 "kind": "dynamic", "counter": "sm*.issue.barriers", "coefficient": {"value": 3, "source": "made up"}}]})";
  ObservedRun run("matrix_mul",
                  {"output.profile=true", "power.technologies=[\"joint-40nm\", \"" + file + "\"]"});
  expect_whole_account(run);
  Rows rest = read_csv(run.text("profile_rest.csv"));
  std::erase_if(rest, [](const Row& row) { return row.at("structure") == "SMs without a CTA"; });
  ASSERT_EQ(rest.size(), 1u);
  EXPECT_EQ(rest[0].at("structure"), "core.barriers");
  EXPECT_EQ(rest[0].at("technology"), "own");
  EXPECT_EQ(rest[0].at("entry"), "arrival");
  EXPECT_THAT(run.text("profile.txt"), HasSubstr("of no instruction: "));
}

TEST(EnergyByLine, ProfileTextHasLinesWithTheirText) {
  const std::string text = ObservedRun("matrix_mul", {"output.profile=true"}).text("profile.txt");
  EXPECT_THAT(text, HasSubstr("kernel.cu:22  __syncthreads();"));
  EXPECT_THAT(text, HasSubstr("energy in nJ by source line"));
}

}  // namespace
}  // namespace heddle::output
