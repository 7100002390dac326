#pragma once

// Where the variables of a program's modules lie.

#include <cstdint>

namespace heddle::ptx {

/// Where the next variables of a program go; 0: where those of its first module do (models/isa/address_size.h).
struct VariableSpace {
  std::uint64_t global = 0, constant = 0;
};

}  // namespace heddle::ptx
