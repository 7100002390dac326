#pragma once

// Runs of small kernels for the compiler's tests. Every kernel has the parameters
//   out (u64 pointer), in (u64 pointer), n (u32 = number of words in `in`)
// and runs with two CTAs of 64 threads; `out` and `in` hold kWords words each.

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

/// A kernel from its body: declarations and instructions as PTX text. %gid (u32), %out and %in (u64, the
/// thread's own word of both buffers: base + 4 * gid) and %n are set up before the body; `ret` follows it.
isa::Program kernel(std::string_view body);

/// As `kernel`, without any set-up: the body names out, in and n itself.
isa::Program bare_kernel(std::string_view body);

struct Outcome {
  std::vector<std::uint32_t> out;
  reference::ReferenceResult counts;
};

/// Executes on the untimed reference.
Outcome execute(const isa::Program& program);

/// Parameters with these registers and passes ("fold-parameters", ...); without a list the default ones.
CompilerParameters limits(int max_registers, int predicates = 7);
CompilerParameters with_passes(const std::vector<std::string>& passes, int max_registers = 63);

/// Compiles, runs both, and expects equal output; returns the compiled program.
isa::Program expect_same(const isa::Program& parsed, const CompilerParameters& parameters);

/// One line an instruction.
std::string text_of(const isa::Program& program);
/// How often `part` occurs in the listing.
int count_of(const isa::Program& program, std::string_view part);
/// The path of a file of the repository.
std::string repository_file(const std::string& path);
/// The folders of testbench/kernels that hold a kernel.
std::vector<std::string> kernel_folders();

}  // namespace heddle::compiler::test
