#include "models/ptx/call_stack.h"

#include <algorithm>
#include <map>

#include "models/isa/address_map.h"
#include "models/isa/type_of_width.h"
#include "models/ptx/align.h"

namespace heddle::ptx {

using namespace isa;

namespace {

constexpr std::uint64_t kFrameAlignment = 16;

/// Liveness of registers in one stacked function: the registers that later code may read. A set has one bit
/// per register word, then one per predicate.
class NeededRegisters {
 public:
  NeededRegisters(const std::vector<Item>& items, const std::vector<std::size_t>& labels,
                  const StackedFunction& f, std::size_t registers, std::size_t predicates)
      : items_(items), labels_(labels), f_(f), registers_(registers), live_(f.end - f.begin + 1) {
    for (auto& set : live_) set.assign(registers + predicates, false);
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t at = f.end; at-- > f.begin;) changed |= visit(at);
    }
  }
  /// Live before the item.
  const std::vector<bool>& at(std::size_t item) const { return live_[item - f_.begin]; }

 private:
  std::size_t index_of(const Operand& o) const {
    return o.is_pred() ? registers_ + o.pred.value : o.reg.value;
  }

  /// Calls fn for each item of the function that may follow `at`. The successor of a call is the place where
  /// it returns.
  template <class Fn>
  void each_successor(std::size_t at, Fn fn) const {
    const Item& item = items_[at];
    const Instruction& i = item.instruction;
    const bool ends = i.op == Opcode::exit || i.op == Opcode::trap;
    const LabelId target = item.returns != kNone ? item.returns : item.target;
    if (i.op == Opcode::bra && target != kNone) {
      const std::size_t to = labels_[static_cast<std::size_t>(target)];
      if (to >= f_.begin && to < f_.end) fn(to);
      if (!i.guard.present) return;
    } else if (ends && !i.guard.present) {
      return;
    }
    if (at + 1 < f_.end) fn(at + 1);
  }

  bool visit(std::size_t at) {
    const Instruction& i = items_[at].instruction;
    std::vector<bool> set(live_.front().size(), false);
    each_successor(at, [&](std::size_t to) {
      const std::vector<bool>& next = live_[to - f_.begin];
      for (std::size_t k = 0; k < set.size(); ++k) set[k] = set[k] || next[k];
    });
    if (!i.guard.present)
      for (const Operand& o : i.destinations())
        if (o.is_reg() || o.is_pred()) set[index_of(o)] = false;
    for (const Operand& o : i.sources())
      if (o.is_reg() || o.is_pred()) set[index_of(o)] = true;
    if (i.guard.present) set[registers_ + i.guard.pred.value] = true;
    if (set == live_[at - f_.begin]) return false;
    live_[at - f_.begin] = std::move(set);
    return true;
  }

  const std::vector<Item>& items_;
  const std::vector<std::size_t>& labels_;
  const StackedFunction& f_;
  std::size_t registers_;
  std::vector<std::vector<bool>> live_;
};

Item access(Opcode op, const Item& like, const Operand& pointer, std::uint64_t place, const Operand& value) {
  Item item;
  Instruction& i = item.instruction;
  i.op = op;
  i.type = i.source_type = value.bits == 64   ? DataType::b64
                           : value.bits == 32 ? DataType::b32
                           : value.bits == 16 ? DataType::b16
                                              : DataType::b8;
  i.location = like.instruction.location;
  i.memory.space = Space::local;
  i.memory.element_bytes = static_cast<std::uint8_t>(value.bits / 8);
  i.memory.offset = static_cast<std::int64_t>(place);
  i.add_src(pointer);
  if (op == Opcode::st)
    i.add_src(value);
  else
    i.add_dst(value);
  return item;
}

/// Completes an item with the destination `to` and the location of the call.
Item at(const Item& call, Item item, const Operand& to) {
  item.instruction.location = call.instruction.location;
  item.instruction.add_dst(to);
  return item;
}

/// Code that saves registers before a call and restores them after it, and the size of the saved registers.
struct Saved {
  std::vector<Item> before, behind;
  std::uint64_t bytes = 0;
};

Saved save(const Item& call, const std::vector<Operand>& values, const Operand& pointer, const Operand& word,
           std::uint64_t from) {
  Saved saved;
  std::uint64_t place = from;
  for (const Operand& value : values) {
    const Operand kept = value.is_pred() ? word : value;
    const auto bytes = static_cast<std::uint64_t>(kept.bits / 8);
    place = align_up(place, bytes);
    if (value.is_pred()) saved.before.push_back(at(call, word_of(value), word));
    saved.before.push_back(access(Opcode::st, call, pointer, place, kept));
    saved.behind.push_back(access(Opcode::ld, call, pointer, place, kept));
    if (value.is_pred()) saved.behind.push_back(at(call, predicate_of(word), value));
    place += bytes;
  }
  saved.bytes = place - from;
  return saved;
}

}  // namespace

Item word_of(const Operand& predicate) {
  return make_item(Opcode::selp, DataType::b32,
                   {Operand::make_immediate(1, 32), Operand::make_immediate(0, 32), predicate});
}

Item predicate_of(const Operand& word) {
  Item item = make_item(Opcode::setp, DataType::b32, {word, Operand::make_immediate(0, 32)});
  item.instruction.modifiers.compare = Compare::ne;
  return item;
}

std::uint64_t StackedFunction::place(std::uint64_t bytes, std::uint64_t align) {
  fixed_bytes = align_up(fixed_bytes, std::max<std::uint64_t>(align, 1));
  const std::uint64_t at = fixed_bytes;
  fixed_bytes += bytes;
  return at;
}

std::uint64_t StackedFunction::frame_bytes() const {
  return align_up(fixed_bytes + saved_bytes, kFrameAlignment);
}

std::uint64_t CallStack::room() const {
  std::uint64_t largest = 0;
  for (const StackedFunction& f : functions_)
    if (keeps_calls_) largest = std::max(largest, f.frame_bytes());
  return bytes_ + largest;
}

int CallStack::number_of(const Function& function, int site) {
  for (std::size_t n = 0; n < functions_.size(); ++n)
    if (functions_[n].function == &function && functions_[n].site == site) return static_cast<int>(n);
  functions_.emplace_back();
  functions_.back().function = &function;
  functions_.back().site = site;
  return static_cast<int>(functions_.size()) - 1;
}

void CallStack::save_registers(std::vector<Item>& items, std::vector<std::size_t>& labels,
                               std::uint32_t registers, std::uint32_t predicates) {
  // Width of each register: the largest width with which an item accesses it.
  std::map<std::uint32_t, int> bits;
  for (const Item& item : items)
    for (const auto operands : {item.instruction.sources(), item.instruction.destinations()})
      for (const Operand& o : operands)
        if (o.is_reg()) bits[o.reg.value] = std::max<int>(bits[o.reg.value], o.bits);
  std::map<std::size_t, Saved> saves;  // by the item that moves the frame pointer to the callee's frame
  for (StackedFunction& f : functions_) {
    const NeededRegisters needed(items, labels, f, registers, predicates);
    for (std::size_t at = f.begin; at < f.end; ++at) {
      if (items[at].returns == kNone || items[at].instruction.op == Opcode::bra) continue;
      const std::vector<bool>& live = needed.at(labels[static_cast<std::size_t>(items[at].returns)]);
      std::vector<Operand> values;
      for (std::uint32_t k = 0; k < registers; ++k)
        if (live[k] && k != pointer.reg.value) values.push_back(Operand::make_reg(RegId(k), bits[k]));
      for (std::uint32_t k = 0; k < predicates; ++k)
        if (live[registers + k]) values.push_back(Operand::make_pred(PredId(k)));
      Saved saved = save(items[at], values, pointer, word, f.fixed_bytes);
      f.saved_bytes = std::max(f.saved_bytes, saved.bytes);
      saves.emplace(at, std::move(saved));
    }
  }
  std::vector<Item> written;
  std::vector<std::size_t> moved;
  std::vector<Item> behind;
  for (std::size_t at = 0; at < items.size(); ++at) {
    moved.push_back(written.size());
    if (const auto it = saves.find(at); it != saves.end()) {
      written.insert(written.end(), it->second.before.begin(), it->second.before.end());
      behind = std::move(it->second.behind);
    }
    written.push_back(items[at]);
    if (items[at].restores) {
      written.insert(written.end(), behind.begin(), behind.end());
      behind.clear();
    }
  }
  moved.push_back(written.size());
  items = std::move(written);
  for (std::size_t& label : labels) label = moved[label];
}

void CallStack::resolve(std::vector<Item>& items, std::uint64_t base) const {
  for (Item& item : items) {
    std::uint64_t value = 0;
    if (item.frame != kNone) value = functions_[static_cast<std::size_t>(item.frame)].frame_bytes();
    if (item.stack != Item::Stack::none) value = base + (item.stack == Item::Stack::end ? bytes_ : 0);
    if (value == 0) continue;
    Instruction& i = item.instruction;
    if (i.op == Opcode::ld || i.op == Opcode::st)
      i.memory.offset += static_cast<std::int64_t>(value);
    else
      i.src[static_cast<std::size_t>(i.num_src) - 1].value += value;
  }
}

}  // namespace heddle::ptx
