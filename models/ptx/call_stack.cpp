#include "models/ptx/call_stack.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "models/isa/address_map.h"
#include "models/isa/type_of_width.h"
#include "models/ptx/align.h"

namespace heddle::ptx {

using namespace isa;

namespace {

constexpr std::uint64_t kFrameAlignment = 16;

/// Finds the registers and predicates that a function with a stack frame must save around its calls: those that
/// are live where a call returns. Liveness is followed for each register from its uses back to its definitions.
/// This is fast, because most registers are live in a single block.
class NeededRegisters {
 public:
  NeededRegisters(const std::vector<Item>& items, const std::vector<std::size_t>& labels,
                  const StackedFunction& f)
      : items_(items), labels_(labels), f_(f) {
    number_operands();
    find_blocks();
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      note_accesses(b);
      each_successor(blocks_[b], [&](std::size_t next) { blocks_[next].predecessors.push_back(b); });
    }
    for (std::size_t k = 0; k < operands_.size(); ++k) follow(k);
  }
  const std::vector<Operand>& at(std::size_t item) const { return blocks_[block_at_[item - f_.begin]].live; }

 private:
  struct Block {
    std::size_t begin = 0, end = 0;
    bool is_returned_to = false;
    std::vector<std::size_t> predecessors;
    std::vector<Operand> live;
  };
  struct Accesses {
    std::vector<std::size_t> readers, setters;
  };

  template <class Fn>
  void each_operand(std::size_t at, Fn fn) const {
    const Instruction& i = items_[at].instruction;
    for (const auto operands : {i.sources(), i.destinations()})
      for (const Operand& o : operands)
        if (o.is_reg() || o.is_pred()) fn(o);
    if (i.guard.present) fn(Operand::make_pred(i.guard.pred));
  }

  void number_operands() {
    std::map<std::uint32_t, int> registers;
    std::set<std::uint32_t> predicates;
    for (std::size_t at = f_.begin; at < f_.end; ++at)
      each_operand(at, [&](const Operand& o) {
        if (o.is_reg())
          registers[o.reg.value] = std::max<int>(registers[o.reg.value], o.bits);
        else
          predicates.insert(o.pred.value);
      });
    for (const auto& [reg, bits] : registers) {
      register_number_[reg] = operands_.size();
      operands_.push_back(Operand::make_reg(RegId(reg), bits));
    }
    for (const std::uint32_t pred : predicates) {
      predicate_number_[pred] = operands_.size();
      operands_.push_back(Operand::make_pred(PredId(pred)));
    }
    accesses_.resize(operands_.size());
  }
  std::size_t number_of(const Operand& o) const {
    return o.is_pred() ? predicate_number_.at(o.pred.value) : register_number_.at(o.reg.value);
  }
  bool is_inside(std::size_t item) const { return item >= f_.begin && item < f_.end; }

  void find_blocks() {
    enum : std::uint8_t { kNoBlock, kBlock, kReturn };
    std::vector<std::uint8_t> begins(f_.end - f_.begin + 1, kNoBlock);
    begins[0] = kBlock;
    const auto mark = [&](std::size_t item, std::uint8_t kind) {
      if (is_inside(item)) begins[item - f_.begin] = std::max(begins[item - f_.begin], kind);
    };
    for (std::size_t at = f_.begin; at < f_.end; ++at) {
      const Item& item = items_[at];
      if (item.target != kNone) mark(labels_[static_cast<std::size_t>(item.target)], kBlock);
      if (item.returns != kNone) mark(labels_[static_cast<std::size_t>(item.returns)], kReturn);
      const Opcode op = item.instruction.op;
      if (op == Opcode::bra || op == Opcode::exit || op == Opcode::trap) mark(at + 1, kBlock);
    }
    block_at_.resize(f_.end - f_.begin);
    for (std::size_t at = f_.begin; at < f_.end; ++at) {
      const std::uint8_t kind = begins[at - f_.begin];
      if (kind != kNoBlock) {
        blocks_.emplace_back();
        blocks_.back().begin = at;
        blocks_.back().is_returned_to = kind == kReturn;
      }
      blocks_.back().end = at + 1;
      block_at_[at - f_.begin] = blocks_.size() - 1;
    }
  }

  void note_accesses(std::size_t b) {
    const auto is_last = [b](const std::vector<std::size_t>& list) {
      return !list.empty() && list.back() == b;
    };
    const auto read = [&](const Operand& o) {
      if (!o.is_reg() && !o.is_pred()) return;
      Accesses& a = accesses_[number_of(o)];
      if (!is_last(a.setters) && !is_last(a.readers)) a.readers.push_back(b);
    };
    for (std::size_t at = blocks_[b].begin; at < blocks_[b].end; ++at) {
      const Instruction& i = items_[at].instruction;
      for (const Operand& o : i.sources()) read(o);
      if (i.guard.present) {
        read(Operand::make_pred(i.guard.pred));
        continue;
      }
      for (const Operand& o : i.destinations())
        if (o.is_reg() || o.is_pred())
          if (Accesses& a = accesses_[number_of(o)]; !is_last(a.setters)) a.setters.push_back(b);
    }
  }

  template <class Fn>
  void each_successor(const Block& block, Fn fn) const {
    const Item& item = items_[block.end - 1];
    const Instruction& i = item.instruction;
    const LabelId target = item.returns != kNone ? item.returns : item.target;
    if (i.op == Opcode::bra && target != kNone) {
      const std::size_t to = labels_[static_cast<std::size_t>(target)];
      if (is_inside(to)) fn(block_at_[to - f_.begin]);
      if (!i.guard.present) return;
    } else if ((i.op == Opcode::exit || i.op == Opcode::trap) && !i.guard.present) {
      return;
    }
    if (block.end < f_.end) fn(block_at_[block.end - f_.begin]);
  }

  void follow(std::size_t k) {
    live_in_.resize(blocks_.size(), kUnmarked);
    set_by_.resize(blocks_.size(), kUnmarked);
    for (const std::size_t b : accesses_[k].setters) set_by_[b] = k;
    std::vector<std::size_t> open = accesses_[k].readers;
    while (!open.empty()) {
      const std::size_t b = open.back();
      open.pop_back();
      if (live_in_[b] == k) continue;
      live_in_[b] = k;
      if (blocks_[b].is_returned_to) blocks_[b].live.push_back(operands_[k]);
      for (const std::size_t before : blocks_[b].predecessors)
        if (set_by_[before] != k) open.push_back(before);
    }
  }

  static constexpr std::size_t kUnmarked = ~std::size_t{0};
  const std::vector<Item>& items_;
  const std::vector<std::size_t>& labels_;
  const StackedFunction& f_;
  std::vector<Operand> operands_;
  std::vector<Accesses> accesses_;
  std::unordered_map<std::uint32_t, std::size_t> register_number_, predicate_number_;
  std::vector<Block> blocks_;
  std::vector<std::size_t> block_at_;
  std::vector<std::size_t> live_in_, set_by_;
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

Item at(const Item& call, Item item, const Operand& to) {
  item.instruction.location = call.instruction.location;
  item.instruction.add_dst(to);
  return item;
}

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

void CallStack::save_registers(std::vector<Item>& items, std::vector<std::size_t>& labels) {
  std::map<std::size_t, Saved> saves;
  for (StackedFunction& f : functions_) {
    if (f.begin == f.end) continue;
    const NeededRegisters needed(items, labels, f);
    for (std::size_t at = f.begin; at < f.end; ++at) {
      if (items[at].returns == kNone || items[at].instruction.op == Opcode::bra) continue;
      std::vector<Operand> values;
      for (const Operand& o : needed.at(labels[static_cast<std::size_t>(items[at].returns)]))
        if (o.is_pred() || o.reg.value != pointer.reg.value) values.push_back(o);
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
