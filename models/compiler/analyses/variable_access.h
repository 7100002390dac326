#pragma once

// Finds the variables (units of register allocation) that an instruction reads and writes.

#include "models/compiler/analyses/block_liveness.h"
#include "models/compiler/analyses/use_def.h"
#include "models/compiler/analyses/variables.h"

namespace heddle::compiler {

class VariableAccess {
 public:
  /// `fresh[w]`: every read of word w follows a write under the same guard. Both references must outlive
  /// this object.
  VariableAccess(const Variables& variables, RegisterClass cls, const std::vector<bool>& fresh)
      : variables_(&variables), cls_(cls), fresh_(&fresh) {}

  bool mine(const isa::Operand& o) const { return cls_ == RegisterClass::general ? o.is_reg() : o.is_pred(); }
  int variable(const isa::Operand& o) const {
    return variables_->of[cls_ == RegisterClass::general ? o.reg.value : o.pred.value];
  }

  template <class F>
  void for_each_read(const isa::Instruction& i, F&& f) const {
    if (cls_ == RegisterClass::predicate && i.guard.present) f(variables_->of[i.guard.pred.value]);
    for (const isa::Operand& o : i.sources())
      if (mine(o)) f(variable(o));
  }

  bool kills(const isa::Instruction& i, const isa::Operand& o) const {
    const int v = variable(o);
    if (cls_ == RegisterClass::general && o.words() != variables_->size[static_cast<std::size_t>(v)])
      return false;
    return writes_all_active_lanes(i) || (*fresh_)[variables_->first[static_cast<std::size_t>(v)]];
  }

  std::size_t count() const { return static_cast<std::size_t>(variables_->count()); }
  int words(int v) const { return variables_->size[static_cast<std::size_t>(v)]; }

 private:
  const Variables* variables_;
  RegisterClass cls_;
  const std::vector<bool>* fresh_;
};

BlockLiveness variable_liveness(const isa::Program& program, const ControlFlow& flow,
                                const VariableAccess& access);

}  // namespace heddle::compiler
