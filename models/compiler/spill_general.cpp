#include <algorithm>

#include "models/compiler/analyses/use_def.h"
#include "models/compiler/spiller.h"
#include "models/isa/address_map.h"

namespace heddle::compiler {
namespace {

using isa::DataType;
using isa::Instruction;
using isa::Opcode;
using isa::Operand;

class GeneralSpiller : public Spiller {
 public:
  GeneralSpiller(isa::Program& program, const Variables& variables, const InterferenceGraph* graph,
                 const std::vector<int>& spilled, Temporaries& temporaries)
      : Spiller(program, variables, spilled, temporaries, RegisterClass::general),
        graph_(graph),
        slot_(variables.size.size(), kNoSlot) {}

 protected:
  // Assigns a slot of local memory to each spilled variable, the largest first, so that all slots are
  // aligned. A variable gets the first slot of its size that no interfering variable uses.
  void make_homes(const std::vector<int>& spilled) override {
    for (const int words : {8, 4, 2, 1}) {
      const auto bytes = static_cast<std::uint32_t>(4 * words);
      const std::uint32_t base = (program_.local_bytes + bytes - 1) / bytes * bytes;
      std::uint32_t end = base;
      for (const int v : spilled) {
        if (size(v) != words) continue;
        const std::uint32_t slot = graph_ ? free_slot(v, base, bytes) : end;
        slot_[static_cast<std::size_t>(v)] = slot;
        end = std::max(end, slot + bytes);
      }
      if (end != base) program_.local_bytes = end;
    }
  }

  std::uint32_t make_temporary(int v) override {
    const std::uint32_t first = program_.registers;
    program_.registers += static_cast<std::uint32_t>(size(v));
    mark_temporaries(first, program_.registers);
    return first;
  }

  void emit_fetch(const Instruction& served, const Use& use, Replacement& out) override {
    for (int first = 0; first < size(use.variable); first += kWordsAtOnce) {
      Instruction i = access(served, use, Opcode::ld, first);
      for_each_datum(use, first, [&i](const Operand& o) { i.add_dst(o); });
      out.emit(i);
    }
  }

  void emit_store(const Instruction& served, const Use& use, bool guarded, Replacement& out) override {
    for (int first = 0; first < size(use.variable); first += kWordsAtOnce) {
      Instruction i = access(served, use, Opcode::st, first);
      for_each_datum(use, first, [&i](const Operand& o) { i.add_src(o); });
      if (guarded) i.guard = served.guard;
      out.emit(i);
    }
  }

  bool may_guard_store(const Instruction& i) const override { return !writes_predicates(i); }

 private:
  std::uint32_t free_slot(int v, std::uint32_t base, std::uint32_t bytes) const {
    std::vector<std::uint32_t> taken;
    for (const int u : graph_->neighbours[static_cast<std::size_t>(v)])
      if (const std::uint32_t slot = slot_[static_cast<std::size_t>(u)]; slot != kNoSlot)
        taken.push_back(slot);
    std::sort(taken.begin(), taken.end());
    std::uint32_t slot = base;
    for (const std::uint32_t t : taken)
      if (t == slot) slot += bytes;
    return slot;
  }
  // Calls f(operand) for each piece of a variable that one load or store can access: one register, a pair, or
  // four registers. `first`: first word of the variable.
  template <class F>
  void for_each_datum(const Use& use, int first, F&& f) const {
    const int words = std::min(size(use.variable), kWordsAtOnce);
    if (words <= 2) return f(Operand::make_reg(RegId(use.temporary), 32 * words));
    for (int w = first; w < first + words; ++w)
      f(Operand::make_reg(RegId(use.temporary + static_cast<std::uint32_t>(w)), 32));
  }
  Instruction access(const Instruction& served, const Use& use, Opcode op, int first) const {
    const bool wide = size(use.variable) == 2;
    Instruction i = make_overhead(served, op, wide ? DataType::b64 : DataType::b32);
    i.memory.space = isa::Space::local;
    i.memory.element_bytes = wide ? 8 : 4;
    if (size(use.variable) > 2) i.memory.elements = kWordsAtOnce;
    const std::uint32_t at =
        slot_[static_cast<std::size_t>(use.variable)] + 4 * static_cast<std::uint32_t>(first);
    i.add_src(Operand::make_immediate(isa::kLocalWindow + at, 64));
    return i;
  }

  static constexpr int kWordsAtOnce = 4;
  static constexpr std::uint32_t kNoSlot = ~std::uint32_t{0};
  const InterferenceGraph* graph_;
  std::vector<std::uint32_t> slot_;
};

}  // namespace

void spill_general(isa::Program& program, const Variables& variables, const InterferenceGraph* graph,
                   const std::vector<int>& spilled, Temporaries& temporaries) {
  GeneralSpiller(program, variables, graph, spilled, temporaries).run(spilled);
}

}  // namespace heddle::compiler
