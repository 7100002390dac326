#pragma once

// Rows of a snippet of PTX (tests/semantics) on any executor.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/core/memory_image.h"
#include "models/isa/launch.h"
#include "testbench/launch/launch_run.h"
#include "tests/on_gpu/driver.h"
#include "tests/semantics/form_table.h"

namespace heddle::on_gpu {

class RowsRun {
 public:
  /// All rows of the form, a thread each. The form must outlive the run.
  explicit RowsRun(const semantics::TableForm& form);

  const std::string& ptx() const { return ptx_; }
  const std::vector<isa::ModuleVariable>& variables() const { return variables_; }
  /// One more allocation, before the run: texels, a header.
  MemoryImage& memory() { return memory_; }
  const MemoryImage& memory() const { return memory_; }
  isa::KernelLaunch& launch() { return launch_; }

  /// The outputs' records after a run from the beginning.
  std::vector<std::uint8_t> run(launch::LaunchExecutor& executor) const;
  /// The same, and the memory as it stands.
  std::vector<std::uint8_t> run(launch::LaunchExecutor& executor, MemoryImage& memory) const;

 private:
  void add_buffer(const std::string& name, std::size_t bytes, std::size_t parameter, std::uint8_t fill);
  void set_parameter(std::size_t index, const std::vector<std::uint8_t>& bytes);

  const semantics::TableForm& form_;
  std::string ptx_;
  std::vector<isa::ModuleVariable> variables_;
  MemoryImage memory_;
  isa::KernelLaunch launch_;
};

/// The outputs' records as the GPU leaves them, or as it is recorded to have left them.
std::vector<std::uint8_t> run_on_gpu(const Driver& gpu, const RowsRun& run);

/// Sets grid and block for as many rows as the form has, filled up to whole CTAs by copies of the last row.
void spread_rows(semantics::TableForm& form);

}  // namespace heddle::on_gpu
