#pragma once

// Makes headers of textures and surfaces from CUDA's descriptions of memory (resource) and sampling.

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

/// Returns a header for the memory that a resource describes, still without sampling mode and kind. Throws
/// Refusal for a resource that Heddle does not support, or whose memory is not allocated.
isa::TextureHeader header_of(Runtime& r, const ResourceDescription& description);
/// Adds the sampling mode. `linear_memory`: the resource is one-dimensional memory instead of an array.
void set_sampling(const TextureDescription& description, bool linear_memory, isa::TextureHeader& header);

}  // namespace heddle::cudart
