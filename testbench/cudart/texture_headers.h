#pragma once

// Headers of textures and surfaces from what a program says of them: a resource, and how it is sampled.

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
/// cudaResourceDesc.
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

/// cudaTextureDesc, as far as one level goes.
struct TextureDescription {
  int address[3];
  int filter;
  int read;
  int srgb;
  float border[4];
  int normalized;
};

/// The texels of a resource, without sampling and kind. Throws Refusal for what Heddle has not, or memory has not.
isa::TextureHeader header_of(Runtime& r, const ResourceDescription& description);
/// `linear_memory`: of one dimension, in memory that is no array.
void set_sampling(const TextureDescription& description, bool linear_memory, isa::TextureHeader& header);

}  // namespace heddle::cudart
