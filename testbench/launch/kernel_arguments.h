#pragma once

// Converts the arguments of a launch file to the parameter block of a kernel.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "models/isa/program.h"
#include "testbench/launch/launch_format.h"

namespace heddle::launch {

/// Address and size of a buffer or a module variable.
struct BufferPlace {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
};
/// Returns the memory that an argument of kind `buffer`, `symbol` or `texture` names, by its present name.
using FindPlace = std::function<BufferPlace(const Argument& argument)>;

/// Returns true if a parameter accepts a number of this type. A float parameter accepts no integer, an
/// integer parameter no float, and an untyped parameter both.
bool takes_number(const isa::KernelParameter& parameter, ElementType type);

/// Returns the size of a kernel's dynamic shared memory: "shared_bytes" of its step, plus the memory that its
/// arguments request. The memory of each argument is aligned to 16 bytes. Throws Error for sizes out of
/// range.
std::uint32_t dynamic_shared_bytes(const Step& step, const Scope& scope);

/// Returns the parameter block. Throws Error (file, line, key) for arguments that do not match the kernel's
/// parameters in number, size or kind, and for values out of range.
std::vector<std::uint8_t> make_parameters(const Step& step, const isa::Program& program, const Scope& scope,
                                          const FindPlace& find_place, int address_bits = 64);

/// Returns the bytes of a structure whose members are laid out as in C. Throws Error for values out of range.
std::vector<std::uint8_t> make_members(const std::vector<Argument>& members, const Scope& scope,
                                       const FindPlace& find_place, int address_bits);

}  // namespace heddle::launch
