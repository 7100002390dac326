#pragma once

// Constant memory of an SM: the .const variables, copied from device memory when a kernel begins, and the
// parameters of the kernel launch.

#include "models/core/memory_image.h"
#include "models/isa/address_map.h"
#include "models/isa/launch.h"

namespace heddle {

class ConstantMemory {
 public:
  void load(const MemoryImage& device) {
    contents_ = MemoryImage();
    for (const auto& a : device.allocations()) {
      if (a->base < isa::kConstWindow || a->base - isa::kConstWindow >= isa::kWindowBytes) continue;
      contents_.allocate_at(a->name, a->base, a->bytes, true).data = a->data;
    }
  }

  const std::uint8_t* find(std::uint64_t address, std::size_t bytes, const isa::KernelLaunch& launch) const {
    if (isa::window_of(address) == isa::Window::constant) return contents_.find(address, bytes);
    const std::uint64_t offset = address - isa::kParamWindow;
    const auto& block = launch.parameters;
    return offset <= block.size() && block.size() - offset >= bytes ? block.data() + offset : nullptr;
  }

  std::string explain(std::uint64_t address, std::size_t bytes) const {
    return contents_.explain(address, bytes);
  }

  /// Fault injection: inverts one bit of a .const variable. Returns false if the byte does not exist.
  bool flip_bit(std::uint64_t address, unsigned bit) {
    std::uint8_t* byte = contents_.find(address, 1);
    if (byte && bit < 8) *byte ^= static_cast<std::uint8_t>(1u << bit);
    return byte && bit < 8;
  }

 private:
  MemoryImage contents_;
};

}  // namespace heddle
