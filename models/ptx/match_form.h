#pragma once

// Finds the form of an instruction by its suffixes. The order of suffixes is ignored, because PTX versions
// differ in it (atom, ld, vote). If a form has two types, the first one written is the first type of the
// form.

#include "models/ptx/ast.h"
#include "models/ptx/dialect.h"
#include "models/ptx/source.h"

namespace heddle::ptx {

/// Returns the form of an instruction. Throws Error at the unknown or unsupported mnemonic or suffix, and
/// names what is supported instead.
FormMatch match_form(const Source& source, const Statement& statement);

/// Stores the form in the statement, with the modifiers that `dialect` adds. Throws the same errors as
/// match_form.
void require_supported(const Source& source, Statement& statement, const Dialect& dialect);

}  // namespace heddle::ptx
