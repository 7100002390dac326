#include "models/reference/init_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "models/isa/address_map.h"
#include "models/isa/check_notes.h"
#include "models/reference/simt_stack.h"

namespace heddle::reference {
namespace {

using isa::Opcode;
using isa::Window;

template <class F>
void for_each_register(std::span<const isa::Operand> operands, std::uint32_t words, F&& f) {
  for (const isa::Operand& o : operands) {
    for (int w = 0; w < o.words(); ++w) f(o.reg.value + static_cast<std::uint32_t>(w));
    if (o.is_pred()) f(words + o.pred.value);
  }
}

}  // namespace

InitCheck::Cta& InitCheck::cta_of(const ExecutedInstruction& e) {
  if (launch_.begins(e)) ctas_.clear();
  const auto [found, is_new] = ctas_.try_emplace(e.cta);
  Cta& cta = found->second;
  if (!is_new) return cta;
  cta.shared.resize(e.launch.shared_bytes());
  cta.warps.resize(e.launch.warps_per_cta());
  for (Warp& warp : cta.warps) {
    warp.registers.resize(e.registers.size() + e.predicates.size());
    warp.local.resize(e.launch.program->local_bytes);
  }
  return cta;
}

void InitCheck::check_register(const ExecutedInstruction& e, const Warp& warp, std::uint32_t word,
                               LaneMask lanes) {
  if ((lanes & ~warp.registers[word]) == 0) return;
  const isa::Program& program = *e.launch.program;
  findings_.report(CheckKind::init, program, e.index, word, [&] {
    const auto words = static_cast<std::uint32_t>(e.registers.size());
    const auto& names = word < words ? program.register_names : program.predicate_names;
    const std::uint32_t index = word < words ? word : word - words;
    return fmt::format("{} reads {} before it is written: warp {} of CTA {}", line_of(program, e.index),
                       index < names.size() ? names[index] : fmt::format("register {}", index), e.warp,
                       e.cta);
  });
}

void InitCheck::before(const ExecutedInstruction& e) {
  if (e.executing == 0 && !e.instruction.guard.present) return;
  const Warp& warp = cta_of(e).warps[e.warp];
  const auto words = static_cast<std::uint32_t>(e.registers.size());
  if (e.instruction.guard.present) check_register(e, warp, words + e.instruction.guard.pred.value, e.active);
  if (e.executing != 0)
    for_each_register(e.instruction.sources(), words,
                      [&](std::uint32_t r) { check_register(e, warp, r, e.executing); });
}

void InitCheck::after(const ExecutedInstruction& e) {
  if (e.executing == 0) return;
  Cta& cta = cta_of(e);
  for_each_register(e.instruction.destinations(), static_cast<std::uint32_t>(e.registers.size()),
                    [&](std::uint32_t r) { cta.warps[e.warp].registers[r] |= e.executing; });
  if (e.instruction.op == Opcode::exit && e.paths->empty() && ++cta.ended == cta.warps.size())
    ctas_.erase(e.cta);
}

bool InitCheck::touch(std::vector<bool>& written, std::uint64_t at, std::uint64_t bytes, bool reads,
                      bool writes) {
  bool all = true;
  const std::uint64_t end = std::min<std::uint64_t>(at + bytes, written.size());
  for (std::uint64_t b = at; b < end; ++b) {
    all = all && written[b];
    if (writes) written[b] = true;
  }
  return reads && !all;
}

bool InitCheck::touch_local(Warp& warp, int lane, std::uint64_t at, std::uint64_t bytes, bool writes) {
  LaneMask all = kAllLanes;
  const std::uint64_t end = std::min<std::uint64_t>(at + bytes, warp.local.size());
  for (std::uint64_t b = at; b < end; ++b) {
    all &= warp.local[b];
    if (writes) warp.local[b] |= 1u << lane;
  }
  return !writes && (all >> lane & 1u) == 0;
}

bool InitCheck::touch_heap(std::uint64_t address, std::uint64_t bytes, bool reads, bool writes) {
  if (!heap_.contains(address)) return false;
  std::uint64_t base = 0;
  DeviceHeap::Block* const block = heap_.block_before(address, base);
  return block && address - base + bytes <= block->bytes &&
         touch(block->written, address - base, bytes, reads, writes);
}

void InitCheck::accessed(const ExecutedInstruction& e, std::span<const std::uint64_t, kLanes> addresses) {
  const isa::Instruction& i = e.instruction;
  if (e.texel_bytes != 0 || isa::is_heap_code(i)) return;
  Cta& cta = cta_of(e);
  const bool writes = i.op != Opcode::ld,
             reads = i.op != Opcode::st && i.modifiers.atomic != isa::AtomicOp::mb_init;
  const std::uint64_t bytes = std::uint64_t{i.memory.element_bytes} * i.memory.elements;
  for (LaneMask left = e.executing; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    const std::uint64_t address = addresses[static_cast<std::size_t>(lane)];
    const Window window = isa::window_of(address);
    const char* memory = "shared memory";
    bool unwritten = false;
    if (window == Window::shared) {
      unwritten = touch(cta.shared, address - isa::kSharedWindow, bytes, reads, writes);
    } else if (window == Window::local) {
      memory = "local memory";
      unwritten = touch_local(cta.warps[e.warp], lane, address - isa::kLocalWindow, bytes, writes);
    } else if (window == Window::global) {
      memory = "memory of malloc";
      unwritten = touch_heap(address, bytes, reads, writes);
    }
    if (!unwritten) continue;
    findings_.report(CheckKind::init, *e.launch.program, e.index, ~0u, [&] {
      return fmt::format(
          "{} reads {} at {:#x} before anything is written there: lane {} of warp {} of CTA {}",
          line_of(*e.launch.program, e.index), memory, address, lane, e.warp, e.cta);
    });
  }
}

}  // namespace heddle::reference
