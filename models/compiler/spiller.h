#pragma once

// Base class for spilling general registers and predicates. Replaces each access to a spilled variable by an
// access to a temporary.

#include <optional>
#include <vector>

#include "models/compiler/rewrite.h"
#include "models/compiler/spill.h"

namespace heddle::compiler {

class Spiller {
 public:
  Spiller(isa::Program& program, const Variables& variables, const std::vector<int>& spilled,
          Temporaries& temporaries, RegisterClass cls);
  virtual ~Spiller() = default;

  void run(const std::vector<int>& spilled);

 protected:
  struct Use {
    int variable = 0;
    std::uint32_t temporary = 0;
    bool read = false;
    bool written = false;
    bool whole = true;
  };

  virtual void make_homes(const std::vector<int>& spilled) = 0;
  virtual std::uint32_t make_temporary(int variable) = 0;
  virtual void emit_fetch(const isa::Instruction& served, const Use& use, Replacement& out) = 0;
  virtual void emit_store(const isa::Instruction& served, const Use& use, bool guarded, Replacement& out) = 0;
  /// Returns true if instruction i does not change its own guard predicate. A store of the result after the
  /// instruction may then have the same guard.
  virtual bool may_guard_store(const isa::Instruction& i) const = 0;

  int size(int v) const { return variables_.size[static_cast<std::size_t>(v)]; }
  void mark_temporaries(std::uint32_t first, std::uint32_t end);

  isa::Program& program_;

 private:
  bool mine(const isa::Operand& o) const;
  int variable(const isa::Operand& o) const;
  bool spilled(const isa::Operand& o) const;
  void find_constants();
  Use& use_of(std::vector<Use>& uses, int v);
  void rename(isa::Operand& o, std::uint32_t temporary) const;
  void replace(const isa::Instruction& old, Replacement& out);
  void surround(const isa::Instruction& i, std::vector<Use>& uses, Replacement& out);

  const Variables& variables_;
  Temporaries& temporaries_;
  RegisterClass cls_;
  std::vector<bool> chosen_;
  std::vector<std::optional<isa::Instruction>> constant_;
};

}  // namespace heddle::compiler
