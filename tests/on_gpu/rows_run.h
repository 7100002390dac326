#pragma once

// Rows of a snippet of PTX (tests/semantics) on any executor.

#include <cstdint>
#include <vector>

#include "models/core/memory_image.h"
#include "models/isa/launch.h"
#include "testbench/launch/launch_run.h"
#include "tests/on_gpu/driver.h"
#include "tests/semantics/form_table.h"
#include "tests/semantics/row_kernel.h"

namespace heddle::on_gpu {

/// All rows of a form, a thread each; what is added to its memory before the run (texels, a header) belongs to it.
class RowsRun : public semantics::RowKernel {
 public:
  /// The form must outlive the run.
  explicit RowsRun(const semantics::TableForm& form);

  /// The outputs' records after a run from the beginning.
  std::vector<std::uint8_t> run(launch::LaunchExecutor& executor) const;
  /// The same, and the memory as it stands.
  std::vector<std::uint8_t> run(launch::LaunchExecutor& executor, MemoryImage& memory) const;
};

/// Records of the outputs, from the GPU or from its recording.
std::vector<std::uint8_t> run_on_gpu(const Driver& gpu, const RowsRun& run);

/// Sets grid and block for as many rows as the form has, filled up to whole CTAs by copies of the last row.
void spread_rows(semantics::TableForm& form);

}  // namespace heddle::on_gpu
