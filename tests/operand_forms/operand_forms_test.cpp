// Tests every form of an operand that PTX permits. The form must give the right value in the program as
// written and after compilation. If Heddle does not support a form, the error must name the form; a syntax
// error is not enough.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "models/compiler/pipeline.h"
#include "models/core/memory_image.h"
#include "models/isa/address_map.h"
#include "models/isa/launch.h"
#include "models/ptx/module.h"
#include "models/ptx/source.h"
#include "models/reference/reference.h"
#include "tests/operand_forms/form_cases.h"

namespace heddle::operand_forms {
namespace {

constexpr std::size_t kShown = 8;
constexpr std::size_t kOutputBytes = 512;

std::vector<std::uint64_t> run(const FormCase& one, bool compiled) {
  const auto module = ptx::parse_module(one.ptx, "form.ptx");
  isa::Program program = ptx::lower_kernel(*module, "k");
  if (compiled) program = compiler::compile(program, {});
  isa::bind_lane_functions(program);
  MemoryImage memory;
  for (const isa::ModuleVariable& v : module->variables()) {
    auto& place = memory.allocate_at(v.name, v.address, v.bytes, v.space == isa::Space::constant);
    std::copy(v.initial.begin(), v.initial.end(), place.data.begin());
  }
  memory.allocate_at("out", isa::kBuffers, kOutputBytes);
  isa::KernelLaunch launch;
  launch.program = std::make_shared<isa::Program>(std::move(program));
  launch.grid = launch.block = {1, 1, 1};
  launch.parameters.resize(launch.program->parameter_bytes);
  const std::uint64_t out = isa::kBuffers;
  std::memcpy(launch.parameters.data(), &out, sizeof out);
  const std::vector<std::uint8_t> data = data_bytes();
  std::copy(data.begin(), data.end(), launch.parameters.begin() + launch.program->parameters[1].offset);
  reference::run_reference(launch, memory, {});
  std::vector<std::uint64_t> words(one.expected.size());
  std::memcpy(words.data(), memory.find_by_name("out")->data.data(), 8 * words.size());
  return words;
}

void expect_values(const std::vector<FormCase>& cases, std::size_t least) {
  std::size_t failed = 0;
  for (const FormCase& one : cases)
    for (const bool compiled : {false, true}) {
      std::string got;
      try {
        const std::vector<std::uint64_t> words = run(one, compiled);
        if (words == one.expected) continue;
        for (const std::uint64_t word : words) got += " " + std::to_string(word);
      } catch (const std::exception& e) {
        got = std::string(" ") + e.what();
      }
      if (++failed <= kShown) {
        std::string expected;
        for (const std::uint64_t word : one.expected) expected += " " + std::to_string(word);
        ADD_FAILURE() << one.name << (compiled ? ", compiled" : "") << ": expected" << expected << ", got"
                      << got << "\n"
                      << one.ptx;
      }
    }
  EXPECT_EQ(failed, 0u) << "of " << cases.size() << " forms";
  EXPECT_GE(cases.size(), least);
  testing::Test::RecordProperty("forms", static_cast<int>(cases.size()));
}

TEST(OperandForms, LoadsAndStores) { expect_values(memory_cases(), 1500); }
TEST(OperandForms, Moves) { expect_values(move_cases(), 150); }
TEST(OperandForms, Conversions) { expect_values(conversion_cases(), 500); }
TEST(OperandForms, SetsOfVariables) { expect_values(set_cases(), 8); }
TEST(OperandForms, Sources) { expect_values(source_cases(), 40); }

TEST(OperandForms, WhatIsMissingIsRefusedByName) {
  for (const RefusedCase& one : refused_cases()) {
    try {
      ptx::lower_kernel(*ptx::parse_module(refused_module(one), "form.ptx"), "k");
      ADD_FAILURE() << one.text << ": not refused";
    } catch (const ptx::UnsupportedError& e) {
      EXPECT_EQ(e.feature(), one.feature) << one.text;
      EXPECT_NE(std::string(e.what()).find("not supported yet: " + one.feature), std::string::npos)
          << e.what();
    } catch (const std::exception& e) {
      ADD_FAILURE() << one.text << ": " << e.what();
    }
  }
}

}  // namespace
}  // namespace heddle::operand_forms
