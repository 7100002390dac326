// Changes one control bit at a time, in 20 kernels. The function check_control_bits must reject every change
// with which some path of the warp reads or writes too early. If it accepts a change, random walks must find
// no read or write that is too early.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "models/compiler/check_control_bits.h"
#include "models/ptx/module.h"
#include "tests/compiler/compiler_harness.h"
#include "tests/compiler/control_bits_harness.h"
#include "tests/compiler/control_mutants.h"
#include "tests/compiler/issue_walk.h"

namespace heddle::compiler {
namespace {

struct Tally {
  int found = 0, accepted = 0;
};

TEST(ModernCoreMutants, TheProofFindsThoseThatMeetAnOutstandingResult) {
  std::map<std::string, Tally> tallies;
  int programs = 0;
  for (const std::string& folder : test::kernel_folders()) {
    if (programs == 20) break;
    const auto module =
        ptx::parse_module_file(test::repository_file("testbench/kernels/" + folder + "/kernel.ptx"));
    const isa::Program program = compile(ptx::lower_kernel(*module, module->kernels().front().mangled),
                                         test::with_control_bits(test::ampere_latencies()));
    if (program.code.size() > 160) continue;
    ++programs;
    SCOPED_TRACE(folder);
    const ControlFlow flow(program);
    const Divergence divergence(program, flow);
    const WarpFlow warp(program, flow, divergence);
    isa::Program mutated = program;
    for (const test::ControlMutant& m : test::control_mutants(program)) {
      mutated.code[m.instruction] = m.changed;
      Tally& tally = tallies[m.kind];
      const bool found = find_control_fault(mutated, flow, divergence).has_value();
      ++(found ? tally.found : tally.accepted);
      std::optional<test::WalkFault> met;
      for (std::uint64_t seed = 0; seed < 3 && !found && !met; ++seed)
        met = test::walk_randomly(mutated, flow, warp, seed, 400);
      EXPECT_FALSE(met.has_value()) << m.kind << " of instruction " << m.instruction << " is accepted, but "
                                    << met->instruction << " " << met->what << "\n"
                                    << test::text_with_bits(mutated);
      if (HasFailure()) return;
      mutated.code[m.instruction] = program.code[m.instruction];
    }
  }
  EXPECT_EQ(programs, 20);
  for (const auto& [kind, t] : tallies) {
    fmt::print("{:14} {:5} found by the proof, {:5} harmless\n", kind, t.found, t.accepted);
    if (kind == "reuse cleared") EXPECT_EQ(t.found, 0);
  }
}

}  // namespace
}  // namespace heddle::compiler
