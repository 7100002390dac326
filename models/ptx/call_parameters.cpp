#include "models/ptx/call_parameters.h"

#include <algorithm>

#include "models/isa/type_of_width.h"

namespace heddle::ptx {
namespace {

using isa::DataType;

std::uint64_t offset_of(const Item& item, int element) {
  return item.instruction.src[0].value +
         static_cast<std::uint64_t>(element) * item.instruction.memory.element_bytes;
}

/// Returns an instruction that copies the low `bits` bits of `from` to `to`. If `to` is wider, the value is
/// sign-extended or zero-extended according to `type`. The copy is always an instruction that PTX defines,
/// mov or cvt.
isa::Instruction make_copy(const isa::Instruction& like, const isa::Operand& to, const isa::Operand& from,
                           int bits, DataType type) {
  isa::Instruction copy;
  copy.guard = like.guard;
  copy.location = like.location;
  copy.add_dst(to);
  copy.add_src(from);
  if (to.bits == bits && from.bits == bits && bits != 8) {
    copy.op = isa::Opcode::mov;
    copy.type = copy.source_type = isa::bit_type(bits);
    return copy;
  }
  const bool extends = to.bits > bits;
  const bool is_signed = extends && isa::is_signed(type);
  copy.op = isa::Opcode::cvt;
  copy.type = isa::integer_type(to.bits, is_signed);
  copy.source_type = isa::integer_type(extends ? bits : from.bits, is_signed);
  return copy;
}

}  // namespace

bool CallParameters::is_parameter(const Item& item) const {
  return item.storage != kNone &&
         storages_[static_cast<std::size_t>(item.storage)].kind == Storage::Kind::call_parameter;
}

void CallParameters::collect() {
  pieces_.resize(storages_.size());
  for (const Item& item : items_) {
    if (!is_parameter(item)) continue;
    const auto id = static_cast<std::size_t>(item.storage);
    if (!accesses_storage(item.instruction)) {
      storages_[id].address_taken = true;
      continue;
    }
    for (int e = 0; e < item.instruction.memory.elements; ++e) {
      Piece& piece = pieces_[id][offset_of(item, e)];
      piece.bytes = std::max<std::uint64_t>(piece.bytes, item.instruction.memory.element_bytes);
    }
  }
}

void CallParameters::check_stores() {
  for (const Item& item : items_) {
    if (!is_parameter(item) || item.instruction.op != isa::Opcode::st) continue;
    const auto id = static_cast<std::size_t>(item.storage);
    for (int e = 0; e < item.instruction.memory.elements; ++e)
      if (pieces_[id].at(offset_of(item, e)).bytes != item.instruction.memory.element_bytes)
        storages_[id].address_taken = true;
  }
}

void CallParameters::check_overlap(const Pieces& pieces, Storage& storage) const {
  std::uint64_t end = 0;
  for (const auto& [offset, piece] : pieces) {
    if (offset < end) storage.address_taken = true;
    end = offset + piece.bytes;
  }
}

std::vector<std::size_t> CallParameters::promote(const NewRegister& new_register) {
  collect();
  check_stores();
  for (std::size_t s = 0; s < storages_.size(); ++s) {
    if (storages_[s].kind != Storage::Kind::call_parameter) continue;
    check_overlap(pieces_[s], storages_[s]);
    if (storages_[s].address_taken) continue;
    for (auto& [offset, piece] : pieces_[s]) {
      const std::string name = storages_[s].name + (offset ? "+" + std::to_string(offset) : "");
      piece.reg = new_register(static_cast<int>(piece.bytes * 8), name);
    }
  }
  std::vector<Item> rewritten;
  rewritten.reserve(items_.size());
  std::vector<std::size_t> moved;
  moved.reserve(items_.size() + 1);
  for (const Item& item : items_) {
    moved.push_back(rewritten.size());
    if (is_parameter(item) && !storages_[static_cast<std::size_t>(item.storage)].address_taken)
      rewrite(item, rewritten);
    else
      rewritten.push_back(item);
  }
  moved.push_back(rewritten.size());
  items_ = std::move(rewritten);
  return moved;
}

void CallParameters::rewrite(const Item& access, std::vector<Item>& into) {
  const isa::Instruction& from = access.instruction;
  const int bits = from.memory.element_bytes * 8;
  for (int e = 0; e < from.memory.elements; ++e) {
    const auto slot = static_cast<std::size_t>(e);
    const isa::Operand& reg = pieces_[static_cast<std::size_t>(access.storage)].at(offset_of(access, e)).reg;
    Item item;
    if (from.op == isa::Opcode::st)
      item.instruction = make_copy(from, reg, from.src[slot + 1], bits, from.type);
    else if (from.dst[slot].kind == isa::Operand::Kind::none)
      continue;
    else
      item.instruction = make_copy(from, from.dst[slot], reg, bits, from.type);
    into.push_back(item);
  }
}

}  // namespace heddle::ptx
