#pragma once

// Makes headers of textures and surfaces. CUDA describes these by a resource (their memory) and by a sampling
// mode.

#include <cstddef>

#include "testbench/cudart/runtime.h"

namespace heddle::cudart {

struct LinearResource {
  void* pointer;
  ChannelDescription channels;
  std::size_t bytes;
};
struct PitchedResource {
  void* pointer;
  ChannelDescription channels;
  std::size_t width, height, pitch;
};
/// CUDA's description of a texture's memory: layout of cudaResourceDesc
struct ResourceDescription {
  int kind;
  union {
    void* array;
    LinearResource linear;
    PitchedResource pitched;
    int reserved[32];
  };
};
enum ResourceKind : int { kArray = 0, kMipmappedArray = 1, kLinear = 2, kPitched = 3 };

/// CUDA's description of a texture's sampling: layout of cudaTextureDesc, without the members for mipmaps
struct TextureDescription {
  int address[3];
  int filter;
  int read;
  int srgb;
  float border[4];
  int normalized;
};

/// Returns a header for the memory of a resource, without a sampling mode. Throws Refusal for an unsupported
/// resource or unallocated memory.
isa::TextureHeader header_of(Runtime& r, const ResourceDescription& description);
/// Adds the sampling mode to a header. `linear_memory`: true if the resource is one-dimensional memory, not
/// an array.
void set_sampling(const TextureDescription& description, bool linear_memory, isa::TextureHeader& header);

}  // namespace heddle::cudart
