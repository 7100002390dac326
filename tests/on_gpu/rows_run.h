#pragma once

// Executes the rows of a semantics table entry (tests/semantics) on any executor: GPU, reference or timed
// model.

#include <cstdint>
#include <vector>

#include "models/core/memory_image.h"
#include "models/isa/launch.h"
#include "testbench/launch/launch_run.h"
#include "tests/on_gpu/driver.h"
#include "tests/semantics/form_table.h"
#include "tests/semantics/row_kernel.h"

namespace heddle::on_gpu {

/// All rows of a table entry, with one thread for each. If the caller adds texels and texture headers to its
/// memory before the run, the kernel uses them.
class RowsRun : public semantics::RowKernel {
 public:
  /// `form`: the table entry, which must outlive this object.
  explicit RowsRun(const semantics::TableForm& form);

  /// Runs from the initial memory contents and returns the output records, one for each row.
  std::vector<std::uint8_t> run(launch::LaunchExecutor& executor) const;
  /// Runs on the given memory and returns the output records, one for each row.
  std::vector<std::uint8_t> run(launch::LaunchExecutor& executor, MemoryImage& memory) const;
};

/// Returns the output records of a run on the GPU, or recorded ones of an earlier run.
std::vector<std::uint8_t> run_on_gpu(const Driver& gpu, const RowsRun& run);

/// Sets grid and block size for the rows of the table entry. The last CTA is filled up with copies of the
/// last row.
void spread_rows(semantics::TableForm& form);

}  // namespace heddle::on_gpu
