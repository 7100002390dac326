#include "tests/compiler/compiler_harness.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <memory>

#include "models/isa/address_map.h"
#include "models/isa/launch.h"
#include "models/ptx/module.h"

namespace heddle::compiler::test {
namespace {

constexpr std::uint64_t kOut = isa::kBuffers;
constexpr std::uint64_t kIn = isa::kBuffers + 0x100'0000;

std::uint32_t scramble(std::uint32_t x) {
  x = (x ^ 61u) ^ (x >> 16);
  x *= 9u;
  x ^= x >> 4;
  x *= 0x27d4eb2du;
  return x ^ (x >> 15);
}

}  // namespace

isa::Program bare_kernel(std::string_view body) {
  const std::string text =
      ".version 7.5\n.target sm_70\n.address_size 64\n"
      ".visible .entry k(.param .u64 out, .param .u64 in, .param .u32 n)\n{\n" +
      std::string(body) + "\n}\n";
  const auto module = ptx::parse_module(text, "test.ptx");
  return ptx::lower_kernel(*module, "k");
}

isa::Program kernel(std::string_view body) {
  return bare_kernel(
      ".reg .b32 %gid, %n, %ctaid_, %tid_;\n.reg .b64 %out, %in, %wide_;\n"
      "mov.u32 %ctaid_, %ctaid.x;\nmov.u32 %tid_, %tid.x;\nmad.lo.u32 %gid, %ctaid_, 64, %tid_;\n"
      "mul.wide.u32 %wide_, %gid, 4;\nld.param.u64 %out, [out];\nld.param.u64 %in, [in];\n"
      "add.s64 %out, %out, %wide_;\nadd.s64 %in, %in, %wide_;\nld.param.u32 %n, [n];\n" +
      std::string(body) + "\nret;");
}

Outcome execute(const isa::Program& program) {
  MemoryImage memory;
  memory.allocate_at("out", kOut, kWords * 4);
  auto& in = memory.allocate_at("in", kIn, kWords * 4);
  for (std::uint32_t w = 0; w < kWords; ++w) {
    const std::uint32_t value = scramble(w);
    std::memcpy(in.data.data() + std::size_t{w} * 4, &value, 4);
  }
  isa::KernelLaunch launch;
  launch.program = std::make_shared<isa::Program>(program);
  launch.grid = {2, 1, 1};
  launch.block = {64, 1, 1};
  launch.parameters.resize(program.parameter_bytes);
  const std::uint32_t n = kWords;
  std::memcpy(launch.parameters.data(), &kOut, 8);
  std::memcpy(launch.parameters.data() + 8, &kIn, 8);
  std::memcpy(launch.parameters.data() + 16, &n, 4);
  reference::ReferenceOptions options;
  options.max_warp_instructions = 2'000'000;
  Outcome outcome;
  outcome.counts = reference::run_reference(launch, memory, options);
  outcome.out.resize(kWords);
  std::memcpy(outcome.out.data(), memory.at(kOut, kWords * 4, "test"), kWords * 4);
  return outcome;
}

CompilerParameters limits(int max_registers, int predicates) {
  CompilerParameters parameters;
  parameters.max_registers = max_registers;
  parameters.predicates = predicates;
  return parameters;
}

CompilerParameters with_passes(const std::vector<std::string>& passes, int max_registers) {
  CompilerParameters parameters = limits(max_registers);
  parameters.passes.clear();
  for (const std::string& pass : passes) parameters.passes.push_back(ConfigNode::make_string(pass));
  return parameters;
}

isa::Program expect_same(const isa::Program& parsed, const CompilerParameters& parameters) {
  isa::Program compiled = compile(parsed, parameters);
  EXPECT_TRUE(compiled.architected);
  EXPECT_LE(compiled.registers, static_cast<std::uint32_t>(parameters.max_registers));
  EXPECT_LE(compiled.predicates, static_cast<std::uint32_t>(parameters.predicates));
  const Outcome expected = execute(parsed), actual = execute(compiled);
  const auto [a, b] = std::mismatch(actual.out.begin(), actual.out.end(), expected.out.begin());
  if (a != actual.out.end())
    ADD_FAILURE() << "word " << (a - actual.out.begin()) << " is " << *a << ", as parsed " << *b << "\n"
                  << text_of(parsed) << "compiled\n"
                  << text_of(compiled);
  return compiled;
}

std::string text_of(const isa::Program& program) {
  std::string text;
  for (const auto& i : program.code) text += to_string(i) + "\n";
  return text;
}

int count_of(const isa::Program& program, std::string_view part) {
  const std::string text = text_of(program);
  int count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

std::string repository_file(const std::string& path) {
  return (std::filesystem::path(__FILE__).parent_path().parent_path().parent_path() / path).string();
}

std::vector<std::string> kernel_folders() {
  std::vector<std::string> folders;
  for (const auto& entry : std::filesystem::directory_iterator(repository_file("testbench/kernels")))
    if (std::filesystem::exists(entry.path() / "kernel.ptx"))
      folders.push_back(entry.path().filename().string());
  std::sort(folders.begin(), folders.end());
  return folders;
}

}  // namespace heddle::compiler::test
