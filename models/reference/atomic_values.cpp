#include "models/reference/atomic_values.h"

#include <bit>
#include <cstring>

#include "models/isa/address_map.h"
#include "models/isa/matrix_rows.h"

namespace heddle::reference {

using isa::AtomicOp;
using isa::Instruction;
using isa::Opcode;
using isa::Window;

namespace {

bool changes_atomically(const Instruction& i) {
  return (i.op == Opcode::atom || i.op == Opcode::red) && !isa::is_mbarrier(i);
}

bool commutes(const Instruction& i) {
  const AtomicOp op = i.modifiers.atomic;
  return op != AtomicOp::exch && op != AtomicOp::cas && !isa::is_float(i.type);
}

bool crosses_lanes(const Instruction& i) {
  switch (i.op) {
    case Opcode::shfl:
    case Opcode::vote:
    case Opcode::match:
    case Opcode::redux:
    case Opcode::bar:
    case Opcode::mma:
    case Opcode::movmatrix:
      return true;
    default:
      return isa::moves_matrices(i);
  }
}

template <class Call>
void for_each_lane(LaneMask lanes, Call call) {
  for (; lanes != 0; lanes &= lanes - 1) call(std::countr_zero(lanes));
}

}  // namespace

AtomicValues::Warp& AtomicValues::warp_of(const ExecutedInstruction& e) {
  if (launch_.begins(e)) {
    warps_.clear();
    others_.clear();
    first_.clear();
  }
  Warp& warp = warps_[{e.cta, e.warp}];
  warp.registers.resize(std::max(warp.registers.size(), e.registers.size()));
  warp.predicates.resize(std::max(warp.predicates.size(), e.predicates.size()));
  return warp;
}

LaneMask AtomicValues::lanes_of(const Warp& warp, const isa::Operand& operand) const {
  if (operand.is_pred()) return warp.predicates[operand.pred.value];
  LaneMask lanes = 0;
  if (operand.is_reg())
    for (int w = 0; w < operand.words(); ++w)
      lanes |= warp.registers[operand.reg.value + static_cast<std::size_t>(w)];
  return lanes;
}

LaneMask AtomicValues::read_by(const Warp& warp, const ExecutedInstruction& e) const {
  LaneMask lanes = e.instruction.guard.present ? warp.predicates[e.instruction.guard.pred.value] : 0;
  for (const isa::Operand& o : e.instruction.sources()) lanes |= lanes_of(warp, o);
  lanes &= e.active;
  return lanes != 0 && crosses_lanes(e.instruction) ? e.active : lanes;
}

bool AtomicValues::is_marked(const ExecutedInstruction& e, int lane, std::uint64_t word) const {
  const Window window = isa::window_of(word * 4);
  if (window == Window::global) return global_.contains(word);
  const bool local = window == Window::local;
  return others_.contains({e.cta, local ? e.warp * kLanes + static_cast<std::uint32_t>(lane) : 0, word});
}

void AtomicValues::mark(const ExecutedInstruction& e, int lane, std::uint64_t word, bool follows) {
  const Window window = isa::window_of(word * 4);
  if (window == Window::global) {
    follows ? void(global_.insert(word)) : void(global_.erase(word));
    return;
  }
  const bool local = window == Window::local;
  const Place place{e.cta, local ? e.warp * kLanes + static_cast<std::uint32_t>(lane) : 0, word};
  follows ? void(others_.insert(place)) : void(others_.erase(place));
}

void AtomicValues::note_atomic(const ExecutedInstruction& e, int lane, std::uint64_t word) {
  if (!commutes(e.instruction)) mark(e, lane, word, true);
  const std::pair warp{e.cta, e.warp};
  const bool shared = isa::window_of(word * 4) == Window::shared;
  const auto [at, is_new] = first_.try_emplace(shared ? word ^ e.cta << 32 : word, warp);
  if (!is_new && at->second != warp) several_ = true;
  if (!is_new && at->second.first != e.cta && !shared && !e.launch.cooperative)
    contended_[e.launch.id.value].insert(word);
}

void AtomicValues::observe_again() {
  launch_.forget();
  global_.clear();
}

void AtomicValues::accessed(const ExecutedInstruction& e, std::span<const std::uint64_t, kLanes> addresses) {
  const Instruction& i = e.instruction;
  const Warp& warp = warp_of(e);
  const LaneMask follows = read_by(warp, e);
  const auto contended = contended_.find(e.launch.id.value);
  const auto is_contended = [&](std::uint64_t word) {
    return i.op == Opcode::ld && contended != contended_.end() && contended->second.contains(word);
  };
  const std::uint64_t bytes =
      e.texel_bytes != 0 ? e.texel_bytes : std::uint64_t{i.memory.element_bytes} * i.memory.elements;
  for_each_lane(e.executing, [&](int lane) {
    const LaneMask bit = 1u << lane;
    const std::uint64_t begin = addresses[static_cast<std::size_t>(lane)], end = begin + bytes;
    for (std::uint64_t word = begin / 4; word * 4 < end; ++word) {
      const bool whole = word * 4 >= begin && word * 4 + 4 <= end;
      if (changes_atomically(i)) note_atomic(e, lane, word);
      if (i.op == Opcode::st ? (whole || follows & bit) : (changes_atomically(i) && follows & bit))
        mark(e, lane, word, follows & bit);
      else if (is_marked(e, lane, word) || is_contended(word) || changes_atomically(i))
        loaded_ |= bit;
    }
    if (changes_atomically(i)) loaded_ |= bit;
  });
  if (isa::moves_matrices(i) && loaded_ != 0) loaded_ = kAllLanes;
}

void AtomicValues::after(const ExecutedInstruction& e) {
  Warp& warp = warp_of(e);
  const LaneMask follows = read_by(warp, e) | loaded_;
  loaded_ = 0;
  const auto write = [&](LaneMask& lanes) { lanes = (lanes & ~e.executing) | follows; };
  for (const isa::Operand& o : e.instruction.destinations()) {
    if (o.is_pred()) write(warp.predicates[o.pred.value]);
    for (int w = 0; o.is_reg() && w < o.words(); ++w)
      write(warp.registers[o.reg.value + static_cast<std::size_t>(w)]);
  }
}

bool AtomicValues::explain(std::uint64_t address, std::span<const std::uint8_t> actual,
                           std::span<const std::uint8_t> expected) const {
  if (!several_) return false;
  for (std::uint64_t at = 0; at < expected.size();) {
    const std::uint64_t word = (address + at) / 4;
    const std::uint64_t end = std::min<std::uint64_t>((word + 1) * 4 - address, expected.size());
    if (std::memcmp(actual.data() + at, expected.data() + at, end - at) != 0 && !global_.contains(word))
      return false;
    at = end;
  }
  return true;
}

}  // namespace heddle::reference
