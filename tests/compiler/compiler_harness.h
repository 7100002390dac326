#pragma once

// Runs small kernels in the compiler's tests. Every kernel has the parameters `out` (u64 pointer), `in` (u64
// pointer) and `n` (u32, number of words in `in`), and runs with two CTAs of 64 threads. `out` and `in` hold
// kWords words each.

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

/// Makes a kernel from declarations and instructions in PTX. Before the body, %gid (u32), %n, and %out and
/// %in (u64, address of the thread's word: base + 4 * gid) are set. `ret` follows the body.
isa::Program kernel(std::string_view body);

/// Makes a kernel without set-up; the body reads the parameters out, in and n.
isa::Program bare_kernel(std::string_view body);

struct Outcome {
  std::vector<std::uint32_t> out;
  reference::ReferenceResult counts;
};

/// Executes the program on the untimed reference.
Outcome execute(const isa::Program& program);

/// Returns parameters with these registers and passes; without a list of passes, the default ones.
CompilerParameters limits(int max_registers, int predicates = 7);
CompilerParameters with_passes(const std::vector<std::string>& passes, int max_registers = 63);

/// Compiles the program, executes both forms, expects equal output, and returns the compiled program.
isa::Program expect_same(const isa::Program& parsed, const CompilerParameters& parameters);

/// Returns the listing, one line for each instruction.
std::string text_of(const isa::Program& program);
/// Returns how often `part` occurs in the listing.
int count_of(const isa::Program& program, std::string_view part);
std::string repository_file(const std::string& path);
/// Returns the folders of testbench/kernels that contain a kernel.
std::vector<std::string> kernel_folders();

}  // namespace heddle::compiler::test
