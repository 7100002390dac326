#pragma once

// The map of the device address space. The state-space address and the generic address of a datum are equal,
// so cvta copies its operand, and a number means the same byte everywhere. The positions of the windows are
// assumed; real GPUs use others.

#include <cstdint>

namespace heddle::isa {

/// Start of the window for shared memory of the CTA, up to 16 MiB.
inline constexpr std::uint64_t kSharedWindow = 0x0100'0000;
/// Start of the window for local memory of one thread, up to 16 MiB.
inline constexpr std::uint64_t kLocalWindow = 0x0200'0000;
/// Start of the window for kernel parameters, up to 16 MiB.
inline constexpr std::uint64_t kParamWindow = 0x0400'0000;
/// Start of the window for module-level .const variables, 16 MiB.
inline constexpr std::uint64_t kConstWindow = 0x0500'0000;
inline constexpr std::uint64_t kWindowBytes = 0x0100'0000;
/// Start of the headers of textures, surfaces and samplers (texture.h) that the launch file binds but no
/// variable of the module declares. The headers lie in the upper half of the window for constants.
inline constexpr std::uint64_t kTextureHeaders = kConstWindow + kWindowBytes / 2;

/// Start of the module-level .global variables.
inline constexpr std::uint64_t kModuleGlobals = 0x1'0000'0000;
inline constexpr std::uint64_t kDeviceHeap = 0x1'8000'0000;  ///< start of the heap for malloc in kernels
/// Start of the buffers that the launch file declares.
inline constexpr std::uint64_t kBuffers = 0x2'0000'0000;
/// Start of the part of device memory that holds the local memory of all threads.
inline constexpr std::uint64_t kLocalBacking = 0x40'0000'0000;
/// Least number of unmapped bytes between two allocations in device memory, so that an access past the end of
/// an allocation is detected.
inline constexpr std::uint64_t kAllocationGap = 4096;

enum class Window : std::uint8_t { global, shared, local, param, constant };

constexpr Window window_of(std::uint64_t address) {
  if (address >= kModuleGlobals) return Window::global;
  if (address - kSharedWindow < kWindowBytes) return Window::shared;
  if (address - kLocalWindow < kWindowBytes) return Window::local;
  if (address - kParamWindow < kWindowBytes) return Window::param;
  if (address - kConstWindow < kWindowBytes) return Window::constant;
  return Window::global;
}

/// Returns the device-memory address of byte `offset` of a lane's local memory. The 32-bit words of local
/// memory are interleaved over the lanes of a warp, so that accesses of all lanes to the same local address
/// coalesce. Word w of lane l of warp i is at byte ((i * words + w) * 32 + l) * 4, where `words` is the
/// number of words per thread. `warp_index` numbers either the resident warps or the warps of the grid, as
/// the executor chooses.
constexpr std::uint64_t local_backing_address(std::uint64_t warp_index, std::uint64_t words_per_thread,
                                              std::uint64_t offset, unsigned lane) {
  return kLocalBacking + ((warp_index * words_per_thread + offset / 4) * 32 + lane) * 4 + offset % 4;
}

}  // namespace heddle::isa
