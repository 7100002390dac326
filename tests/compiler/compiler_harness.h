#pragma once

// Runs small kernels for the tests of the compiler. Every kernel has the parameters `out` (64-bit pointer),
// `in` (64-bit pointer) and `n` (32 bits, number of words in `in`). A kernel runs with two CTAs of 64
// threads. `out` and `in` have kWords words each.

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

/// Makes a kernel from PTX declarations and instructions. In front of `body`, the kernel sets %gid (global
/// thread index, 32 bits), %n, and %out and %in (64-bit addresses of the thread's words: base + 4 * gid).
/// `ret` follows the body.
isa::Program kernel(std::string_view body);

/// Makes a kernel without this set-up. The body reads the parameters out, in and n itself.
isa::Program bare_kernel(std::string_view body);

struct Outcome {
  std::vector<std::uint32_t> out;
  reference::ReferenceResult counts;
};

/// Executes the program on the untimed reference and returns its output.
Outcome execute(const isa::Program& program);

/// Returns compiler parameters with these numbers of registers and predicates. If no passes are given, the
/// default ones are used.
CompilerParameters limits(int max_registers, int predicates = 7);
CompilerParameters with_passes(const std::vector<std::string>& passes, int max_registers = 63);

/// Compiles the program, executes the parsed and the compiled form, expects equal output, and returns the
/// compiled program.
isa::Program expect_same(const isa::Program& parsed, const CompilerParameters& parameters);

/// Returns the program as text, one line for each instruction.
std::string text_of(const isa::Program& program);
/// Returns how often `part` occurs in the text of the program.
int count_of(const isa::Program& program, std::string_view part);
std::string repository_file(const std::string& path);
/// Returns the folders in testbench/kernels that contain a kernel.
std::vector<std::string> kernel_folders();

}  // namespace heddle::compiler::test
