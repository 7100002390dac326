#pragma once

// CUDA arrays, and texture and surface objects of a program. Arrays are pitched device memory. Texture and
// surface objects are headers in constant memory (models/isa/texture.h); an object's handle is the address of
// its header.

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "models/isa/texture.h"
#include "testbench/cudart/cuda_abi.h"

namespace heddle::cudart {

/// CUDA's description of a texel's channels: layout of cudaChannelFormatDesc
struct ChannelDescription {
  int bits[4];
  int kind;
};
enum ChannelKind : int { kSignedChannel = 0, kUnsignedChannel = 1, kFloatChannel = 2 };

enum ArrayFlag : unsigned { kLayered = 1, kSurface = 2, kCubemap = 4, kGather = 8 };

struct Array {
  std::uint64_t address = 0;
  Extent extent{};
  std::size_t pitch = 0;
  unsigned flags = 0;
  ChannelDescription channels{};
  std::size_t texel_bytes = 0;

  std::size_t rows() const { return extent.height ? extent.height : 1; }
  std::size_t slices() const { return extent.depth ? extent.depth : 1; }
  std::size_t bytes() const { return pitch * rows() * slices(); }
};

/// Sets the channels of a header. Throws Refusal for an unsupported channel format.
void set_channels(const ChannelDescription& channels, isa::TextureHeader& header);

class Textures {
 public:
  Array& add(Array array);
  Array& array(const void* handle);
  void remove(const void* handle);

  std::uint64_t take_handle();
  void give_back(std::uint64_t handle) { free_[handle] = true; }
  void clear();

  struct Reference {
    bool one_dimension = false;
    bool normalized = false;  ///< Unsigned integers are read as 0 to 1, signed integers as -1 to 1.
  };
  void add_reference(const void* host, Reference reference) { references_[host] = reference; }
  /// Returns a registered texture reference; for another address, a reference with default values.
  Reference reference(const void* host) const {
    const auto found = references_.find(host);
    return found == references_.end() ? Reference{} : found->second;
  }

 private:
  std::map<const void*, std::unique_ptr<Array>> arrays_;
  std::map<std::uint64_t, bool> free_;
  std::map<const void*, Reference> references_;
  std::uint64_t next_ = 0;
};

}  // namespace heddle::cudart
