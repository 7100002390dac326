#include "tests/semantics/form_run.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <sstream>

#include "models/core/error.h"
#include "models/isa/address_size.h"
#include "models/ptx/module.h"
#include "tests/semantics/kernel_text.h"

namespace heddle::semantics {

namespace {

constexpr const char* kKernel = "row_kernel";

/// The memory and the parameters of one launch over some rows of a form.
class Launch {
 public:
  Launch(const TableForm& form, std::size_t first, std::size_t count) : form_(form), count_(count) {
    const auto module = ptx::parse_module(module_text(form, kKernel, first, count), form.name + ".ptx");
    auto program = std::make_shared<isa::Program>(ptx::lower_kernel(*module, kKernel));
    isa::bind_lane_functions(*program);
    for (const isa::ModuleVariable& variable : module->variables()) {
      auto& memory = memory_.allocate_at(variable.name, variable.address, variable.bytes,
                                         variable.space == isa::Space::constant);
      std::copy(variable.initial.begin(), variable.initial.end(), memory.data.begin());
    }
    launch_.program = program;
    launch_.grid = {form.grid[0], form.grid[1], form.grid[2]};
    launch_.block = {form.block[0], form.block[1], form.block[2]};
    launch_.parameters.resize(program->parameter_bytes);
    add_buffers(input_bytes(form, first, count));
    for (std::size_t i = 0; i < form.parameters.size(); ++i) set_parameter(3 + i, form.parameters[i].bytes);
  }

  std::vector<std::uint8_t> run(const Executor& execute) {
    execute(launch_, memory_);
    return memory_.find_by_name("outputs")->data;
  }

 private:
  void add_buffers(const std::vector<std::uint8_t>& inputs) {
    const auto outputs = count_ * static_cast<std::size_t>(layout_of(form_.outputs).bytes);
    const auto scratch = count_ * static_cast<std::size_t>(form_.scratch_bytes);
    auto& in = add_buffer("inputs", inputs.size(), 0);
    std::copy(inputs.begin(), inputs.end(), in.data.begin());
    auto& out = add_buffer("outputs", outputs, 1);
    std::fill(out.data.begin(), out.data.end(), kUntouchedByte);
    add_buffer("scratch", scratch, 2);
  }

  MemoryImage::Allocation& add_buffer(const std::string& name, std::size_t bytes, std::size_t parameter) {
    const std::uint64_t address = isa::address_layout(form_.address_bits).buffers + parameter * 0x100'0000;
    std::vector<std::uint8_t> pointer(static_cast<std::size_t>(form_.address_bits) / 8);
    for (std::size_t i = 0; i < pointer.size(); ++i)
      pointer[i] = static_cast<std::uint8_t>(address >> (8 * i));
    set_parameter(parameter, pointer);
    return memory_.allocate_at(name, address, std::max<std::size_t>(bytes, 16));
  }

  void set_parameter(std::size_t index, const std::vector<std::uint8_t>& bytes) {
    const isa::KernelParameter& parameter = launch_.program->parameters.at(index);
    if (parameter.bytes != bytes.size())
      throw std::runtime_error(form_.name + ": parameter " + parameter.name +
                               " has another size than its bytes");
    std::copy(bytes.begin(), bytes.end(), launch_.parameters.begin() + parameter.offset);
  }

  const TableForm& form_;
  std::size_t count_;
  MemoryImage memory_;
  isa::KernelLaunch launch_;
};

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
    Launch launch(form, row, 1);
    try {
      launch.run(execute);
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
    return compare(form, Launch(form, 0, form.rows.size()).run(execute));
  } catch (const Error& error) {
    return {{form.line, std::string("refused: ") + error.what()}};
  }
}

}  // namespace heddle::semantics
