#pragma once

// An instruction's suffixes against the table of forms. They are matched without regard to their order, since PTX
// versions disagree on it (atom, ld, vote); where a form takes two types, the first written is the first of the form.

#include "models/ptx/ast.h"
#include "models/ptx/dialect.h"
#include "models/ptx/source.h"

namespace heddle::ptx {

/// The form of an instruction. Throws Error, at the mnemonic or the suffix, that names what is unknown or not
/// supported yet and what is supported instead.
FormMatch match_form(const Source& source, const Statement& statement);

/// Throws the same errors, and notes the match in the statement, with what `dialect` adds to it.
void require_supported(const Source& source, Statement& statement, const Dialect& dialect);

}  // namespace heddle::ptx
