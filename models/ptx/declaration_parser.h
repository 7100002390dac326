#pragma once

// Parser for declarations of variables in modules, function bodies and parameter lists.

#include <optional>
#include <string_view>
#include <vector>

#include "models/ptx/ast.h"

namespace heddle::ptx {

/// Returns the state space with the name `word`, such as .shared or .global (without the dot).
std::optional<StateSpace> state_space_of(std::string_view word);

isa::DataType data_type_of(std::string_view word);

/// Changes the declaration of a texture, sampler or surface that is no kernel parameter. The variable becomes
/// constant memory that holds the object's header (models/isa/texture.h).
void become_header(Variable& variable);

/// Parses a declaration such as `.space .align n .type name[dims] = init, name2<4>, ... ;`. A set `name<n>`
/// in memory becomes n variables, with names in `names`. An unsupported feature is recorded in the variable's
/// `refusal`. Malformed text throws Error.
std::vector<Variable> parse_declaration(TokenCursor& cursor, bool is_extern, GeneratedNames& names);

/// Skips the number in `[bank]` after .const, which PTX 1 and 2 allow. The name or offset alone determines
/// the address of a constant.
void skip_constant_bank(TokenCursor& cursor);

std::vector<Variable> parse_parameter_list(TokenCursor& cursor);

}  // namespace heddle::ptx
