#pragma once

// Runs entries of the semantics tables through Heddle: PTX text, front end, executor, comparison of outputs.

#include <functional>
#include <string>
#include <vector>

#include "models/core/memory_image.h"
#include "models/isa/launch.h"
#include "tests/semantics/form_table.h"

namespace heddle::semantics {

using Executor = std::function<void(const isa::KernelLaunch&, MemoryImage&)>;

struct Mismatch {
  int line = 0;
  std::string text;
};

/// Runs all rows in one launch and compares the outputs; if the entry must end in errors, one launch per row.
/// An error of front end or executor counts as a mismatch of the whole entry.
std::vector<Mismatch> run_form(const TableForm& form, const Executor& execute);

}  // namespace heddle::semantics
