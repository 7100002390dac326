#include "models/compiler/spill.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "models/compiler/rewrite.h"
#include "models/compiler/use_def.h"
#include "models/isa/address_map.h"

namespace heddle::compiler {
namespace {

using isa::DataType;
using isa::Instruction;
using isa::Opcode;
using isa::Operand;

bool is_constant_in_a_launch(const Operand& o) {
  switch (o.kind) {
    case Operand::Kind::immediate:
    case Operand::Kind::param:
      return true;
    case Operand::Kind::special:
      switch (o.special) {
        case isa::SpecialRegister::clock:
        case isa::SpecialRegister::clock_hi:
        case isa::SpecialRegister::clock64:
        case isa::SpecialRegister::globaltimer:
        case isa::SpecialRegister::globaltimer_lo:
        case isa::SpecialRegister::globaltimer_hi:
          return false;
        default:
          return true;
      }
    default:
      return false;
  }
}

// Running it again anywhere gives the same value.
bool is_repeatable(const Instruction& i) {
  if (i.guard.present || i.num_dst != 1 || i.num_src != 1 || i.src[0].negated) return false;
  if (i.op == Opcode::mov) return is_constant_in_a_launch(i.src[0]);
  return i.op == Opcode::ld && i.memory.space == isa::Space::param &&
         i.src[0].kind == Operand::Kind::immediate;
}

// The parts that both kinds of spilling share: which variables go, and the walk over the instructions.
class Spiller {
 public:
  Spiller(isa::Program& program, const Variables& variables, const std::vector<int>& spilled,
          Temporaries& temporaries, RegisterClass cls)
      : program_(program), variables_(variables), temporaries_(temporaries), cls_(cls) {
    chosen_.assign(variables.size.size(), false);
    constant_.resize(variables.size.size());
    for (const int v : spilled) chosen_[static_cast<std::size_t>(v)] = true;
    find_constants();
  }
  virtual ~Spiller() = default;

  void run(const std::vector<int>& spilled) {
    std::vector<int> homeless;
    for (const int v : spilled)
      if (!constant_[static_cast<std::size_t>(v)]) homeless.push_back(v);
    make_homes(homeless);
    rewrite(program_, [this](std::size_t, const Instruction& i, Replacement& out) { replace(i, out); });
  }

 protected:
  struct Use {
    int variable = 0;
    std::uint32_t temporary = 0;  // first word, or predicate
    bool read = false, written = false, whole = true;
  };

  virtual void make_homes(const std::vector<int>& spilled) = 0;
  virtual std::uint32_t make_temporary(int variable) = 0;
  virtual void emit_fetch(const Instruction& served, const Use& use, Replacement& out) = 0;
  virtual void emit_store(const Instruction& served, const Use& use, bool guarded, Replacement& out) = 0;
  virtual bool may_guard_store(const Instruction& i) const = 0;

  bool mine(const Operand& o) const { return cls_ == RegisterClass::general ? o.is_reg() : o.is_pred(); }
  int variable(const Operand& o) const {
    return variables_.of[cls_ == RegisterClass::general ? o.reg.value : o.pred.value];
  }
  bool spilled(const Operand& o) const { return mine(o) && chosen_[static_cast<std::size_t>(variable(o))]; }
  void mark(std::uint32_t first, std::uint32_t end) {
    temporaries_.resize(end);
    for (std::uint32_t n = first; n < end; ++n) temporaries_.temporary[n] = temporaries_.fresh[n] = true;
  }
  int size(int v) const { return variables_.size[static_cast<std::size_t>(v)]; }

  isa::Program& program_;
  const Variables& variables_;
  Temporaries& temporaries_;

 private:
  void find_constants() {
    std::vector<int> writes(variables_.size.size(), 0);
    for (const Instruction& i : program_.code)
      for (const Operand& o : i.destinations())
        if (spilled(o)) ++writes[static_cast<std::size_t>(variable(o))];
    for (const Instruction& i : program_.code) {
      if (!is_repeatable(i) || !spilled(i.dst[0])) continue;
      const int v = variable(i.dst[0]);
      const bool whole = cls_ == RegisterClass::predicate || i.dst[0].words() == size(v);
      if (writes[static_cast<std::size_t>(v)] == 1 && whole) constant_[static_cast<std::size_t>(v)] = i;
    }
  }

  Use& use_of(std::vector<Use>& uses, int v) {
    for (Use& u : uses)
      if (u.variable == v) return u;
    Use u;
    u.variable = v;
    u.temporary = make_temporary(v);
    uses.push_back(u);
    return uses.back();
  }

  void rename(Operand& o, std::uint32_t temporary) const {
    if (cls_ == RegisterClass::predicate) {
      o.pred = PredId(temporary);
    } else {
      o.reg = RegId(temporary + variables_.offset[o.reg.value]);
    }
  }

  void replace(const Instruction& old, Replacement& out) {
    if (old.num_dst == 1 && spilled(old.dst[0]) && constant_[static_cast<std::size_t>(variable(old.dst[0]))])
      return;
    Instruction i = old;
    std::vector<Use> uses;
    for (Operand& o : i.sources()) {
      if (!spilled(o)) continue;
      Use& use = use_of(uses, variable(o));
      use.read = true;
      rename(o, use.temporary);
    }
    if (cls_ == RegisterClass::predicate && i.guard.present) {
      const int v = variables_.of[i.guard.pred.value];
      if (chosen_[static_cast<std::size_t>(v)]) {
        Use& use = use_of(uses, v);
        use.read = true;
        i.guard.pred = PredId(use.temporary);
      }
    }
    for (Operand& o : i.destinations()) {
      if (!spilled(o)) continue;
      const int v = variable(o);
      Use& use = use_of(uses, v);
      use.written = true;
      if (cls_ == RegisterClass::general && o.words() != size(v)) use.whole = false;
      rename(o, use.temporary);
    }
    finish(i, uses, out);
  }

  void finish(const Instruction& i, std::vector<Use>& uses, Replacement& out) {
    const bool guarded = i.guard.present && may_guard_store(i);
    for (Use& use : uses) {
      if (use.written && (!use.whole || (i.guard.present && !guarded))) use.read = true;
      if (!use.read) continue;
      for (int k = 0; k < size(use.variable); ++k)
        temporaries_.fresh[use.temporary + static_cast<std::uint32_t>(k)] = false;
      if (const auto& again = constant_[static_cast<std::size_t>(use.variable)]) {
        Instruction copy = *again;
        rename(copy.dst[0], use.temporary);
        copy.location = i.location;
        copy.overhead = true;
        out.emit(copy);
      } else {
        emit_fetch(i, use, out);
      }
    }
    out.emit(i);
    for (const Use& use : uses)
      if (use.written) emit_store(i, use, guarded, out);
  }

  RegisterClass cls_;
  std::vector<bool> chosen_;
  std::vector<std::optional<Instruction>> constant_;
};

class GeneralSpiller : public Spiller {
 public:
  GeneralSpiller(isa::Program& program, const Variables& variables, const InterferenceGraph& graph,
                 const std::vector<int>& spilled, Temporaries& temporaries)
      : Spiller(program, variables, spilled, temporaries, RegisterClass::general),
        graph_(graph),
        slot_(variables.size.size(), kNoSlot) {}

 protected:
  // Pairs first, so that slots stay aligned. The first slot of the right size that no neighbour has is taken.
  void make_homes(const std::vector<int>& spilled) override {
    for (const int words : {2, 1}) {
      const auto bytes = static_cast<std::uint32_t>(4 * words);
      const std::uint32_t base = (program_.local_bytes + bytes - 1) / bytes * bytes;
      std::uint32_t end = base;
      for (const int v : spilled) {
        if (size(v) != words) continue;
        const std::uint32_t slot = free_slot(v, base, bytes);
        slot_[static_cast<std::size_t>(v)] = slot;
        end = std::max(end, slot + bytes);
      }
      if (end != base) program_.local_bytes = end;
    }
  }

  std::uint32_t make_temporary(int v) override {
    const std::uint32_t first = program_.registers;
    program_.registers += static_cast<std::uint32_t>(size(v));
    mark(first, program_.registers);
    return first;
  }

  void emit_fetch(const Instruction& served, const Use& use, Replacement& out) override {
    Instruction i = access(served, use, Opcode::ld);
    i.add_dst(datum(use));
    out.emit(i);
  }

  void emit_store(const Instruction& served, const Use& use, bool guarded, Replacement& out) override {
    Instruction i = access(served, use, Opcode::st);
    i.add_src(datum(use));
    if (guarded) i.guard = served.guard;
    out.emit(i);
  }

  bool may_guard_store(const Instruction& i) const override { return !writes_predicates(i); }

 private:
  std::uint32_t free_slot(int v, std::uint32_t base, std::uint32_t bytes) const {
    std::vector<std::uint32_t> taken;
    for (const int u : graph_.neighbours[static_cast<std::size_t>(v)])
      if (const std::uint32_t slot = slot_[static_cast<std::size_t>(u)]; slot != kNoSlot)
        taken.push_back(slot);
    std::sort(taken.begin(), taken.end());
    std::uint32_t slot = base;
    for (const std::uint32_t t : taken)
      if (t == slot) slot += bytes;
    return slot;
  }
  Operand datum(const Use& use) const {
    return Operand::make_reg(RegId(use.temporary), size(use.variable) == 2 ? 64 : 32);
  }
  Instruction access(const Instruction& served, const Use& use, Opcode op) const {
    const bool wide = size(use.variable) == 2;
    Instruction i = make_overhead(served, op, wide ? DataType::b64 : DataType::b32);
    i.memory.space = isa::Space::local;
    i.memory.element_bytes = wide ? 8 : 4;
    i.add_src(Operand::make_immediate(isa::kLocalWindow + slot_[static_cast<std::size_t>(use.variable)], 64));
    return i;
  }

  static constexpr std::uint32_t kNoSlot = ~std::uint32_t{0};
  const InterferenceGraph& graph_;
  std::vector<std::uint32_t> slot_;  // by variable, bytes from the start of local memory
};

class PredicateSpiller : public Spiller {
 public:
  PredicateSpiller(isa::Program& program, const Variables& variables, const std::vector<int>& spilled,
                   Temporaries& temporaries)
      : Spiller(program, variables, spilled, temporaries, RegisterClass::predicate),
        home_(variables.size.size()) {}

 protected:
  void make_homes(const std::vector<int>& spilled) override {
    for (const int v : spilled) home_[static_cast<std::size_t>(v)] = program_.registers++;
  }

  std::uint32_t make_temporary(int) override {
    const std::uint32_t p = program_.predicates++;
    mark(p, program_.predicates);
    return p;
  }

  void emit_fetch(const Instruction& served, const Use& use, Replacement& out) override {
    Instruction i = make_overhead(served, Opcode::setp, DataType::u32);
    i.modifiers.compare = isa::Compare::ne;
    i.add_dst(Operand::make_pred(PredId(use.temporary)));
    i.add_src(home(use));
    i.add_src(Operand::make_immediate(0, 32));
    out.emit(i);
  }

  void emit_store(const Instruction& served, const Use& use, bool guarded, Replacement& out) override {
    Instruction i = make_overhead(served, Opcode::selp, DataType::b32);
    i.add_dst(home(use));
    i.add_src(Operand::make_immediate(1, 32));
    i.add_src(Operand::make_immediate(0, 32));
    i.add_src(Operand::make_pred(PredId(use.temporary)));
    if (guarded) i.guard = served.guard;
    out.emit(i);
  }

  bool may_guard_store(const Instruction& i) const override {
    for (const Operand& o : i.destinations())
      if (o.is_pred() && i.guard.present && o.pred == i.guard.pred) return false;
    return true;
  }

 private:
  Operand home(const Use& use) const {
    return Operand::make_reg(RegId(home_[static_cast<std::size_t>(use.variable)]), 32);
  }

  std::vector<std::uint32_t> home_;
};

}  // namespace

void spill_general(isa::Program& program, const Variables& variables, const InterferenceGraph& graph,
                   const std::vector<int>& spilled, Temporaries& temporaries) {
  GeneralSpiller(program, variables, graph, spilled, temporaries).run(spilled);
}

void spill_predicates(isa::Program& program, const Variables& variables, const std::vector<int>& spilled,
                      Temporaries& temporaries) {
  PredicateSpiller(program, variables, spilled, temporaries).run(spilled);
}

}  // namespace heddle::compiler
