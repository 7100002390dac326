#pragma once

// Runs small kernels for the compiler's tests. Every kernel has three parameters: `out` and `in` (64-bit
// pointers to kWords words each), and `n` (32 bits, number of words in `in`). It runs with two CTAs of 64
// threads.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/compiler/pipeline.h"
#include "models/isa/program.h"
#include "models/reference/reference.h"

namespace heddle::compiler::test {

inline constexpr std::uint32_t kThreads = 128;
inline constexpr std::uint32_t kWords = 1u << 14;

/// Makes a kernel from PTX declarations and instructions. Before `body`, the kernel sets %gid (global thread
/// index, 32 bits) and %n. It also sets %out and %in to 64-bit addresses: those of the thread's word in the
/// output buffer and in the input buffer (base + 4 * gid).
isa::Program kernel(std::string_view body);

isa::Program bare_kernel(std::string_view body);

struct Outcome {
  std::vector<std::uint32_t> out;
  reference::ReferenceResult counts;
};

Outcome execute(const isa::Program& program);

CompilerParameters limits(int max_registers, int predicates = 7);
CompilerParameters with_passes(const std::vector<std::string>& passes, int max_registers = 63);

isa::Program expect_same(const isa::Program& parsed, const CompilerParameters& parameters);

std::string text_of(const isa::Program& program);
int count_of(const isa::Program& program, std::string_view part);
std::string repository_file(const std::string& path);
std::vector<std::string> kernel_folders();

}  // namespace heddle::compiler::test
