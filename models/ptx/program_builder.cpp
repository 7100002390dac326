#include "models/ptx/program_builder.h"

#include <algorithm>
#include <tuple>

#include "models/core/error.h"
#include "models/isa/address_map.h"

namespace heddle::ptx {
namespace {

constexpr std::size_t kMostInstructions = 4'000'000;  // inlining must end somewhere
constexpr std::uint64_t kDynamicSharedAlignment = 16;

std::uint64_t align_up(std::uint64_t value, std::uint64_t align) {
  return (value + align - 1) / align * align;
}

struct Chunk {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  auto operator<=>(const Chunk&) const = default;
};

isa::DataType unsigned_type(int bits) {
  switch (bits) {
    case 8:
      return isa::DataType::u8;
    case 16:
      return isa::DataType::u16;
    case 32:
      return isa::DataType::u32;
    default:
      return isa::DataType::u64;
  }
}
isa::DataType signed_type(int bits) {
  switch (bits) {
    case 8:
      return isa::DataType::s8;
    case 16:
      return isa::DataType::s16;
    case 32:
      return isa::DataType::s32;
    default:
      return isa::DataType::s64;
  }
}
isa::DataType bit_type(int bits) {
  switch (bits) {
    case 16:
      return isa::DataType::b16;
    case 32:
      return isa::DataType::b32;
    default:
      return isa::DataType::b64;
  }
}

bool accesses(const isa::Instruction& i) { return i.op == isa::Opcode::ld || i.op == isa::Opcode::st; }

Chunk chunk_of(const Item& item, int element) {
  const auto& memory = item.instruction.memory;
  return {item.instruction.src[0].value + static_cast<std::uint64_t>(element) * memory.element_bytes,
          memory.element_bytes};
}

/// A register copy that takes the low bits of a wider source and extends into a wider destination by `type`.
isa::Instruction make_copy(const isa::Instruction& like, const isa::Operand& to, const isa::Operand& from,
                           int bits, isa::DataType type) {
  isa::Instruction copy;
  copy.guard = like.guard;
  copy.location = like.location;
  copy.add_dst(to);
  if (to.bits == bits && from.bits == bits && bits != 8) {
    copy.op = isa::Opcode::mov;
    copy.type = copy.source_type = bit_type(bits);
    copy.add_src(from);
    return copy;
  }
  copy.op = isa::Opcode::cvt;
  const bool is_signed = isa::is_signed(type);
  copy.type =
      to.bits < from.bits ? unsigned_type(bits) : (is_signed ? signed_type(to.bits) : unsigned_type(to.bits));
  copy.source_type =
      to.bits < from.bits ? unsigned_type(from.bits) : (is_signed ? signed_type(bits) : unsigned_type(bits));
  copy.add_src(from);
  return copy;
}

}  // namespace

isa::Operand ProgramBuilder::new_register(int bits, const std::string& name) {
  const RegId reg_id(static_cast<std::uint32_t>(register_names_.size()));
  const isa::Operand reg = isa::Operand::make_reg(reg_id, bits);
  if (bits == 64) {
    register_names_.push_back(name + ".lo");
    register_names_.push_back(name + ".hi");
  } else {
    register_names_.push_back(name);
  }
  return reg;
}

isa::Operand ProgramBuilder::new_predicate(const std::string& name) {
  predicate_names_.push_back(name);
  return isa::Operand::make_pred(PredId(static_cast<std::uint32_t>(predicate_names_.size() - 1)));
}

isa::Operand ProgramBuilder::carry() {
  if (carry_.kind == isa::Operand::Kind::none) carry_ = new_predicate("cc");
  return carry_;
}

LabelId ProgramBuilder::new_label(std::string name) {
  labels_.push_back({std::move(name), 0});
  return static_cast<LabelId>(labels_.size() - 1);
}

void ProgramBuilder::bind(LabelId label) {
  labels_[static_cast<std::size_t>(label)].position = items_.size();
}

StorageId ProgramBuilder::add_storage(Storage storage) {
  storages_.push_back(std::move(storage));
  return static_cast<StorageId>(storages_.size() - 1);
}

void ProgramBuilder::emit(Item item) {
  if (items_.size() == kMostInstructions)
    throw Error(source_->file, "the kernel has more than " + std::to_string(kMostInstructions) +
                                   " instructions once its calls are inlined");
  if (item.instruction.location.ptx_line == 0) item.instruction.location = location_;
  items_.push_back(std::move(item));
}

void ProgramBuilder::branch(LabelId target, const isa::Guard& guard, bool uniform) {
  Item item;
  item.instruction.op = isa::Opcode::bra;
  item.instruction.guard = guard;
  item.instruction.uniform = uniform;
  item.target = target;
  emit(std::move(item));
}

void ProgramBuilder::reserve_local(std::uint64_t bytes) { local_bytes_ = std::max(local_bytes_, bytes); }

/// Call parameters become registers where every access to a block touches the same pieces of it, so that the
/// pieces don't overlap; a block accessed in other ways, or whose address is taken, stays in memory.
void ProgramBuilder::promote_call_parameters() {
  std::vector<std::vector<Chunk>> chunks(storages_.size());
  for (const Item& item : items_) {
    if (item.storage == kNone) continue;
    Storage& owner = storage(item.storage);
    if (owner.kind != Storage::Kind::call_parameter) continue;
    if (!accesses(item.instruction)) owner.address_taken = true;
    for (int e = 0; accesses(item.instruction) && e < item.instruction.memory.elements; ++e)
      chunks[static_cast<std::size_t>(item.storage)].push_back(chunk_of(item, e));
  }
  std::vector<std::map<Chunk, isa::Operand>> registers(storages_.size());
  for (std::size_t s = 0; s < storages_.size(); ++s) {
    if (storages_[s].kind != Storage::Kind::call_parameter) continue;
    auto& list = chunks[s];
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    for (std::size_t i = 1; i < list.size(); ++i)
      if (list[i - 1].offset + list[i - 1].bytes > list[i].offset) storages_[s].address_taken = true;
    if (storages_[s].address_taken) continue;
    for (const Chunk& chunk : list) {
      const std::string name = storages_[s].name + (chunk.offset ? "+" + std::to_string(chunk.offset) : "");
      registers[s][chunk] = new_register(static_cast<int>(chunk.bytes * 8), name);
    }
  }

  std::vector<Item> items;
  items.reserve(items_.size());
  std::vector<std::size_t> moved(items_.size() + 1);
  for (std::size_t i = 0; i < items_.size(); ++i) {
    moved[i] = items.size();
    const Item& item = items_[i];
    const bool promoted = item.storage != kNone &&
                          storage(item.storage).kind == Storage::Kind::call_parameter &&
                          !storage(item.storage).address_taken;
    if (!promoted) {
      items.push_back(item);
      continue;
    }
    std::vector<isa::Operand> pieces;
    for (int e = 0; e < item.instruction.memory.elements; ++e)
      pieces.push_back(registers[static_cast<std::size_t>(item.storage)].at(chunk_of(item, e)));
    move_into(items, item, pieces);
  }
  moved[items_.size()] = items.size();
  items_ = std::move(items);
  for (Label& label : labels_) label.position = moved[label.position];
}

void ProgramBuilder::move_into(std::vector<Item>& items, const Item& access,
                               const std::vector<isa::Operand>& chunks) {
  const isa::Instruction& from = access.instruction;
  const int bits = from.memory.element_bytes * 8;
  for (std::size_t e = 0; e < chunks.size(); ++e) {
    Item item;
    if (from.op == isa::Opcode::ld) {
      if (from.dst[e].kind == isa::Operand::Kind::none) continue;
      item.instruction = make_copy(from, from.dst[e], chunks[e], bits, from.type);
    } else {
      item.instruction = make_copy(from, chunks[e], from.src[e + 1], bits, from.type);
    }
    items.push_back(std::move(item));
  }
}

void ProgramBuilder::place_shared(isa::Program& program) {
  std::vector<Storage*> order;
  for (Storage& s : storages_)
    if (s.kind == Storage::Kind::shared) order.push_back(&s);
  std::stable_sort(order.begin(), order.end(),
                   [](const Storage* a, const Storage* b) { return a->order < b->order; });
  std::uint64_t end = 0;
  for (Storage* s : order) {
    end = align_up(end, s->align);
    s->address = isa::kSharedWindow + end;
    end += s->bytes;
    if (end > isa::kWindowBytes)
      source_->fail(s->position, "static shared memory exceeds its window", "up to 16 MiB");
  }
  std::uint64_t dynamic_align = 0;
  for (const Storage& s : storages_)
    if (s.kind == Storage::Kind::dynamic_shared)
      dynamic_align = std::max({dynamic_align, s.align, kDynamicSharedAlignment});
  if (dynamic_align > kDynamicSharedAlignment) end = align_up(end, dynamic_align);
  for (Storage& s : storages_)
    if (s.kind == Storage::Kind::dynamic_shared)
      s.address = isa::kSharedWindow + align_up(end, kDynamicSharedAlignment);
  program.shared_bytes = static_cast<std::uint32_t>(end);
}

void ProgramBuilder::place_storage(isa::Program& program) {
  place_shared(program);
  for (Storage& s : storages_) {
    const bool in_memory =
        s.kind == Storage::Kind::local || (s.kind == Storage::Kind::call_parameter && s.address_taken);
    if (!in_memory) continue;
    local_bytes_ = align_up(local_bytes_, s.align);
    s.address = isa::kLocalWindow + local_bytes_;
    local_bytes_ += s.bytes;
  }
  if (local_bytes_ > isa::kWindowBytes - 4)
    throw Error(source_->file, "the kernel's local memory exceeds its window", "up to 16 MiB a thread");
  program.local_bytes = static_cast<std::uint32_t>(align_up(local_bytes_, 4));
}

void ProgramBuilder::finish(isa::Program& program) {
  promote_call_parameters();
  place_storage(program);
  program.labels.assign(items_.size(), {});
  for (const Label& label : labels_)
    if (label.position < items_.size() && program.labels[label.position].empty())
      program.labels[label.position] = label.name;
  program.code.reserve(items_.size());
  for (Item& item : items_) {
    isa::Instruction& i = item.instruction;
    if (item.target != kNone)
      i.target = static_cast<std::int32_t>(labels_[static_cast<std::size_t>(item.target)].position);
    if (item.storage != kNone) {
      const Storage& s = storage(item.storage);
      i.src[static_cast<std::size_t>(item.storage_source)].value += s.address;
      if (s.kind == Storage::Kind::call_parameter && accesses(i)) i.memory.space = isa::Space::local;
    }
    isa::classify(i);
    program.code.push_back(i);
  }
  program.registers = static_cast<std::uint32_t>(register_names_.size());
  program.predicates = static_cast<std::uint32_t>(predicate_names_.size());
  program.register_names = std::move(register_names_);
  program.predicate_names = std::move(predicate_names_);
}

}  // namespace heddle::ptx
