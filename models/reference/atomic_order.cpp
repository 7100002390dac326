#include "models/reference/atomic_order.h"

#include <fmt/format.h>

#include <bit>

#include "models/isa/address_map.h"
#include "models/isa/check_notes.h"
#include "models/isa/mbarrier.h"

namespace heddle::reference {

using isa::AtomicOp;
using isa::Instruction;
using isa::Opcode;

void AtomicOrder::begin(const isa::KernelLaunch& launch) {
  global_.clear();
  shared_.clear();
  read_.assign(launch.program->registers, false);
  for (const Instruction& i : launch.program->code)
    for (const isa::Operand& o : i.sources())
      for (int w = 0; w < o.words(); ++w) read_[o.reg.value + static_cast<std::size_t>(w)] = true;
}

// Returns the reason why the order of this atomic among other atomics can affect the results of the launch;
// nullptr if the order cannot affect them.
const char* AtomicOrder::why(const Instruction& i) const {
  if (i.op == Opcode::atom && i.num_dst != 0)
    for (int w = 0; w < i.dst[0].words(); ++w)
      if (read_[i.dst[0].reg.value + static_cast<std::size_t>(w)]) return "the old value is used";
  const AtomicOp op = i.modifiers.atomic;
  if (op == AtomicOp::exch || op == AtomicOp::cas) return "exchanges do not commute";
  return isa::is_float(i.type) ? "sums of floats round by their order" : nullptr;
}

const char* AtomicOrder::why(const Instruction& earlier, const Instruction& later) const {
  if (const char* reason = why(later) ? why(later) : why(earlier)) return reason;
  return earlier.modifiers.atomic == later.modifiers.atomic ? nullptr : "different operations do not commute";
}

void AtomicOrder::accessed(const ExecutedInstruction& e, std::span<const std::uint64_t, kLanes> addresses) {
  const Instruction& i = e.instruction;
  if ((i.op != Opcode::atom && i.op != Opcode::red) || isa::is_heap_code(i) || isa::is_mbarrier(i)) return;
  const CtaClocks& clocks = order_.of(e);
  if (launches_ != order_.launches()) {
    launches_ = order_.launches();
    begin(e.launch);
  }
  const isa::Program& program = *e.launch.program;
  const First now{e.cta, e.warp, clocks.clock[e.warp][e.warp], e.index};
  for (LaneMask left = e.executing; left != 0; left &= left - 1) {
    const std::uint64_t address = addresses[static_cast<std::size_t>(std::countr_zero(left))];
    const bool shared = isa::window_of(address) == isa::Window::shared;
    const auto [at, is_new] = (shared ? shared_[e.cta] : global_).try_emplace(address / 4, now);
    First& first = at->second;
    if (is_new) continue;
    if (first.cta == e.cta && first.warp == e.warp) {
      if (why(i) || clocks.clock[e.warp][e.warp] != first.epoch) first = now;
      continue;
    }
    if (HappensBefore::is_before(clocks, e.warp, first.cta, first.warp, first.epoch)) {
      first = now;
      continue;
    }
    const char* const reason = why(program.code[first.pc], i);
    if (!reason) continue;
    findings_.report(CheckKind::atomics, program, first.pc, e.index, [&] {
      return fmt::format(
          "the order of atomics decides ({}): {} after {}, {} memory at {:#x}, warp "
          "{} of CTA {} and warp {} of CTA {}",
          reason, line_of(program, e.index), line_of(program, first.pc), shared ? "shared" : "global",
          address, e.warp, e.cta, first.warp, first.cta);
    });
  }
}

}  // namespace heddle::reference
