#pragma once

// Parser for declarations of variables in modules, function bodies and parameter lists.

#include <optional>
#include <string_view>
#include <vector>

#include "models/ptx/ast.h"

namespace heddle::ptx {

/// Returns the state space for .reg, .shared, .local, .param, .global or .const; nullopt for other words.
std::optional<StateSpace> state_space_of(std::string_view word);

/// Returns the scalar type by PTX name; DataType::none for other words.
isa::DataType data_type_of(std::string_view word);

/// Turns a variable of an opaque type that is no parameter into constant memory that holds its header
/// (models/isa/texture.h).
void become_header(Variable& variable);

/// Parses `.space .align n .type name[dims] = init, name2<4>, ... ;` from the space on. A set `name<n>` in
/// memory becomes n variables, whose names are stored in `names`. Unsupported features (odd types) are
/// recorded in the variable's refusal; malformed text throws Error.
std::vector<Variable> parse_declaration(TokenCursor& cursor, bool is_extern, GeneratedNames& names);

/// Skips the `[bank]` after .const of PTX 1 and 2. The address of a constant is known from its name or
/// offset.
void skip_constant_bank(TokenCursor& cursor);

/// Parses a list such as `( .param .u64 .ptr .global a, .param .b8 s[12] )`.
std::vector<Variable> parse_parameter_list(TokenCursor& cursor);

}  // namespace heddle::ptx
