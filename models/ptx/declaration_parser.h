#pragma once

// Variable declarations: of the module, of function bodies, of parameter lists.

#include <optional>
#include <string_view>
#include <vector>

#include "models/ptx/ast.h"

namespace heddle::ptx {

/// .reg, .shared, .local, .param, .global, .const; nullopt for any other word.
std::optional<StateSpace> state_space_of(std::string_view word);

/// Scalar types by PTX name; none for any other word.
isa::DataType data_type_of(std::string_view word);

/// A variable of an opaque type that is no parameter: constant memory that holds its header (models/isa/texture.h).
void become_header(Variable& variable);

/// Reads `.space .align n .type name[dims] = init, name2<4>, ... ;` from the space on. What is well-formed but
/// not supported (odd types) becomes the variable's refusal; malformed text throws.
/// A set `name<n>` in memory becomes its n variables, whose names go into `names`.
std::vector<Variable> parse_declaration(TokenCursor& cursor, bool is_extern, GeneratedNames& names);

/// Skips the `[bank]` after .const of PTX 1 and 2: a name or an address says where a constant lies.
void skip_constant_bank(TokenCursor& cursor);

/// Reads `( .param .u64 .ptr .global a, .param .b8 s[12] )`.
std::vector<Variable> parse_parameter_list(TokenCursor& cursor);

}  // namespace heddle::ptx
