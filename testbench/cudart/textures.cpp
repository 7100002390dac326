#include "testbench/cudart/textures.h"

#include <fmt/format.h>

#include "models/isa/address_map.h"
#include "testbench/cudart/refusal.h"

namespace heddle::cudart {

void set_channels(const ChannelDescription& c, isa::TextureHeader& header) {
  int count = 0;
  while (count < 4 && c.bits[count] != 0) ++count;
  const int bits = c.bits[0];
  bool fits = count == 1 || count == 2 || count == 4;
  for (int i = 0; i < 4; ++i) fits = fits && c.bits[i] == (i < count ? bits : 0);
  fits = fits && (bits == 8 || bits == 16 || bits == 32) && c.kind >= 0 && c.kind <= kFloatChannel &&
         !(c.kind == kFloatChannel && bits == 8);
  if (!fits)
    refuse(cudaErrorInvalidValue, fmt::format("channels of {} {} {} {} bits of kind {}", c.bits[0], c.bits[1],
                                              c.bits[2], c.bits[3], c.kind));
  using isa::ChannelType;
  constexpr ChannelType kTypes[3][3] = {{ChannelType::s8, ChannelType::s16, ChannelType::s32},
                                        {ChannelType::u8, ChannelType::u16, ChannelType::u32},
                                        {ChannelType::f16, ChannelType::f16, ChannelType::f32}};
  header.type = kTypes[c.kind][bits == 8 ? 0 : bits == 16 ? 1 : 2];
  header.order = count == 1   ? isa::ChannelOrder::r
                 : count == 2 ? isa::ChannelOrder::rg
                              : isa::ChannelOrder::rgba;
}

Array& Textures::add(Array array) {
  auto owned = std::make_unique<Array>(array);
  Array& added = *owned;
  arrays_[&added] = std::move(owned);
  return added;
}

Array& Textures::array(const void* handle) {
  const auto found = arrays_.find(handle);
  if (found == arrays_.end())
    refuse(cudaErrorInvalidResourceHandle, fmt::format("{:#x} is no CUDA array", address_of(handle)));
  return *found->second;
}

void Textures::remove(const void* handle) { arrays_.erase(handle); }

std::uint64_t Textures::take_handle() {
  if (!free_.empty()) {
    const std::uint64_t handle = free_.begin()->first;
    free_.erase(free_.begin());
    return handle;
  }
  const std::uint64_t handle = isa::kTextureHeaders + next_;
  if (handle + isa::kAllocationGap > isa::kConstWindow + isa::kWindowBytes)
    refuse(cudaErrorMemoryAllocation, "no room for the header of another texture or surface");
  next_ += isa::kAllocationGap;
  return handle;
}

void Textures::clear() {
  arrays_.clear();
  free_.clear();
  next_ = 0;
}

}  // namespace heddle::cudart
