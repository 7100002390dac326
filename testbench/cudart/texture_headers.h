#pragma once

// Makes headers of textures and surfaces from a program's descriptions of a resource and its sampling.

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
/// cudaResourceDesc
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

/// cudaTextureDesc, without the members for mipmaps
struct TextureDescription {
  int address[3];
  int filter;
  int read;
  int srgb;
  float border[4];
  int normalized;
};

/// Returns a header with the texels of a resource, without sampling and kind. Throws Refusal for a resource
/// that Heddle does not support, or that is not in memory.
isa::TextureHeader header_of(Runtime& r, const ResourceDescription& description);
/// `linear_memory`: the resource is one-dimensional memory that is not an array.
void set_sampling(const TextureDescription& description, bool linear_memory, isa::TextureHeader& header);

}  // namespace heddle::cudart
