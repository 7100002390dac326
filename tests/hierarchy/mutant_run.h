#pragma once

// Makes test programs, each for one rule of the model, and runs them on models with a fault. Two or more
// warps run on one SM. Afterwards, the memory is compared with that of the untimed reference.

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "tests/fuzz/fuzz_run.h"

namespace heddle::hierarchy {

using Sabotage = std::function<void(isa::Program&)>;

/// Makes a program from `body`. `body` reads %r0 (the thread's number in its CTA) and [%rd1] (the thread's
/// input word), uses %r1 to %r29, and leaves its result in %r30. `ctas`: number of CTAs, each of two warps.
inline fuzz::RandomProgram program_of(const std::string& body, int ctas = 1,
                                      std::uint32_t highest_input = 4294967295) {
  fuzz::RandomProgram program;
  const std::string index = ctas == 1 ? "mul.wide.u32 %rd3, %r0, 4;\n"
                                      : "mov.u32 %r31, %ctaid.x;\nmad.lo.u32 %r31, %r31, 64, %r0;\n"
                                        "mul.wide.u32 %rd3, %r31, 4;\n";
  program.ptx =
      ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u64 out) {\n"
      ".reg .u32 %r<32>;\n.reg .u64 %rd<8>;\n.reg .pred %p<4>;\n"
      "ld.param.u64 %rd1, [in];\nld.param.u64 %rd2, [out];\nmov.u32 %r0, %tid.x;\n" +
      index + "add.u64 %rd1, %rd1, %rd3;\nadd.u64 %rd2, %rd2, %rd3;\n" + body +
      "\nst.global.u32 [%rd2], %r30;\nret;\n}\n";
  program.launch_json = fmt::format(
      R"({{"ptx": "program.ptx", "buffers": {{
    "in": {{"type": "u32", "count": {0}, "init": {{"kind": "uniform", "low": 0, "high": {2}, "seed": 5}}}},
    "out": {{"type": "u32", "count": {0}, "init": {{"kind": "zeros"}}}}}},
    "steps": [{{"kernel": "k", "grid": [{1}], "block": [64], "args": [{{"buffer": "in"}}, {{"buffer": "out"}}]}}]}})",
      64 * ctas, ctas, highest_input);
  program.lines.resize(static_cast<std::size_t>(std::count(program.ptx.begin(), program.ptx.end(), '\n')) +
                       2);
  return program;
}

/// Returns a test case (program and machine) that runs on one SM, with limits on cycles.
inline fuzz::FuzzCase case_on(const fuzz::RandomProgram& program, const std::string& preset,
                              std::vector<std::string> sets) {
  fuzz::FuzzCase fuzz;
  fuzz.program = program;
  fuzz.setting.preset = preset;
  fuzz.setting.sets = {"gpu.sms=1", "watch.max_cycles=100000", "watch.deadlock_cycles=50000",
                       "watch.interval_cycles=1000"};
  fuzz.setting.sets.insert(fuzz.setting.sets.end(), sets.begin(), sets.end());
  return fuzz;
}

inline bool is_of_values(const std::string& outcome) {
  for (const char* part : {"out: byte ", ": misaligned: ", ": out of bounds: ", " has not ended after "})
    if (outcome.find(part) != std::string::npos) return true;
  return false;
}

}  // namespace heddle::hierarchy
