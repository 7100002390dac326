#pragma once

// Map of the device address space. A datum has the same address in its state space and in the generic space.
// The addresses of the windows are assumed, and differ from the addresses of real GPUs.

#include <cstdint>

namespace heddle::isa {

inline constexpr std::uint64_t kSharedWindow = 0x0100'0000;
/// Address window for local memory of one thread, up to 16 MiB.
inline constexpr std::uint64_t kLocalWindow = 0x0200'0000;
inline constexpr std::uint64_t kParamWindow = 0x0400'0000;
/// Address window for module-level .const variables, 16 MiB.
inline constexpr std::uint64_t kConstWindow = 0x0500'0000;
inline constexpr std::uint64_t kWindowBytes = 0x0100'0000;
/// Address of the headers of textures, surfaces and samplers that the launch file declares but no variable of
/// the module declares.
inline constexpr std::uint64_t kTextureHeaders = kConstWindow + kWindowBytes / 2;

/// Address of the first module-level .global variable.
inline constexpr std::uint64_t kModuleGlobals = 0x1'0000'0000;
inline constexpr std::uint64_t kDeviceHeap = 0x1'8000'0000;
/// Address at which the buffers of the launch file begin.
inline constexpr std::uint64_t kBuffers = 0x2'0000'0000;
/// Device-memory address at which the local memory of all threads begins.
inline constexpr std::uint64_t kLocalBacking = 0x40'0000'0000;
/// Least number of unallocated bytes between two allocations, so that an access past the end of an allocation
/// is detected.
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

/// Returns the device-memory address of byte `offset` of a lane's local memory. Words are interleaved over
/// the lanes of a warp, so that accesses of all lanes to the same local address coalesce. With n words per
/// thread, word w of lane l of warp i is at byte ((i * n + w) * 32 + l) * 4. `warp_index`: number of the
/// warp, among the warp slots of the GPU or among the warps of the grid.
constexpr std::uint64_t local_backing_address(std::uint64_t warp_index, std::uint64_t words_per_thread,
                                              std::uint64_t offset, unsigned lane) {
  return kLocalBacking + ((warp_index * words_per_thread + offset / 4) * 32 + lane) * 4 + offset % 4;
}

}  // namespace heddle::isa
