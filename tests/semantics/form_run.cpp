#include "tests/semantics/form_run.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include "models/core/error.h"
#include "tests/semantics/kernel_text.h"
#include "tests/semantics/row_kernel.h"

namespace heddle::semantics {

namespace {

/// distance in bytes between the start addresses of two buffers
constexpr std::uint64_t kApart = 0x100'0000;

std::vector<std::uint8_t> outputs_of(RowKernel kernel, const Executor& execute) {
  execute(kernel.launch(), kernel.memory());
  const auto& outputs = kernel.memory().find_by_name("outputs")->data;
  return {outputs.begin(), outputs.end()};
}

std::string hexadecimal(std::uint64_t value) {
  std::ostringstream stream;
  stream << std::hex << value;
  return stream.str();
}

std::string inputs_text(const TableForm& form, const TableRow& row) {
  std::string text;
  for (std::size_t i = 0; i < row.immediates.size(); ++i)
    text += " " + form.immediates[i].name + "=" + row.immediates[i];
  for (std::size_t i = 0; i < row.inputs.size(); ++i)
    text += " " + form.inputs[i].name + "=" + hexadecimal(row.inputs[i]);
  return text;
}

std::vector<Mismatch> compare(const TableForm& form, const std::vector<std::uint8_t>& outputs) {
  std::vector<Mismatch> mismatches;
  for (std::size_t row = 0; row < form.rows.size(); ++row) {
    for (std::size_t column = 0; column < form.outputs.size(); ++column) {
      const ExpectedValue& expected = form.rows[row].outputs[column];
      const std::uint64_t got = output_bits(form, outputs, row, column);
      if (expected.admits(got, form.outputs[column].type)) continue;
      mismatches.push_back({form.rows[row].line, form.outputs[column].name + " of" +
                                                     inputs_text(form, form.rows[row]) + ": expected " +
                                                     expected.text() + ", got " + hexadecimal(got)});
    }
  }
  return mismatches;
}

bool contains_word(std::string text, const std::string& word) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text.find(word) != std::string::npos;
}

std::vector<Mismatch> expect_errors(const TableForm& form, const Executor& execute) {
  std::vector<Mismatch> mismatches;
  for (std::size_t row = 0; row < form.rows.size(); ++row) {
    const std::string what = "with" + inputs_text(form, form.rows[row]) + ": ";
    RowKernel kernel(form, row, 1, kApart);
    try {
      outputs_of(std::move(kernel), execute);
      mismatches.push_back({form.rows[row].line, what + "expected an error, got none"});
    } catch (const Error& error) {
      if (!contains_word(error.what(), form.error))
        mismatches.push_back(
            {form.rows[row].line, what + "expected `" + form.error + "` in: " + error.what()});
    }
  }
  return mismatches;
}

}  // namespace

std::vector<Mismatch> run_form(const TableForm& form, const Executor& execute) {
  try {
    if (!form.error.empty()) return expect_errors(form, execute);
    return compare(form, outputs_of(RowKernel(form, 0, form.rows.size(), kApart), execute));
  } catch (const Error& error) {
    return {{form.line, std::string("refused: ") + error.what()}};
  }
}

}  // namespace heddle::semantics
