// Compares results of the GPU with the semantics tables (expected results of PTX instructions).

#include <algorithm>
#include <array>
#include <set>

#include "testbench/launch/reference_executor.h"
#include "tests/on_gpu/difference.h"
#include "tests/on_gpu/input_values.h"
#include "tests/on_gpu/rows_run.h"
#include "tests/on_gpu/units.h"
#include "tests/semantics/form_table.h"
#include "tests/semantics/kernel_text.h"

namespace heddle::on_gpu {

namespace {

using semantics::TableForm;

constexpr const char* kFolder = HEDDLE_SEMANTICS_TABLES;
constexpr std::size_t kFailures = 8;
constexpr std::size_t kImmediates = 8;

/// Tables of instructions that only read and write registers. For such instructions, every input is valid.
const std::set<std::string> kPlain = {"approximations",      "bit_operations",
                                      "byte_operations",     "carry_chains",
                                      "comparisons",         "conversions_float",
                                      "conversions_integer", "float_multiply_adds",
                                      "float_quotients",     "float_signs",
                                      "float_sums",          "half_comparisons",
                                      "half_conversions",    "halves",
                                      "integer_arithmetic",  "integer_products",
                                      "selections"};

bool is_plain(const std::string& table, const TableForm& form) {
  if (!kPlain.count(table) || form.scratch_bytes || !form.parameters.empty() || !form.module_lines.empty())
    return false;
  return std::none_of(form.body.begin(), form.body.end(), [](const std::string& line) {
    return line.find("%in") != std::string::npos || line.find("%row") != std::string::npos ||
           line.find("shared") != std::string::npos;
  });
}

/// Returns a table entry (instruction form) with random inputs in place of its rows. If the entry has
/// immediates, uses only their first eight different combinations, with the same number of rows each.
TableForm with_rows(const TableForm& form, std::size_t rows, std::mt19937_64& random) {
  TableForm result = form;
  result.rows.clear();
  std::vector<std::vector<std::string>> immediates;
  for (const semantics::TableRow& row : form.rows) {
    if (std::find(immediates.begin(), immediates.end(), row.immediates) == immediates.end() &&
        immediates.size() < kImmediates)
      immediates.push_back(row.immediates);
  }
  for (const auto& texts : immediates) {
    for (auto& inputs : input_tuples(form.inputs, rows / immediates.size(), random))
      result.rows.push_back({0, std::move(inputs), texts, {}});
  }
  spread_rows(result);
  return result;
}

boost::json::array failing_rows(const TableForm& form, const std::vector<std::uint8_t>& outputs) {
  boost::json::array failures;
  std::size_t count = 0;
  for (std::size_t row = 0; row < form.rows.size(); ++row) {
    for (std::size_t column = 0; column < form.outputs.size(); ++column) {
      const semantics::ExpectedValue& expected = form.rows[row].outputs[column];
      const std::uint64_t got = semantics::output_bits(form, outputs, row, column);
      if (expected.admits(got, form.outputs[column].type)) continue;
      if (++count <= kFailures)
        failures.emplace_back("line " + std::to_string(form.rows[row].line) + ": " +
                              form.outputs[column].name + " expected " + expected.text() + ", gpu " +
                              hexadecimal(got));
    }
  }
  if (count > kFailures) failures.emplace_back(std::to_string(count) + " in all");
  return failures;
}

boost::json::object compare_many(const Driver& gpu, const TableForm& form, std::size_t rows) {
  std::mt19937_64 random(1);
  const TableForm many = with_rows(form, form.inputs.empty() ? 256 : rows, random);
  const RowsRun run(many);
  launch::ReferenceExecutor reference;
  const std::vector<std::uint8_t> ours = run.run(reference);
  const std::vector<std::uint8_t> theirs = run_on_gpu(gpu, run);
  boost::json::object result;
  std::string spelling;
  for (const std::string& covered : form.covers) spelling += covered + " ";
  for (std::size_t column = 0; column < form.outputs.size(); ++column) {
    Differences differences(kind_of(form.outputs[column].type, spelling));
    for (std::size_t row = 0; row < many.rows.size(); ++row)
      differences.add(many.rows[row].inputs, semantics::output_bits(many, ours, row, column),
                      semantics::output_bits(many, theirs, row, column));
    result[form.outputs[column].name] = differences.json();
  }
  return result;
}

boost::json::object check_form(Driver& gpu, const TableForm& form, bool plain, const UnitOptions& options) {
  boost::json::object result{{"form", form.name}, {"rows", form.rows.size()}};
  try {
    const RowsRun run(form);
    boost::json::array failures = failing_rows(form, run_on_gpu(gpu, run));
    if (!failures.empty()) result["failing"] = std::move(failures);
    if (plain) result["many"] = compare_many(gpu, form, options.rows);
  } catch (const GpuError& error) {
    result["error"] = error.what();
    if (std::string(error.what()).find("cuCtxSynchronize") != std::string::npos) gpu.renew();
  } catch (const std::exception& error) {
    result["error"] = error.what();
  }
  return result;
}

}  // namespace

std::vector<std::string> table_names() {
  std::vector<std::string> names;
  for (const semantics::Table& table : semantics::tables_of(kFolder)) {
    // Leave out the table of textures: its texture handles are addresses of the headers (descriptors) that
    // Heddle keeps in memory. texture_unit.cpp compares all kinds of look-ups.
    if (!table.narrow && table.name() != "errors" && table.name() != "textures")
      names.push_back(table.name());
  }
  return names;
}

boost::json::object check_table(Driver& gpu, const std::string& name, const UnitOptions& options) {
  boost::json::array forms;
  for (const TableForm& form : semantics::read_table({std::string(kFolder) + "/" + name + ".tbl", false})) {
    if (form.error.empty() && form.address_bits == 64)
      forms.push_back(check_form(gpu, form, is_plain(name, form), options));
  }
  return {{"forms", std::move(forms)}};
}

}  // namespace heddle::on_gpu
