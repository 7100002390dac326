#pragma once

// Runs entries of the semantics tables: makes the PTX text, translates it, executes it, and compares outputs
// with the expected ones.

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

/// Runs all rows in one launch and compares the outputs. If the rows must end in errors, each row has its own
/// launch. An error of the front end or of the executor counts as a mismatch of the whole entry.
std::vector<Mismatch> run_form(const TableForm& form, const Executor& execute);

}  // namespace heddle::semantics
