#pragma once

// Symbols of one inlined copy of a function: its registers, variables and labels by scope, and the addresses
// of its local variables.

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
    reg,
    vector_reg,  ///< vector register (declared .reg .v4); its components are in `lanes`
    address,
    storage,  ///< variable whose address is assigned after the translation of the whole kernel
    frame,    ///< variable in the local-memory frame of a recursive function
    kernel_parameter
  };
  Kind kind = Kind::reg;
  int bits = 0;
  isa::Operand reg;
  std::vector<isa::Operand> lanes;
  isa::Space space = isa::Space::generic;
  std::uint64_t address = 0;
  StorageId storage = kNone;
  std::uint64_t bytes = 0;
};

class Frame {
 public:
  /// Creates the symbol table of one copy of a function. `prefix`: first part, such as "square.", of the
  /// names of an inlined function's registers and labels.
  Frame(const Source& source, ProgramBuilder& builder, const Body& body, std::string prefix,
        std::uint64_t local_base);

  void push() { scopes_.emplace_back(); }
  void pop() { scopes_.pop_back(); }

  void declare_register(const Variable& variable);
  void declare(const Variable& variable, Symbol symbol);
  std::uint64_t place_local(const Variable& variable);
  std::uint64_t local_end() const { return local_end_; }

  void set_outer(Frame* outer) { outer_ = outer; }
  /// Returns the symbol of a name, or nullptr if no scope declares it. Creates a register at the first use of
  /// its name.
  Symbol* find(std::string_view name);

  LabelId find_label(std::string_view name, int block) const;
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
