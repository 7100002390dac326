#pragma once

// The device address space. A state-space address and the generic address of the same datum are equal (cvta
// is the identity), so that one number means one place everywhere. Assumed: real parts use other windows.

#include <cstdint>

namespace heddle::isa {

inline constexpr std::uint64_t kSharedWindow = 0x0100'0000;  ///< shared memory of the CTA, up to 16 MiB
inline constexpr std::uint64_t kLocalWindow = 0x0200'0000;   ///< a thread's own local memory, up to 16 MiB
inline constexpr std::uint64_t kParamWindow = 0x0400'0000;   ///< kernel parameters, up to 4 KiB and more
inline constexpr std::uint64_t kConstWindow = 0x0500'0000;   ///< module-level .const variables, 16 MiB
inline constexpr std::uint64_t kWindowBytes = 0x0100'0000;
/// Headers of textures, surfaces and samplers that are no variables of a module (texture.h).
inline constexpr std::uint64_t kTextureHeaders = kConstWindow + kWindowBytes / 2;

inline constexpr std::uint64_t kModuleGlobals = 0x1'0000'0000;  ///< module-level .global variables
inline constexpr std::uint64_t kDeviceHeap = 0x1'8000'0000;     ///< of malloc in kernels
inline constexpr std::uint64_t kBuffers = 0x2'0000'0000;        ///< buffers of the launch file
inline constexpr std::uint64_t kLocalBacking = 0x40'0000'0000;  ///< where local memory lives in device memory
inline constexpr std::uint64_t kAllocationGap = 4096;  ///< unmapped bytes between allocations, at least

enum class Window : std::uint8_t { global, shared, local, param, constant };

constexpr Window window_of(std::uint64_t address) {
  if (address >= kModuleGlobals) return Window::global;
  if (address - kSharedWindow < kWindowBytes) return Window::shared;
  if (address - kLocalWindow < kWindowBytes) return Window::local;
  if (address - kParamWindow < kWindowBytes) return Window::param;
  if (address - kConstWindow < kWindowBytes) return Window::constant;
  return Window::global;
}

/// Local memory is interleaved by 32-bit word over the lanes of a warp (word w of lane l of the warp with
/// resident-or-global index i lies at ((i * words + w) * 32 + l) * 4), so that equal local addresses
/// coalesce.
constexpr std::uint64_t local_backing_address(std::uint64_t warp_index, std::uint64_t words_per_thread,
                                              std::uint64_t offset, unsigned lane) {
  return kLocalBacking + ((warp_index * words_per_thread + offset / 4) * 32 + lane) * 4 + offset % 4;
}

}  // namespace heddle::isa
