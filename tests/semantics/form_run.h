#pragma once

// Runs entries of the tables through Heddle: PTX text, front end, an executor, outputs.

#include <functional>
#include <string>
#include <vector>

#include "models/core/memory_image.h"
#include "models/isa/launch.h"
#include "tests/semantics/form_table.h"

namespace heddle::semantics {

/// Executes one launch on the memory; throws Error where the launch ends in one.
using Executor = std::function<void(const isa::KernelLaunch&, MemoryImage&)>;

/// One output that is not what its row promises.
struct Mismatch {
  int line = 0;  ///< of the row in its table
  std::string text;
};

/// Runs all rows of an entry in one launch and compares; an entry that must end in errors runs row by row. An
/// error of front end or executor is a mismatch of the whole entry.
std::vector<Mismatch> run_form(const TableForm& form, const Executor& execute);

}  // namespace heddle::semantics
