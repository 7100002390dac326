#pragma once

// Parser for declarations of variables in modules, function bodies and parameter lists.

#include <optional>
#include <string_view>
#include <vector>

#include "models/ptx/ast.h"

namespace heddle::ptx {

/// Returns the state space that is named `word`, such as shared for .shared.
std::optional<StateSpace> state_space_of(std::string_view word);

isa::DataType data_type_of(std::string_view word);

/// Changes the declaration of a texture, sampler or surface that is not a kernel parameter: the variable
/// becomes constant memory that contains the object's header (models/isa/texture.h).
void become_header(Variable& variable);

/// Parses a declaration such as `.space .align n .type name[dims] = init, name2<4>, ... ;`. A set `name<n>`
/// in memory becomes n variables, whose names are stored in `names`. An unsupported feature is recorded in
/// Variable::refusal. Throws Error for malformed text.
std::vector<Variable> parse_declaration(TokenCursor& cursor, bool is_extern, GeneratedNames& names);

/// Skips `[bank]` after .const, which PTX 1 and 2 allow. The bank does not affect the address of a constant.
void skip_constant_bank(TokenCursor& cursor);

std::vector<Variable> parse_parameter_list(TokenCursor& cursor);

}  // namespace heddle::ptx
