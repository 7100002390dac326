#pragma once

// From the arguments of a launch file to the parameter block of a kernel.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "models/isa/program.h"
#include "testbench/launch/launch_format.h"

namespace heddle::launch {

/// Looks up the device address and the size of a buffer by its present name.
struct BufferPlace {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
};
using FindBuffer = std::function<BufferPlace(const std::string& name)>;

/// The parameter block. Throws Error (file, line, key) where the arguments do not fit the kernel's parameters
/// in number, size or kind, and for values out of range.
std::vector<std::uint8_t> make_parameters(const Step& step, const isa::Program& program, const Scope& scope,
                                          const FindBuffer& find_buffer, int address_bits = 64);

}  // namespace heddle::launch
