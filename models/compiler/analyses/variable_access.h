#pragma once

// Finds the variables (units of register allocation) that an instruction reads and writes, and their parts
// (variables.h).

#include "models/compiler/analyses/block_liveness.h"
#include "models/compiler/analyses/use_def.h"
#include "models/compiler/analyses/variables.h"

namespace heddle::compiler {

class VariableAccess {
 public:
  /// Creates an object for the variables of one register class. `fresh[w]`: true if every read of word w
  /// follows a write under the same guard. `variables` and `fresh` must outlive this object.
  VariableAccess(const Variables& variables, RegisterClass cls, const std::vector<bool>& fresh)
      : variables_(&variables), cls_(cls), fresh_(&fresh) {}

  bool mine(const isa::Operand& o) const { return cls_ == RegisterClass::general ? o.is_reg() : o.is_pred(); }
  int variable(const isa::Operand& o) const {
    return variables_->of[cls_ == RegisterClass::general ? o.reg.value : o.pred.value];
  }

  /// Calls f(part) for each part of a variable (variables.h) that the operand contains.
  template <class F>
  void for_each_part(const isa::Operand& o, F&& f) const {
    if (cls_ == RegisterClass::predicate) return f(variables_->part[o.pred.value]);
    int last = -1;
    for (std::uint32_t w = o.reg.value; w < o.reg.value + static_cast<std::uint32_t>(o.words()); ++w)
      if (const int part = variables_->part[w]; part != last) f(last = part);
  }

  template <class F>
  void for_each_read(const isa::Instruction& i, F&& f) const {
    if (cls_ == RegisterClass::predicate && i.guard.present) f(variables_->part[i.guard.pred.value]);
    for (const isa::Operand& o : i.sources())
      if (mine(o)) for_each_part(o, f);
  }

  // Returns true if the instruction overwrites all parts of the variable of its operand `o` in all active
  // lanes.
  bool kills(const isa::Instruction& i, const isa::Operand& o) const {
    const int v = variable(o);
    if (cls_ == RegisterClass::general && o.words() != variables_->size[static_cast<std::size_t>(v)] &&
        !is_split(v))
      return false;
    return writes_all_active_lanes(i) || (*fresh_)[variables_->first[static_cast<std::size_t>(v)]];
  }

  std::size_t parts() const { return variables_->variable_of_part.size(); }
  int variable_of(std::size_t part) const { return variables_->variable_of_part[part]; }
  template <class F>
  void for_each_part_of(int v, F&& f) const {
    const std::uint32_t first = variables_->first[static_cast<std::size_t>(v)];
    for (int part = variables_->part[first];
         part < static_cast<int>(parts()) && variable_of(static_cast<std::size_t>(part)) == v; ++part)
      f(part);
  }
  std::size_t count() const { return static_cast<std::size_t>(variables_->count()); }
  int words_of_part(std::size_t part) const {
    const int v = variable_of(part);
    return is_split(v) ? 1 : variables_->size[static_cast<std::size_t>(v)];
  }

 private:
  bool is_split(int v) const {
    const std::uint32_t first = variables_->first[static_cast<std::size_t>(v)];
    return variables_->size[static_cast<std::size_t>(v)] > 1 &&
           variables_->part[first] != variables_->part[first + 1];
  }

  const Variables* variables_;
  RegisterClass cls_;
  const std::vector<bool>* fresh_;
};

/// Computes which parts of variables are live at the boundaries of basic blocks.
BlockLiveness variable_liveness(const isa::Program& program, const ControlFlow& flow,
                                const VariableAccess& access);

}  // namespace heddle::compiler
