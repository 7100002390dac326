#pragma once

// Executes the rows of a table entry (tests/semantics) on any executor.

#include <cstdint>
#include <vector>

#include "models/core/memory_image.h"
#include "models/isa/launch.h"
#include "testbench/launch/launch_run.h"
#include "tests/on_gpu/driver.h"
#include "tests/semantics/form_table.h"
#include "tests/semantics/row_kernel.h"

namespace heddle::on_gpu {

/// All rows of a form, one thread each. Texels and headers that a caller adds to its memory before the run
/// are part of the run.
class RowsRun : public semantics::RowKernel {
 public:
  /// The form must outlive the run.
  explicit RowsRun(const semantics::TableForm& form);

  /// Runs from the initial memory and returns the output records.
  std::vector<std::uint8_t> run(launch::LaunchExecutor& executor) const;
  /// Runs on the given memory and returns the output records.
  std::vector<std::uint8_t> run(launch::LaunchExecutor& executor, MemoryImage& memory) const;
};

/// Returns the output records of the GPU, or of its recording.
std::vector<std::uint8_t> run_on_gpu(const Driver& gpu, const RowsRun& run);

/// Sets grid and block for the rows of the form, and fills up the last CTA with copies of the last row.
void spread_rows(semantics::TableForm& form);

}  // namespace heddle::on_gpu
