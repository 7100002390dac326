// PTX files of real compilers, and all kernels of Heddle, must be translated to executable instructions.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "models/core/error.h"
#include "models/isa/address_map.h"
#include "models/ptx/module.h"

namespace heddle::ptx {
namespace {

const char* const kFixtures = "tests/ptx/fixtures/";

isa::Program lower_file(const std::string& file, const std::string& kernel) {
  const auto module = parse_module_file(kFixtures + file);
  isa::Program program = lower_kernel(*module, module->resolve_kernel(kernel));
  isa::bind_lane_functions(program);
  return program;
}

long count(const isa::Program& program, isa::Opcode op) {
  return std::count_if(program.code.begin(), program.code.end(), [op](const auto& i) { return i.op == op; });
}

TEST(Fixtures, CallsAreInlined) {
  const isa::Program p = lower_file("calls.ptx", "kernel");
  EXPECT_EQ(p.kernel, "_Z6kernelPfj4Pair");
  EXPECT_EQ(p.shared_bytes, 512u);
  EXPECT_EQ(p.local_bytes, 16u);
  EXPECT_EQ(p.max_threads, 128u);
  EXPECT_EQ(p.parameter_bytes, 32u);
  EXPECT_EQ(count(p, isa::Opcode::exit), 1);
  EXPECT_EQ(count(p, isa::Opcode::bra), 1);
  for (const isa::Instruction& i : p.code)
    if (i.memory.space == isa::Space::param) {
      EXPECT_GE(i.src[0].value, isa::kParamWindow);
    }
  EXPECT_EQ(lower_file("calls.ptx", "talker").kernel, "_Z6talkerPi");
}

TEST(Fixtures, InlineAssemblyAndDebugLines) {
  const isa::Program p = lower_file("inline_asm.ptx", "wide_sum");
  EXPECT_EQ(p.required_threads[0], 32u);
  EXPECT_EQ(p.max_threads, 32u);
  ASSERT_GT(p.files.size(), 1u);
  EXPECT_EQ(p.files[1], "wide_sum.cu");
  EXPECT_EQ(p.code[3].location.line, 14u);
  EXPECT_EQ(p.labels[p.code.size() - 1], "");
  EXPECT_EQ(count(p, isa::Opcode::setp), 6);
  EXPECT_EQ(count(p, isa::Opcode::bra), 6);
}

TEST(Fixtures, OurKernelsLower) {
  int kernels = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator("testbench/kernels")) {
    if (entry.path().extension() != ".ptx") continue;
    const auto module = parse_module_file(entry.path().string());
    for (const KernelName& name : module->kernels()) {
      isa::Program program = lower_kernel(*module, name.mangled);
      EXPECT_NO_THROW(isa::bind_lane_functions(program)) << entry.path();
      EXPECT_EQ(program.labels.size(), program.code.size());
      const isa::Opcode last = program.code.back().op;
      EXPECT_TRUE(last == isa::Opcode::exit || last == isa::Opcode::bra) << entry.path();
      ++kernels;
    }
  }
  EXPECT_GT(kernels, 20);
}

}  // namespace
}  // namespace heddle::ptx
