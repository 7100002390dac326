#pragma once

// Finds the form (row of the instruction table) of a PTX instruction by its suffixes. The order of suffixes
// differs between PTX versions and is ignored, except for types: the first type in the text is the first type
// of the form.

#include "models/ptx/ast.h"
#include "models/ptx/dialect.h"
#include "models/ptx/source.h"

namespace heddle::ptx {

/// Throws Error for an unknown or unsupported mnemonic or suffix, with a list of the supported names.
FormMatch match_form(const Source& source, const Statement& statement);

void require_supported(const Source& source, Statement& statement, const Dialect& dialect);

}  // namespace heddle::ptx
