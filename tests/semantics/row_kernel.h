#pragma once

// Makes the kernel for an entry of a semantics table, with program, memory and parameters for its launch.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "form_table.h"
#include "models/core/memory_image.h"
#include "models/isa/launch.h"

namespace heddle::semantics {

class RowKernel {
 public:
  /// Makes the kernel, with one thread for each row. The start addresses of buffers are `apart` bytes from
  /// each other. `form` must outlive this object. Throws Error for invalid PTX, and std::runtime_error if the
  /// size of a parameter differs from the number of bytes that the entry gives for it.
  RowKernel(const TableForm& form, std::size_t first, std::size_t count, std::uint64_t apart);

  const TableForm& form() const { return form_; }
  const std::string& ptx() const { return ptx_; }
  const std::vector<isa::ModuleVariable>& variables() const { return variables_; }
  MemoryImage& memory() { return memory_; }
  const MemoryImage& memory() const { return memory_; }
  isa::KernelLaunch& launch() { return launch_; }
  const isa::KernelLaunch& launch() const { return launch_; }

 private:
  void place_program();
  MemoryImage::Allocation& add_buffer(const std::string& name, std::size_t bytes, std::size_t parameter,
                                      std::uint64_t apart);
  void set_parameter(std::size_t index, const std::vector<std::uint8_t>& bytes);

  const TableForm& form_;
  std::string ptx_;
  std::vector<isa::ModuleVariable> variables_;
  MemoryImage memory_;
  isa::KernelLaunch launch_;
};

}  // namespace heddle::semantics
