#pragma once

// Reads and writes NumPy's .npy files: versions 1 to 3, little endian, with the launch format's element
// types.

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
  std::vector<std::uint8_t> data;  ///< bytes of all elements, in C order
};

/// Reads an array. Throws Error, which names the file, for unsupported contents: big endian, Fortran order of
/// more than one dimension, other element types, or a length that does not match the header.
NpyArray read_npy(const std::string& path);

/// Writes a .npy file with a one-dimensional array, piece by piece.
void write_npy(const std::function<void(std::string_view)>& write, ElementType type,
               std::span<const std::uint8_t> data);

/// These functions return all bytes of a file, as text or as bytes. They throw Error if the file cannot be
/// read.
std::string read_binary(const std::string& path);
std::vector<std::uint8_t> read_bytes(const std::string& path);

}  // namespace heddle::launch
