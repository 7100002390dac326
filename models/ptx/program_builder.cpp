#include "models/ptx/program_builder.h"

#include <algorithm>
#include <map>

#include "models/core/error.h"
#include "models/isa/address_map.h"
#include "models/ptx/align.h"
#include "models/ptx/call_parameters.h"

namespace heddle::ptx {
namespace {

constexpr std::size_t kMostInstructions = 400'000;  // limit on the instructions of a kernel after inlining
constexpr std::uint64_t kDynamicSharedAlignment = 16;

}  // namespace

isa::Operand ProgramBuilder::new_register(int bits, const std::string& name) {
  const RegId reg_id(static_cast<std::uint32_t>(register_names_.size()));
  const isa::Operand reg = isa::Operand::make_reg(reg_id, bits);
  if (bits > 64) {
    for (int word = 0; word < bits / 32; ++word) register_names_.push_back(name + "." + std::to_string(word));
  } else if (bits == 64) {
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

void ProgramBuilder::note_writers() const {
  register_writers_.resize(register_names_.size());
  storage_writers_.resize(storages_.size());
  const auto note = [this](Writers& writers) {
    if (writers.count == 0) writers.first = noted_;
    writers.count = std::min(writers.count + 1, 2u);
  };
  for (; noted_ < items_.size(); ++noted_) {
    const Item& item = items_[noted_];
    for (const isa::Operand& written : item.instruction.destinations())
      if (written.is_reg()) note(register_writers_[written.reg.value]);
    if (item.storage != kNone && item.instruction.op != isa::Opcode::ld)
      note(storage_writers_[static_cast<std::size_t>(item.storage)]);
  }
}

std::optional<std::uint64_t> ProgramBuilder::constant(const isa::Operand& operand, int depth) const {
  constexpr int kDeepest = 16;
  if (operand.kind == isa::Operand::Kind::immediate) return operand.value;
  if (!operand.is_reg() || depth == kDeepest) return std::nullopt;
  note_writers();
  const Writers writers = register_writers_[operand.reg.value];
  if (writers.count != 1 || items_[writers.first].instruction.guard.present) return std::nullopt;
  const Item& only = items_[writers.first];
  const isa::Instruction& i = only.instruction;
  if (only.storage != kNone)
    return i.op == isa::Opcode::ld &&
                   storages_[static_cast<std::size_t>(only.storage)].kind == Storage::Kind::call_parameter
               ? stored_constant(only.storage, depth + 1)
               : std::nullopt;
  if (i.op == isa::Opcode::mov || i.op == isa::Opcode::cvta) return constant(i.src[0], depth + 1);
  if (i.op != isa::Opcode::add) return std::nullopt;
  const auto a = constant(i.src[0], depth + 1), b = constant(i.src[1], depth + 1);
  return a && b ? std::optional(*a + *b) : std::nullopt;
}

std::optional<std::uint64_t> ProgramBuilder::stored_constant(StorageId id, int depth) const {
  note_writers();
  const Writers writers = storage_writers_[static_cast<std::size_t>(id)];
  if (writers.count != 1) return std::nullopt;
  const isa::Instruction& only = items_[writers.first].instruction;
  if (only.op != isa::Opcode::st || only.guard.present || only.memory.elements != 1 ||
      only.src[0].value != 0 || only.memory.offset != 0)
    return std::nullopt;
  return constant(only.src[1], depth + 1);
}

std::vector<std::pair<std::uint64_t, std::uint64_t>> ProgramBuilder::stored_pieces(StorageId id) const {
  std::map<std::uint64_t, std::uint64_t> pieces;
  for (const Item& item : items_) {
    if (item.storage != id) continue;
    const isa::Instruction& i = item.instruction;
    if (!accesses_storage(i)) return {};
    if (i.op == isa::Opcode::st)
      for (unsigned e = 0; e < i.memory.elements; ++e)
        pieces[i.src[0].value + e * i.memory.element_bytes] = i.memory.element_bytes;
  }
  return {pieces.begin(), pieces.end()};
}

void ProgramBuilder::emit(Item item) {
  if (items_.size() == kMostInstructions)
    throw Error(source_->file, "the kernel has more than " + std::to_string(kMostInstructions) +
                                   " instructions once its calls are inlined");
  if (item.instruction.location.ptx_line == 0) item.instruction.location = location_;
  items_.push_back(item);
}

void ProgramBuilder::branch(LabelId target, const isa::Guard& guard, bool uniform) {
  Item item;
  item.instruction.op = isa::Opcode::bra;
  item.instruction.guard = guard;
  item.instruction.uniform = uniform;
  item.target = target;
  emit(item);
}

void ProgramBuilder::reserve_local(std::uint64_t bytes) { local_bytes_ = std::max(local_bytes_, bytes); }

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

void ProgramBuilder::place_storage(isa::Program& program, CallStack& frames) {
  place_shared(program);
  for (Storage& s : storages_) {
    const bool in_memory =
        s.kind == Storage::Kind::local || (s.kind == Storage::Kind::call_parameter && s.address_taken);
    if (!in_memory) continue;
    local_bytes_ = align_up(local_bytes_, s.align);
    s.address = isa::kLocalWindow + local_bytes_;
    local_bytes_ += s.bytes;
  }
  if (frames.used()) {
    constexpr std::uint64_t kAlignment = 16;
    local_bytes_ = align_up(local_bytes_, kAlignment);
    frames.resolve(items_, isa::kLocalWindow + local_bytes_);
    local_bytes_ += frames.room();
  }
  if (local_bytes_ > isa::kWindowBytes - 4)
    throw Error(source_->file, "the kernel's local memory exceeds its window", "up to 16 MiB a thread");
  program.local_bytes = static_cast<std::uint32_t>(align_up(local_bytes_, 4));
}

void ProgramBuilder::place_frames(CallStack& frames) {
  if (!frames.used()) return;
  std::vector<std::size_t> positions;
  for (const Label& label : labels_) positions.push_back(label.position);
  frames.save_registers(items_, positions);
  for (std::size_t k = 0; k < labels_.size(); ++k) labels_[k].position = positions[k];
}

void ProgramBuilder::finish(isa::Program& program, CallStack& frames) {
  CallParameters parameters(items_, storages_);
  const auto moved =
      parameters.promote([this](int bits, const std::string& name) { return new_register(bits, name); });
  for (Label& label : labels_) label.position = moved[label.position];
  for (std::size_t f = 0; f < frames.size(); ++f) {
    StackedFunction& function = frames.at(static_cast<int>(f));
    function.begin = moved[function.begin];
    function.end = moved[function.end];
  }
  place_frames(frames);
  place_storage(program, frames);
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
      if (s.kind == Storage::Kind::call_parameter && accesses_storage(i)) i.memory.space = isa::Space::local;
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
