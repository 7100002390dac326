#pragma once

// Runs a kernel with matrix instructions on the reference and on the timed GPU, and compares the results.

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "models/compiler/pipeline.h"
#include "models/core/error.h"
#include "models/core/memory_image.h"
#include "models/core/stats.h"
#include "models/gpu/gpu.h"
#include "models/isa/address_map.h"
#include "models/ptx/module.h"
#include "models/reference/reference.h"
#include "tests/support/simulation.h"

namespace heddle::tensor_rows {
// Bytes of the buffer: the kernels read their matrices from it and write their results to the second half.
inline constexpr std::size_t kBytes = 32768;

inline std::string module_text(const std::string& body) {
  return ".version 8.4\n.target sm_89\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n .reg .b32 "
         "%r<99>; "
         ".reg .f32 %f<99>; .reg .b64 %d<9>; .reg .pred %p<9>; .reg .b16 %h<9>;\n ld.param.u64 %d1, [p]; "
         "mov.u32 "
         "%r90, %tid.x; mad.wide.u32 %d2, %r90, 64, %d1;\n" +
         body + "\n ret; }\n";
}

inline std::vector<std::uint8_t> buffer_of(const MemoryImage& memory) {
  const auto& bytes = memory.find_by_name("buffer")->data;
  return {bytes.begin(), bytes.end()};
}

struct Outcome {
  std::vector<std::uint8_t> data;
  std::string error;
  /// cycles in which the banks of the timed GPU's shared memory were busy
  std::uint64_t shared_passes = 0;
};

class Matrices : public testing::Test {
 protected:
  explicit Matrices(const std::string& body = {}) { use(body); }
  void use(const std::string& body) {
    module_ = ptx::parse_module(module_text(body), "m.ptx");
    parsed_ = ptx::lower_kernel(*module_, "k");
  }
  isa::Program compiled(int registers = 63) const {
    compiler::CompilerParameters parameters;
    parameters.max_registers = registers;
    return compiler::compile(parsed_, parameters);
  }
  MemoryImage memory() const {
    MemoryImage memory;
    auto& place = memory.allocate_at("buffer", isa::kBuffers, kBytes);
    // Fill the buffer with random halves of magnitude 0.125 to 2, so that sums do not overflow.
    std::uint32_t state = 7;
    for (std::size_t n = 0; n < kBytes / 2; n += 2) {
      state = state * 1664525u + 1013904223u;
      const auto half = static_cast<std::uint16_t>(0x3000u | (state >> 16 & 0x8fffu));
      std::memcpy(&place.data[n], &half, 2);
    }
    return memory;
  }
  isa::KernelLaunch launch(isa::Program program, std::uint32_t threads) const {
    isa::bind_lane_functions(program);
    isa::KernelLaunch launch;
    launch.program = std::make_shared<isa::Program>(std::move(program));
    launch.grid = {1, 1, 1};
    launch.block = {threads, 1, 1};
    launch.parameters.resize(8);
    const std::uint64_t address = isa::kBuffers;
    std::memcpy(launch.parameters.data(), &address, 8);
    return launch;
  }
  Outcome reference(const isa::Program& program, std::uint32_t threads = 32) const {
    MemoryImage image = memory();
    Outcome outcome;
    try {
      reference::run_reference(launch(program, threads), image);
    } catch (const Error& e) {
      outcome.error = e.what();
    }
    outcome.data = buffer_of(image);
    return outcome;
  }
  Outcome timed(const isa::Program& program, std::uint32_t threads = 32, int units = 1) const {
    MemoryImage image = memory();
    GpuParameters parameters;
    parameters.sm.units.matrix.units = units;
    Outcome outcome;
    const testing_support::Simulation simulation;
    StatsRegistry stats;
    try {
      Gpu gpu("gpu", parameters, image, stats, {});
      gpu.run(launch(program, threads));
    } catch (const Error& e) {
      outcome.error = e.what();
    }
    for (const CounterInfo& info : stats.counters())
      if (info.name == "shared_passes") outcome.shared_passes += info.counter->value();
    outcome.data = buffer_of(image);
    return outcome;
  }
  static int moves(const isa::Program& program) {
    int count = 0;
    for (const isa::Instruction& i : program.code) count += i.op == isa::Opcode::mov && i.overhead;
    return count;
  }
  void expect_equal_everywhere() const {
    const Outcome right = reference(parsed_);
    ASSERT_EQ(right.error, "");
    EXPECT_NE(right.data, buffer_of(memory()));
    for (const int registers : {63, 24}) {
      const isa::Program program = compiled(registers);
      EXPECT_EQ(reference(program).data, right.data) << registers;
      const Outcome outcome = timed(program);
      EXPECT_EQ(outcome.error, "");
      EXPECT_EQ(outcome.data, right.data) << registers;
    }
  }

  std::shared_ptr<const ptx::Module> module_;
  isa::Program parsed_;
};

}  // namespace heddle::tensor_rows
