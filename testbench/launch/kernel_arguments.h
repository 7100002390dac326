#pragma once

// Converts the arguments of a launch file to the parameter block of a kernel.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "models/isa/program.h"
#include "testbench/launch/launch_format.h"

namespace heddle::launch {

struct BufferPlace {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
};
/// Function that returns the memory of an argument. It is called for arguments of kind `buffer`, `symbol` or
/// `texture`.
using FindPlace = std::function<BufferPlace(const Argument& argument)>;

/// Returns true if the parameter accepts a number of this type. A float parameter accepts only floats, an
/// integer parameter only integers, an untyped parameter both.
bool takes_number(const isa::KernelParameter& parameter, ElementType type);

/// Returns the size of a launch's dynamic shared memory: "shared_bytes" of the launch file's step, plus the
/// bytes of each argument {"shared": BYTES}, which begins at a multiple of 16. Throws Error for sizes out of
/// range.
std::uint32_t dynamic_shared_bytes(const Step& step, const Scope& scope);

/// Returns the parameter block of a kernel. Throws Error (file, line, key) for arguments of wrong number,
/// size or kind, and for values out of range.
std::vector<std::uint8_t> make_parameters(const Step& step, const isa::Program& program, const Scope& scope,
                                          const FindPlace& find_place, int address_bits = 64);

/// Returns the bytes of a structure with these members, with the layout that C uses. Throws Error for values
/// out of range.
std::vector<std::uint8_t> make_members(const std::vector<Argument>& members, const Scope& scope,
                                       const FindPlace& find_place, int address_bits);

}  // namespace heddle::launch
