#include "tests/compiler/control_mutants.h"

#include "models/compiler/reuse_bits.h"

namespace heddle::compiler::test {

std::vector<ControlMutant> control_mutants(const isa::Program& program) {
  std::vector<ControlMutant> mutants;
  for (std::size_t n = 0; n < program.code.size(); ++n) {
    const isa::Instruction& i = program.code[n];
    if (i.metadata) continue;
    const auto add = [&](const char* kind, auto change) {
      isa::Instruction changed = i;
      change(changed);
      mutants.push_back({kind, n, changed});
    };
    if (i.control.stall > 1) add("stall", [](isa::Instruction& c) { --c.control.stall; });
    for (unsigned k = 0; k < isa::kDependenceCounters; ++k)
      if (i.control.wait_mask >> k & 1u)
        add("mask",
            [k](isa::Instruction& c) { c.control.wait_mask &= static_cast<std::uint8_t>(~(1u << k)); });
    for (std::size_t s = 0; s < i.num_src; ++s)
      if (can_reuse(i, s, *program.latencies))
        add(i.src[s].annotation.reuse ? "reuse cleared" : "reuse set",
            [s](isa::Instruction& c) { c.src[s].annotation.reuse = !c.src[s].annotation.reuse; });
    const auto next = [](std::uint8_t& counter) {
      counter = static_cast<std::uint8_t>((counter + 1) % isa::kDependenceCounters);
    };
    if (i.control.write_counter < isa::kDependenceCounters)
      add("write counter", [&](isa::Instruction& c) { next(c.control.write_counter); });
    if (i.control.read_counter < isa::kDependenceCounters)
      add("read counter", [&](isa::Instruction& c) { next(c.control.read_counter); });
  }
  return mutants;
}

}  // namespace heddle::compiler::test
