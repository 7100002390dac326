#pragma once

// Syntax tree of a PTX file, before any meaning is assigned. Names point into the text of the file.

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

/// Kind of an opaque variable (PTX ISA 9.0, 5.3): a parameter holds a handle, other variables are headers.
enum class OpaqueType : std::uint8_t { none, texture, sampler, surface };

/// Names that the text does not spell out: the members of `%p<4>` in memory. Views into them stay valid.
using GeneratedNames = std::deque<std::string>;

/// One variable, or a range of registers `%r<100>`.
struct Variable {
  StateSpace space = StateSpace::reg;
  bool is_extern = false;
  isa::DataType type = isa::DataType::none;
  OpaqueType opaque = OpaqueType::none;
  int vector = 1;                         ///< .v2, .v4
  std::uint64_t align = 0;                ///< 0: natural
  std::string_view name;                  ///< of a range: the prefix
  std::optional<std::uint64_t> range;     ///< %r<100>: 100
  std::vector<std::uint64_t> dimensions;  ///< empty: scalar; a first dimension of 0 was omitted
  TokenRange initializer;                 ///< empty range: none
  Position position;
  std::optional<Refusal> refusal;  ///< its type or attributes are not supported

  std::uint64_t header_bytes = 0;  ///< of a texture, sampler or surface that is no parameter

  std::uint64_t element_bytes() const {
    return header_bytes ? header_bytes : static_cast<std::uint64_t>(isa::bits_of(type)) / 8 * vector;
  }
  std::uint64_t count() const;
  std::uint64_t bytes() const { return element_bytes() * count(); }
  std::uint64_t alignment() const { return align ? align : (element_bytes() ? element_bytes() : 1); }
  /// `extern` without a size: dynamic shared memory, or a variable of another file.
  bool is_unsized() const { return !dimensions.empty() && dimensions.front() == 0; }
};

/// An operand as written.
struct OperandSyntax {
  enum class Kind : std::uint8_t {
    name,      ///< register, special register, variable, label, function; with component or offset
    constant,  ///< immediate
    vector,    ///< {a, b}
    address,   ///< [name+offset], [constant], [texture, coordinates]: `items` after the name
    sink,      ///< _
  };
  Kind kind = Kind::sink;
  bool negated = false;  ///< !name
  std::string_view name;
  std::string_view component;  ///< %tid.x, %v.y: without the dot
  std::int64_t offset = 0;     ///< name + offset
  bool has_offset = false;
  ConstantValue constant;             ///< constant, and address without a name
  std::vector<OperandSyntax> items;   ///< vector, address
  std::vector<OperandSyntax> second;  ///< the q of `p|q`: none or one
  Position position;
};

struct GuardSyntax {
  std::string_view predicate;  ///< empty: no guard
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
  std::string_view list;  ///< the .calltargets or .callprototype of a call through a register
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
  int block = 0;                        ///< which `{ }` of the body it stands in; the body itself is 0
  std::string_view name;                ///< mnemonic, label
  std::vector<Word> suffixes;           ///< instruction, call
  FormMatch match;                      ///< instruction, call
  GuardSyntax guard;                    ///< instruction, call
  std::vector<OperandSyntax> operands;  ///< instruction; targets: the labels or functions
  std::vector<Variable> prototype_results, prototype_parameters;
  CallSyntax call;
  Variable variable;
  std::uint32_t source_file = 0;  ///< location
  std::uint32_t source_line = 0;
};

struct Body {
  GeneratedNames names;
  std::vector<Statement> statements;
  std::vector<int> block_parent;  ///< by block; -1 for the body itself
};

struct Function {
  bool is_entry = false;
  bool is_extern = false;
  bool has_body = false;
  std::string_view name;
  Position position;
  std::vector<Variable> results;
  std::vector<Variable> parameters;
  TokenRange body;        ///< parsed only when a kernel needs it
  bool is_closed = true;  ///< the body ends in "}"
  std::uint32_t max_threads[3] = {0, 0, 0};
  std::uint32_t required_threads[3] = {0, 0, 0};
  std::optional<Refusal> refusal;
};

}  // namespace heddle::ptx
