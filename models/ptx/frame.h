#pragma once

// One inlined instance of a function: which names mean what, where its labels are, where its local variables
// lie.

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "models/ptx/ast.h"
#include "models/ptx/program_builder.h"

namespace heddle::ptx {

struct Symbol {
  enum class Kind : std::uint8_t {
    reg,              ///< one register or predicate
    vector_reg,       ///< .reg .v4: `lanes`
    address,          ///< a variable at a known address
    storage,          ///< a variable whose place is found at the end
    frame,            ///< a variable in the frame of a function that may call itself
    kernel_parameter  ///< a variable in the parameter block of the kernel
  };
  Kind kind = Kind::reg;
  int bits = 0;      ///< of a register; 1 = predicate
  isa::Operand reg;  ///< none until first used
  std::vector<isa::Operand> lanes;
  isa::Space space = isa::Space::generic;
  std::uint64_t address = 0;
  StorageId storage = kNone;
  std::uint64_t bytes = 0;  ///< of a variable
};

class Frame {
 public:
  /// `prefix` goes before register and label names of inlined functions ("square.").
  Frame(const Source& source, ProgramBuilder& builder, const Body& body, std::string prefix,
        std::uint64_t local_base);

  void push() { scopes_.emplace_back(); }
  void pop() { scopes_.pop_back(); }

  /// A register, a range of them or a vector of them, in the current scope.
  void declare_register(const Variable& variable);
  /// Anything else; throws Error if the scope has the name.
  void declare(const Variable& variable, Symbol symbol);
  /// Place of a .local variable, after the frame's earlier ones.
  std::uint64_t place_local(const Variable& variable);
  /// First local byte that inlined functions may use.
  std::uint64_t local_end() const { return local_end_; }

  /// Names that no scope declares are looked for in `outer`, which must live as long as this frame.
  void set_outer(Frame* outer) { outer_ = outer; }
  /// The symbol, registers created on first use; nullptr if no scope declares it.
  Symbol* find(std::string_view name);

  /// Label as seen from `block`, else from the blocks around it; kNone if there is none.
  LabelId find_label(std::string_view name, int block) const;
  /// `.branchtargets` list as seen from `block`, or nullptr.
  const Statement* find_targets(std::string_view name, int block) const;

  const std::string& prefix() const { return prefix_; }

 private:
  struct Range {
    std::uint64_t count = 0;
    int bits = 0;
    int vector = 1;
  };
  struct Scope {
    std::unordered_map<std::string_view, Symbol> symbols;
    std::unordered_map<std::string_view, Range> ranges;
  };
  Symbol* find_in_ranges(Scope& scope, std::string_view name);
  void collect_labels(const Body& body);
  Symbol make_register(std::string_view name, int bits, int vector);

  const Source& source_;
  ProgramBuilder& builder_;
  std::string prefix_;
  std::vector<Scope> scopes_;
  std::vector<int> block_parent_;
  std::map<std::pair<int, std::string_view>, LabelId> labels_;
  std::map<std::pair<int, std::string_view>, const Statement*> targets_;
  std::uint64_t local_next_;
  std::uint64_t local_end_;
  Frame* outer_ = nullptr;
};

}  // namespace heddle::ptx
