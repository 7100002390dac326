#pragma once

// Reads and writes NumPy's .npy files of versions 1 to 3. Numbers must be little endian and of a type that
// launch files have.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "testbench/launch/element_type.h"

namespace heddle::launch {

struct NpyArray {
  ElementType type{};
  std::vector<std::uint64_t> shape;
  std::vector<std::uint8_t> data;
};

/// Reads a file. Throws Error for unsupported contents (big endian, Fortran order of several dimensions,
/// other element types), and if the length does not match the header.
NpyArray read_npy(const std::string& path);

void write_npy(const std::function<void(std::string_view)>& write, ElementType type,
               std::span<const std::uint8_t> data);

std::string read_binary(const std::string& path);
std::vector<std::uint8_t> read_bytes(const std::string& path);

}  // namespace heddle::launch
