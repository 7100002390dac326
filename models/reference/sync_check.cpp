#include "models/reference/sync_check.h"

#include <fmt/format.h>

#include <bit>

#include "models/isa/check_notes.h"
#include "models/reference/simt_stack.h"
#include "models/reference/waits.h"

namespace heddle::reference {
namespace {

using isa::Opcode;
using isa::Operand;
using isa::ShuffleMode;

enum What : std::uint32_t { kPartial, kLeft, kOwnLane, kAbsent, kSource, kJump };

std::uint32_t value_of(const ExecutedInstruction& e, const Operand& o, int lane) {
  return o.is_reg() ? e.registers[o.reg.value][lane] : static_cast<std::uint32_t>(o.value);
}

/// Returns the lane from which `lane` gets its value (PTX ISA, shfl); -1: the lane keeps its own value.
int source_lane(ShuffleMode mode, int lane, std::uint32_t b, std::uint32_t c) {
  const int offset = static_cast<int>(b & 31u), clamp = static_cast<int>(c & 31u),
            segment = static_cast<int>(c >> 8 & 31u), last = (lane & segment) | (clamp & ~segment & 31);
  const int source = mode == ShuffleMode::up     ? lane - offset
                     : mode == ShuffleMode::down ? lane + offset
                     : mode == ShuffleMode::bfly ? lane ^ offset
                                                 : (lane & segment) | (offset & ~segment & 31);
  return (mode == ShuffleMode::up ? source >= last : source <= last) ? source : -1;
}

bool has_members(const isa::Instruction& i) {
  switch (i.op) {
    case Opcode::shfl:
      return true;
    case Opcode::vote:
      return i.modifiers.sync;
    case Opcode::match:
    case Opcode::redux:
    case Opcode::bar_warp:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::string SyncCheck::place(const ExecutedInstruction& e) {
  return fmt::format("warp {} of CTA {}", e.warp, e.cta);
}

SyncCheck::Cta& SyncCheck::cta_of(const ExecutedInstruction& e) {
  if (launch_.begins(e)) {
    reach_ = std::make_unique<CodeReach>(*e.launch.program);
    ctas_.clear();
  }
  return ctas_[e.cta];
}

std::vector<SyncCheck::Elsewhere> SyncCheck::elsewhere(const ExecutedInstruction& e) {
  std::vector<Elsewhere> found;
  const std::vector<SimtStack::View> paths = e.paths->view();
  LaneMask above = e.active;
  for (std::size_t p = paths.size(); p-- > 0;) {
    const LaneMask own = paths[p].lanes & ~above;
    above |= paths[p].lanes;
    if (own != 0) found.push_back({paths[p].pc, own});
  }
  return found;
}

void SyncCheck::before(const ExecutedInstruction& e) {
  taken_ = moved_ = 0;
  follow(e);
  if (e.executing == 0) return;
  if (e.instruction.op == Opcode::bar) return check_barrier(e);
  if (has_members(e.instruction)) check_members(e);
}

void SyncCheck::check_barrier(const ExecutedInstruction& e) {
  LaneMask& have_left = cta_of(e).have_left[e.warp];
  const std::int32_t next = reach_->next_real(static_cast<std::int32_t>(e.index) + 1);
  LaneMask missing = e.active & ~e.executing;
  for (const Elsewhere& other : elsewhere(e)) {
    const bool is_condition = reach_->next_real(other.pc) == next && (other.lanes & ~have_left) != 0;
    if (is_condition || reach_->reaches_barrier(other.pc))
      missing |= other.lanes;
    else
      have_left |= other.lanes;
  }
  if (missing == 0) return;
  report(e, kPartial, [&] {
    return fmt::format("{}: barrier met by {} of the threads of {}, not by {}",
                       line_of(*e.launch.program, e.index), lanes_text(e.executing), place(e),
                       lanes_text(missing));
  });
}

void SyncCheck::check_members(const ExecutedInstruction& e) {
  cta_of(e);
  const isa::Instruction& i = e.instruction;
  const bool named = i.modifiers.sync || i.op == Opcode::bar_warp;
  LaneMask absent = e.active & ~e.executing;
  for (const Elsewhere& other : elsewhere(e))
    if (!reach_->ends(other.pc)) absent |= other.lanes;
  LaneMask had = 0;
  if (const auto values = ctas_[e.cta].absent.find(e.warp);
      values != ctas_[e.cta].absent.end() && values->second.any() && i.src[0].is_reg())
    had = values->second.lanes_of(e, i.src[0]);
  for (LaneMask left = e.executing; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    const LaneMask members = named ? value_of(e, i.src[i.num_src - 1], lane) : kAllLanes;
    if ((members >> lane & 1u) == 0)
      report(e, kOwnLane, [&] {
        return fmt::format("{}: the member mask {:#x} lacks lane {}, which executes it: {}",
                           line_of(*e.launch.program, e.index), members, lane, place(e));
      });
    else if (named && i.op != Opcode::bar_warp && (members & absent) != 0)
      report(e, kAbsent, [&] {
        return fmt::format("{}: the member mask {:#x} has {}, which do not execute it: {}",
                           line_of(*e.launch.program, e.index), members, lanes_text(members & absent),
                           place(e));
      });
    if (i.op != Opcode::shfl) continue;
    const int source =
        source_lane(i.modifiers.shuffle, lane, value_of(e, i.src[1], lane), value_of(e, i.src[2], lane));
    const bool takes = source >= 0 && ((e.executing & members) >> source & 1u) == 0;
    if (takes) taken_ |= 1u << lane;
    if (!takes && (had >> (source < 0 ? lane : source) & 1u) != 0) moved_ |= 1u << lane;
  }
}

void SyncCheck::follow(const ExecutedInstruction& e) {
  const auto absent = cta_of(e).absent.find(e.warp);
  if (absent == ctas_[e.cta].absent.end() || !absent->second.any()) return;
  const AbsentValues::Use use = absent->second.before(e);
  if (use.lanes == 0) return;
  const isa::Program& program = *e.launch.program;
  findings_.report(CheckKind::sync, program, use.shuffle, kSource, [&] {
    return fmt::format(
        "{} reads a lane that does not execute it or is not in the member mask, and {} uses "
        "the value: {} of {}",
        line_of(program, use.shuffle), line_of(program, e.index), lanes_text(use.lanes), place(e));
  });
}

void SyncCheck::noted(const ExecutedInstruction& e) {
  if (!isa::is_jump_note(e.instruction)) return;
  const Operand& index = e.instruction.src[isa::kJumpIndex];
  const std::uint64_t targets = e.instruction.src[isa::kJumpTargets].value;
  for (LaneMask left = e.active; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    if (value_of(e, index, lane) < targets) continue;
    report(e, kJump, [&] {
      return fmt::format("line {}: brx.idx with index {} of {} targets: lane {} of {}",
                         e.instruction.location.ptx_line, value_of(e, index, lane), targets, lane, place(e));
    });
    return;
  }
}

void SyncCheck::arrived(const ExecutedInstruction& e, std::uint32_t barrier) {
  Waiting& waiting = cta_of(e).barriers[barrier];
  waiting.pc = e.index;
  ++waiting.warps;
}

void SyncCheck::synchronized(std::uint64_t cta, std::uint32_t barrier, std::uint32_t /*released*/) {
  if (const auto found = ctas_.find(cta); found != ctas_.end()) found->second.barriers.erase(barrier);
}

void SyncCheck::after(const ExecutedInstruction& e) {
  auto& absent = cta_of(e).absent;
  if (const auto warp = absent.find(e.warp); taken_ != 0 || (warp != absent.end() && warp->second.any()))
    absent[e.warp].after(e, taken_, moved_);
  if (e.instruction.op != Opcode::exit || e.executing == 0 || !e.paths->empty()) return;
  Cta& cta = cta_of(e);
  if (++cta.ended != e.launch.warps_per_cta()) return;
  for (const auto& [barrier, waiting] : cta.barriers)
    findings_.report(CheckKind::sync, *e.launch.program, waiting.pc, kLeft, [&, b = barrier, w = waiting] {
      return fmt::format("{}: CTA {} ends while barrier {} has {} arrivals and is not met",
                         line_of(*e.launch.program, w.pc), e.cta, b, w.warps);
    });
  ctas_.erase(e.cta);
}

}  // namespace heddle::reference
