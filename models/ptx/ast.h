#pragma once

// Syntax tree of a PTX file, before names are resolved. Names are views into the text of the file.

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

/// Kind of an opaque variable (PTX ISA 9.0, 5.3). An opaque parameter holds a handle; other opaque variables
/// are headers.
enum class OpaqueType : std::uint8_t { none, texture, sampler, surface };

/// Storage for names that the text does not contain: the members of a set such as `%p<4>` in memory. Views of
/// these names stay valid.
using GeneratedNames = std::deque<std::string>;

/// One variable, or a range of registers such as `%r<100>`.
struct Variable {
  StateSpace space = StateSpace::reg;
  bool is_extern = false;
  bool shared_pointer = false;  ///< of a kernel's parameter: .ptr .shared
  isa::DataType type = isa::DataType::none;
  OpaqueType opaque = OpaqueType::none;
  int vector = 1;                      ///< number of elements: 2 for .v2, 4 for .v4
  std::uint64_t align = 0;             ///< bytes; 0 = natural alignment
  std::string_view name;               ///< for a range: the prefix
  std::optional<std::uint64_t> range;  ///< number of registers: 100 for %r<100>
  /// Empty for scalars; a first dimension of 0 was omitted in the text.
  std::vector<std::uint64_t> dimensions;
  TokenRange initializer;  ///< empty if there is none
  Position position;
  std::optional<Refusal> refusal;  ///< set if the type or an attribute is not supported

  /// Size of the header of a texture, sampler or surface that is no parameter.
  std::uint64_t header_bytes = 0;

  std::uint64_t element_bytes() const {
    return header_bytes ? header_bytes : static_cast<std::uint64_t>(isa::bits_of(type)) / 8 * vector;
  }
  std::uint64_t count() const;
  std::uint64_t bytes() const { return element_bytes() * count(); }
  std::uint64_t alignment() const { return align ? align : (element_bytes() ? element_bytes() : 1); }
  /// True for `extern` variables without a size: dynamic shared memory, or a variable that another file
  /// defines.
  bool is_unsized() const { return !dimensions.empty() && dimensions.front() == 0; }
};

/// An operand as it is written.
struct OperandSyntax {
  enum class Kind : std::uint8_t {
    name,      ///< register, special register, variable, label or function, with component or offset
    constant,  ///< immediate
    vector,    ///< {a, b}
    address,   ///< [name+offset], [constant], or [texture, coordinates] with the coordinates in `items`
    sink,      ///< _
  };
  Kind kind = Kind::sink;
  bool negated = false;  ///< !name
  std::string_view name;
  std::string_view component;  ///< x of %tid.x, y of %v.y (without the dot)
  std::int64_t offset = 0;     ///< of name + offset
  bool has_offset = false;
  ConstantValue constant;             ///< value of a constant, or of an address without a name
  std::vector<OperandSyntax> items;   ///< elements of a vector or an address
  std::vector<OperandSyntax> second;  ///< the q of `p|q`; empty or one element
  Position position;
};

struct GuardSyntax {
  std::string_view predicate;  ///< empty if there is no guard
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
  std::string_view list;  ///< name of the .calltargets list or the .callprototype of an indirect call
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
  int block = 0;                        ///< index of the enclosing `{ }` block; 0 for the body itself
  std::string_view name;                ///< mnemonic or label
  std::vector<Word> suffixes;           ///< for instruction and call
  FormMatch match;                      ///< for instruction and call
  GuardSyntax guard;                    ///< for instruction and call
  std::vector<OperandSyntax> operands;  ///< operands of an instruction; for targets: the labels or functions
  std::vector<Variable> prototype_results, prototype_parameters;
  CallSyntax call;
  Variable variable;
  std::uint32_t source_file = 0;  ///< for location
  std::uint32_t source_line = 0;
};

struct Body {
  GeneratedNames names;
  std::vector<Statement> statements;
  std::vector<int> block_parent;  ///< index of the enclosing block, by block; -1 for the body itself
};

struct Function {
  bool is_entry = false;
  bool is_extern = false;
  bool has_body = false;
  std::string_view name;
  Position position;
  std::vector<Variable> results;
  std::vector<Variable> parameters;
  TokenRange body;        ///< parsed only when a kernel uses the function
  bool is_closed = true;  ///< the body has a closing "}"
  std::uint32_t max_threads[3] = {0, 0, 0};
  std::uint32_t required_threads[3] = {0, 0, 0};
  std::optional<Refusal> refusal;
};

}  // namespace heddle::ptx
