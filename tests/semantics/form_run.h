#pragma once

// Runs entries of the semantics tables through Heddle: PTX text, front end, an executor, comparison of
// outputs.

#include <functional>
#include <string>
#include <vector>

#include "models/core/memory_image.h"
#include "models/isa/launch.h"
#include "tests/semantics/form_table.h"

namespace heddle::semantics {

/// Executes one launch on the given memory. Throws Error if the launch ends in an error.
using Executor = std::function<void(const isa::KernelLaunch&, MemoryImage&)>;

/// One output that differs from the value in its table row.
struct Mismatch {
  int line = 0;  ///< line number of the row in its table file
  std::string text;
};

/// Runs all rows of a table entry in one launch and compares the outputs. If the entry must end in errors,
/// each row is a separate launch. An error of the front end or the executor counts as a mismatch of the whole
/// entry.
std::vector<Mismatch> run_form(const TableForm& form, const Executor& execute);

}  // namespace heddle::semantics
