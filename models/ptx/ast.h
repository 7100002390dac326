#pragma once

// Syntax tree of a PTX file, before names are resolved to registers, variables or labels. Names are string
// views into the text of the file.

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/isa/types.h"
#include "models/ptx/constant_expression.h"
#include "models/ptx/instruction_forms.h"
#include "models/ptx/source.h"
#include "models/ptx/token_cursor.h"

namespace heddle::ptx {

enum class StateSpace : std::uint8_t { reg, shared, local, param, global, constant };

/// Kind of an opaque variable (PTX ISA 9.0, 5.3). An opaque kernel parameter holds a handle of a texture,
/// sampler or surface. Any other opaque variable is the header of the object itself.
enum class OpaqueType : std::uint8_t { none, texture, sampler, surface };

/// Storage for names that the PTX text does not contain, such as the variables that `name<4>` declares in
/// memory. String views of these names stay valid when more names are added.
using GeneratedNames = std::deque<std::string>;

/// Declaration of one variable, or of a range of registers such as `%r<100>`.
struct Variable {
  StateSpace space = StateSpace::reg;
  bool is_extern = false;
  bool shared_pointer = false;  ///< The kernel parameter is declared .ptr .shared (pointer to shared memory).
  isa::DataType type = isa::DataType::none;
  OpaqueType opaque = OpaqueType::none;
  int vector = 1;                      ///< number of vector elements: 2 for .v2, 4 for .v4
  std::uint64_t align = 0;             ///< alignment in bytes; 0 = natural alignment of the type
  std::string_view name;               ///< name of the variable; for a range of registers, the prefix
  std::optional<std::uint64_t> range;  ///< number of registers of a range: 100 for %r<100>
  /// Sizes of the dimensions of an array, empty for scalars. The first size is 0 if the text omits it.
  std::vector<std::uint64_t> dimensions;
  TokenRange initializer;  ///< tokens of the initialiser; empty if there is none
  Position position;
  /// Reason why the variable cannot be used, if its type or an attribute is not supported.
  std::optional<Refusal> refusal;

  /// Size in bytes of the header that the variable holds, if it is a texture, sampler or surface and no
  /// kernel parameter.
  std::uint64_t header_bytes = 0;

  std::uint64_t element_bytes() const {
    return header_bytes ? header_bytes : static_cast<std::uint64_t>(isa::bits_of(type)) / 8 * vector;
  }
  std::uint64_t count() const;
  std::uint64_t bytes() const { return element_bytes() * count(); }
  std::uint64_t alignment() const { return align ? align : (element_bytes() ? element_bytes() : 1); }
  /// Returns true for `extern` arrays without a size. Such an array is dynamic shared memory, or a variable
  /// that another file defines.
  bool is_unsized() const { return !dimensions.empty() && dimensions.front() == 0; }
};

/// An operand of an instruction as it is written in the PTX text.
struct OperandSyntax {
  enum class Kind : std::uint8_t {
    /// Operand kind: name of a register, special register, variable, label or function, possibly with a
    /// component or an offset.
    name,
    constant,  ///< operand kind: immediate constant
    vector,    ///< operand kind: list in braces, such as {a, b}
    /// Operand kind in brackets: [name+offset], [constant], or [texture, coordinates] with the coordinates in
    /// `items`.
    address,
    sink,  ///< operand kind: discarded destination, written as _
  };
  Kind kind = Kind::sink;
  bool negated = false;  ///< The operand is a negated predicate: !name.
  std::string_view name;
  std::string_view component;  ///< component without the dot: x of %tid.x, y of %v.y
  std::int64_t offset = 0;     ///< offset of an operand such as name + offset
  bool has_offset = false;
  ConstantValue constant;             ///< value of a constant operand, or of an address without a name
  std::vector<OperandSyntax> items;   ///< elements of a list in braces, or of an address
  std::vector<OperandSyntax> second;  ///< second destination, such as the q of `p|q`; empty or one element
  Position position;
};

struct GuardSyntax {
  std::string_view predicate;  ///< name of the guard predicate; empty if there is no guard
  bool negated = false;
  Position position;
};

struct Word {
  std::string_view text;
  Position position;
};

struct CallSyntax {
  std::vector<OperandSyntax> results;
  OperandSyntax callee;
  std::vector<OperandSyntax> arguments;
  std::string_view list;  ///< for an indirect call: name of its .calltargets list or .callprototype
};

struct Statement {
  enum class Kind : std::uint8_t {
    instruction,
    call,
    label,
    declaration,
    open,
    close,
    location,
    targets,
    prototype
  };
  Kind kind = Kind::instruction;
  Position position;
  int block = 0;  ///< number of the `{ }` block that contains the statement; 0 for the function body itself
  std::string_view name;       ///< mnemonic of an instruction, or name of a label
  std::vector<Word> suffixes;  ///< suffixes of an instruction or a call
  /// Form of the instruction (row of the instruction table) and its words, for instructions and calls.
  FormMatch match;
  GuardSyntax guard;  ///< guard of an instruction or a call
  /// Operands of an instruction; for .branchtargets and .calltargets: the labels or functions.
  std::vector<OperandSyntax> operands;
  std::vector<Variable> prototype_results, prototype_parameters;
  CallSyntax call;
  Variable variable;
  std::uint32_t source_file = 0;  ///< for a .loc directive: number of the source file
  std::uint32_t source_line = 0;
};

struct Body {
  GeneratedNames names;
  std::vector<Statement> statements;
  /// For each block of statements: number of the enclosing block; -1 for the function body itself.
  std::vector<int> block_parent;
};

struct Function {
  bool is_entry = false;
  bool is_extern = false;
  bool has_body = false;
  std::string_view name;
  Position position;
  std::vector<Variable> results;
  std::vector<Variable> parameters;
  TokenRange body;  ///< tokens of the function body, which are parsed only when a kernel uses the function
  bool is_closed = true;  ///< The body has a closing "}".
  std::uint32_t max_threads[3] = {0, 0, 0};
  std::uint32_t required_threads[3] = {0, 0, 0};
  std::optional<Refusal> refusal;
};

}  // namespace heddle::ptx
