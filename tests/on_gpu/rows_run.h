#pragma once

// Executes the rows of a semantics table entry (tests/semantics) on a GPU, the reference or a timed model.

#include <cstdint>
#include <vector>

#include "models/core/memory_image.h"
#include "models/isa/launch.h"
#include "testbench/launch/launch_run.h"
#include "tests/on_gpu/driver.h"
#include "tests/semantics/form_table.h"
#include "tests/semantics/row_kernel.h"

namespace heddle::on_gpu {

/// Runs all rows of a table entry, with one thread for each row. If the kernel uses textures, the caller must
/// add texels and texture headers to the memory of the run.
class RowsRun : public semantics::RowKernel {
 public:
  explicit RowsRun(const semantics::TableForm& form);

  /// Runs the table entry's rows from the initial contents of memory. Returns one output record for each row.
  std::vector<std::uint8_t> run(launch::LaunchExecutor& executor) const;
  std::vector<std::uint8_t> run(launch::LaunchExecutor& executor, MemoryImage& memory) const;
};

/// Returns the output records of a run on the GPU, or those that an earlier run has recorded.
std::vector<std::uint8_t> run_on_gpu(const Driver& gpu, const RowsRun& run);

/// Sets grid and block size for the rows. Copies of the last row fill the last CTA.
void spread_rows(semantics::TableForm& form);

}  // namespace heddle::on_gpu
