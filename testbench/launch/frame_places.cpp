#include "testbench/launch/frame_places.h"

#include <algorithm>
#include <bit>
#include <iterator>

#include "models/isa/address_map.h"
#include "models/isa/kept_calls.h"

namespace heddle::launch {
namespace {

using isa::Instruction;
using isa::Opcode;
using isa::Operand;

std::uint64_t local_address(std::uint64_t base, const Instruction& i, int element) {
  return base + static_cast<std::uint64_t>(i.memory.offset) + element_offset(i, element);
}

}  // namespace

FramePlaces::FramePlaces(const isa::Program& program)
    : registers_(program.registers), definitions_(program.registers) {
  for (const Instruction& i : program.code)
    for (const Operand& written : i.destinations())
      if (written.is_reg()) {
        definitions_[written.reg.value].only = &i;
        ++definitions_[written.reg.value].count;
      }
  const auto frame = std::find(program.register_names.begin(), program.register_names.end(), isa::kFrameName);
  if (frame != program.register_names.end())
    moving_ = static_cast<std::uint32_t>(frame - program.register_names.begin());
  for (const Instruction& i : program.code) find(i);
  for (auto place = places_.begin(); place != places_.end(); ++place)
    if (const auto next = std::next(place);
        next != places_.end() && next->first < place->first + place->second.bytes)
      place->second.bytes = next->second.bytes = 0;
}

void FramePlaces::find(const Instruction& i) {
  if (i.op != Opcode::ld && i.op != Opcode::st) return;
  const auto address = constant(i.src[0]);
  if (!address || isa::window_of(*address) != isa::Window::local) return;
  for (int e = 0; e < elements_of(i); ++e) {
    const auto behind = static_cast<std::uint32_t>(values());
    const auto at =
        places_.try_emplace(local_address(*address, i, e), Place{i.memory.element_bytes, behind, false})
            .first;
    if (at->second.bytes != i.memory.element_bytes) at->second.bytes = 0;
    at->second.read = at->second.read || i.op == Opcode::ld;
  }
}

std::optional<std::uint64_t> FramePlaces::constant(const Operand& o, int depth) const {
  constexpr int kDeepest = 8;
  if (o.kind == Operand::Kind::immediate) return o.value;
  if (!o.is_reg() || depth == kDeepest) return std::nullopt;
  const Instruction* const only = definitions_[o.reg.value].only;
  if (!only || definitions_[o.reg.value].count != 1 || only->guard.present) return std::nullopt;
  if (only->op == Opcode::mov || only->op == Opcode::cvta) return constant(only->src[0], depth + 1);
  if (only->op != Opcode::add) return std::nullopt;
  const auto left = constant(only->src[0], depth + 1), right = constant(only->src[1], depth + 1);
  return left && right ? std::optional(*left + *right) : std::nullopt;
}

std::optional<Operand> FramePlaces::place(const Instruction& i, int element) const {
  if (moves(i)) {
    const auto width = static_cast<std::uint32_t>(std::countr_zero(unsigned{i.memory.element_bytes}));
    return Operand::make_reg(RegId(registers_ + width), 32);
  }
  const auto address = constant(i.src[0]);
  if (!address) return std::nullopt;
  const auto it = places_.find(local_address(*address, i, element));
  if (it == places_.end() || it->second.bytes == 0) return std::nullopt;
  return Operand::make_reg(RegId(it->second.reg), 32);
}

bool FramePlaces::is_read(const Operand& place) const {
  if (place.reg.value < registers_ + kWidths) return true;
  return std::any_of(places_.begin(), places_.end(),
                     [&](const auto& p) { return p.second.reg == place.reg.value && p.second.read; });
}

}  // namespace heddle::launch
