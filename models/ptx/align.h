#pragma once

#include <cstdint>

namespace heddle::ptx {

inline std::uint64_t align_up(std::uint64_t value, std::uint64_t align) {
  return (value + align - 1) / align * align;
}

}  // namespace heddle::ptx
