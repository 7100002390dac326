#pragma once

// Syntax tree of a PTX file, in which names are not yet resolved to registers, variables or labels. Names are
// string views into the text of the file.

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

/// Kind of an opaque variable (PTX ISA 9.0, 5.3). An opaque kernel parameter is the handle of a texture,
/// sampler or surface. Any other opaque variable contains the header of such an object: its base address,
/// sizes and format.
enum class OpaqueType : std::uint8_t { none, texture, sampler, surface };

/// Storage for names that are not in the PTX text, such as name0 to name3 for `name<4>`.
using GeneratedNames = std::deque<std::string>;

/// Declaration of one variable, or of a range of registers such as `%r<100>`.
struct Variable {
  StateSpace space = StateSpace::reg;
  bool is_extern = false;
  bool shared_pointer = false;  ///< The kernel parameter is declared .ptr .shared (pointer to shared memory).
  isa::DataType type = isa::DataType::none;
  OpaqueType opaque = OpaqueType::none;
  int vector = 1;           ///< number of vector elements: 2 for .v2, 4 for .v4
  std::uint64_t align = 0;  ///< alignment in bytes; 0 = natural alignment of the type
  std::string_view name;
  std::optional<std::uint64_t> range;
  /// Sizes of the dimensions of an array, empty for scalars. The first size is 0 for `[]`.
  std::vector<std::uint64_t> dimensions;
  TokenRange initializer;
  Position position;
  std::optional<Refusal> refusal;

  std::uint64_t header_bytes = 0;

  std::uint64_t element_bytes() const {
    return header_bytes ? header_bytes : static_cast<std::uint64_t>(isa::bits_of(type)) / 8 * vector;
  }
  std::uint64_t count() const;
  std::uint64_t bytes() const { return element_bytes() * count(); }
  std::uint64_t alignment() const { return align ? align : (element_bytes() ? element_bytes() : 1); }
  /// True for an `extern` array without a size: dynamic shared memory, or a variable that another file
  /// defines.
  bool is_unsized() const { return !dimensions.empty() && dimensions.front() == 0; }
};

struct OperandSyntax {
  enum class Kind : std::uint8_t {
    /// Name of a register, special register, variable, label or function. The name may have a component or an
    /// offset.
    name,
    constant,
    vector,
    /// Operand in brackets: [name+offset], [constant], or [texture, coordinates]. `items` contains the
    /// coordinates.
    address,
    sink,
  };
  Kind kind = Kind::sink;
  bool negated = false;
  std::string_view name;
  std::string_view component;
  std::int64_t offset = 0;
  bool has_offset = false;
  ConstantValue constant;
  std::vector<OperandSyntax> items;
  std::vector<OperandSyntax> second;  ///< second destination, such as q in `p|q`; empty or one element
  Position position;
};

struct GuardSyntax {
  std::string_view predicate;
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
  std::string_view list;
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
  int block = 0;
  std::string_view name;
  std::vector<Word> suffixes;
  /// Row of the instruction table that the instruction or call matches.
  FormMatch match;
  GuardSyntax guard;
  /// Operands of an instruction; for .branchtargets or .calltargets, the listed labels or functions.
  std::vector<OperandSyntax> operands;
  std::vector<Variable> prototype_results, prototype_parameters;
  CallSyntax call;
  Variable variable;
  std::uint32_t source_file = 0;
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
  TokenRange
      body;  ///< tokens of the function body, which the front end parses only if a kernel uses the function
  bool is_closed = true;
  std::uint32_t max_threads[3] = {0, 0, 0};
  std::uint32_t required_threads[3] = {0, 0, 0};
  std::optional<Refusal> refusal;
};

}  // namespace heddle::ptx
