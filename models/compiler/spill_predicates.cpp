#include "models/compiler/spiller.h"

namespace heddle::compiler {
namespace {

using isa::DataType;
using isa::Instruction;
using isa::Opcode;
using isa::Operand;

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
    mark_temporaries(p, program_.predicates);
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

void spill_predicates(isa::Program& program, const Variables& variables, const std::vector<int>& spilled,
                      Temporaries& temporaries) {
  PredicateSpiller(program, variables, spilled, temporaries).run(spilled);
}

}  // namespace heddle::compiler
