// Compares the results of every PTX instruction with tables of expected results. The program
// semantics-generator writes these tables during the build.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "models/compiler/pipeline.h"
#include "models/reference/reference.h"
#include "tests/semantics/form_run.h"
#include "tests/semantics/form_table.h"
#include "tests/semantics/timed_run.h"

namespace heddle::semantics {
namespace {

const std::filesystem::path kFolder = "tests/semantics", kTables = HEDDLE_SEMANTICS_TABLES;
constexpr std::size_t kLeastRows = 12;
constexpr std::size_t kShownMismatches = 4;

void execute_untimed(const isa::KernelLaunch& launch, MemoryImage& memory) {
  reference::ReferenceOptions options;
  options.max_warp_instructions = 1'000'000;
  reference::run_reference(launch, memory, options);
}

/// Returns an executor for the program that the timed SM would run: compiled for this number of architected
/// registers.
Executor compiled(int registers) {
  return [registers](const isa::KernelLaunch& launch, MemoryImage& memory) {
    compiler::CompilerParameters parameters;
    parameters.max_registers = registers;
    auto program = std::make_shared<isa::Program>(compiler::compile(*launch.program, parameters));
    isa::bind_lane_functions(*program);
    isa::KernelLaunch compiled_launch = launch;
    compiled_launch.program = program;
    execute_untimed(compiled_launch, memory);
  };
}

void expect_forms_hold(const Table& table, const Executor& execute) {
  for (const TableForm& form : read_table(table)) {
    const std::vector<Mismatch> mismatches = run_form(form, execute);
    for (std::size_t i = 0; i < std::min(mismatches.size(), kShownMismatches); ++i)
      ADD_FAILURE() << form.file << ":" << mismatches[i].line << ": " << form.name << ": "
                    << mismatches[i].text;
    if (mismatches.size() > kShownMismatches)
      ADD_FAILURE() << form.name << ": " << mismatches.size() << " mismatches in all";
  }
}

class SemanticsTable : public testing::TestWithParam<Table> {};

TEST_P(SemanticsTable, HoldsInUntimedReference) { expect_forms_hold(GetParam(), execute_untimed); }

TEST_P(SemanticsTable, HoldsCompiled) { expect_forms_hold(GetParam(), compiled(63)); }

TEST_P(SemanticsTable, HoldsCompiledWithSpills) { expect_forms_hold(GetParam(), compiled(18)); }

TEST_P(SemanticsTable, HoldsTimed) { expect_forms_hold(GetParam(), execute_timed); }

INSTANTIATE_TEST_SUITE_P(Tables, SemanticsTable, testing::ValuesIn(tables_of(kTables)),
                         [](const auto& table) { return table.param.name(); });

TEST(SemanticsCoverage, EveryCoreFormHasTwelveRows) {
  std::map<std::string, std::size_t> rows;
  for (const Table& table : tables_of(kTables)) {
    for (const TableForm& form : read_table(table)) {
      for (const std::string& covered : form.covers) rows[covered] += form.rows.size();
    }
  }
  const std::vector<std::string> core = read_lines(kFolder / "core_forms.txt");
  EXPECT_GE(core.size(), 500u);
  for (const std::string& form : core)
    EXPECT_GE(rows[form], kLeastRows) << form << " has too few rows in " << kTables;
}

TEST(SemanticsCoverage, FormsOccurInTheCodeThatCoversThem) {
  for (const Table& table : tables_of(kTables)) {
    for (const TableForm& form : read_table(table)) {
      std::string code;
      for (const auto* lines : {&form.module_lines, &form.body}) {
        for (const std::string& line : *lines) code += line + "\n";
      }
      for (const std::string& covered : form.covers) {
        const bool occurs =
            code.find(covered + " ") != std::string::npos || code.find(covered + ";") != std::string::npos;
        EXPECT_TRUE(occurs) << form.file << ":" << form.line << ": " << form.name << " lacks " << covered;
      }
    }
  }
}

TEST(SemanticsComparison, SeesWrongValues) {
  const ExpectedValue exact{false, 0x3f800000, 0x3f800000};
  EXPECT_TRUE(exact.admits(0x3f800000, "f32"));
  EXPECT_FALSE(exact.admits(0x3f800001, "f32"));
  const ExpectedValue around_zero{false, 0x80000002, 0x00000003};
  EXPECT_TRUE(around_zero.admits(0x80000000, "f32"));
  EXPECT_TRUE(around_zero.admits(0x00000003, "f32"));
  EXPECT_FALSE(around_zero.admits(0x00000004, "f32"));
  EXPECT_FALSE(around_zero.admits(0x80000003, "f32"));
  EXPECT_FALSE(around_zero.admits(0x7fffffff, "f32"));
  const ExpectedValue up_to_infinity{false, 0x7fefffffffffffff, 0x7ff0000000000000};
  EXPECT_TRUE(up_to_infinity.admits(0x7ff0000000000000, "f64"));
  EXPECT_FALSE(up_to_infinity.admits(0x7ff0000000000001, "f64"));
}

}  // namespace
}  // namespace heddle::semantics
