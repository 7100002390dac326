#pragma once

// Numbers and structures of CUDA's runtime and driver interfaces, as compiled programs use them (CUDA Runtime
// API and CUDA Driver API reference manuals, 11 to 13).

#include <cstddef>
#include <cstdint>

#include "testbench/kernels/include/heddle_cc/cuda_errors.h"

namespace heddle::cudart {

enum CopyKind : int {
  kHostToHost = 0,
  kHostToDevice = 1,
  kDeviceToHost = 2,
  kDeviceToDevice = 3,
  kDefault = 4
};

struct PitchedPointer {
  void* pointer;
  std::size_t pitch, width, height;
};
struct Extent {
  std::size_t width, height, depth;
};
struct Position {
  std::size_t x, y, z;
};
struct Copy3D {
  void* source_array;
  Position source_position;
  PitchedPointer source;
  void* target_array;
  Position target_position;
  PitchedPointer target;
  Extent extent;
  int kind;
};

struct PointerAttributes {
  int type;  ///< 0: unregistered, 1: host, 2: device, 3: managed memory
  int device;
  void* device_pointer;
  void* host_pointer;
};

/// CUDA's structure for a location of managed memory: host or device
struct MemoryPlace {
  int type;
  int id;
};

/// the members of cudaFuncAttributes that exist in all versions of CUDA
struct FunctionAttributes {
  std::size_t shared_bytes, constant_bytes, local_bytes;
  int max_threads, registers, ptx_version, binary_version, cache_mode, max_dynamic_shared, preferred_carveout;
};

struct LaunchConfiguration {
  std::uint32_t grid[3], block[3];
  std::size_t shared_bytes;
  void* stream;
  struct LaunchAttribute* attributes;
  unsigned attribute_count;
};
struct LaunchAttribute {
  int id;
  char pad[4];
  std::uint32_t value[16];
};
enum LaunchAttributeId : int { kCooperative = 2, kClusterDimension = 4 };

struct FatBinaryWrapper {
  std::uint32_t magic, version;
  const void* data;
  void* more;
};
inline constexpr std::uint32_t kWrapperMagic = 0x466243b1;

}  // namespace heddle::cudart
