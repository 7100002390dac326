// CUDA calls for texture and surface references (CUDA 11 and older). A reference is a module variable that
// contains a header. The host calls a function to bind the reference to memory; the same call also sets the
// sampling mode.

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "testbench/cudart/api.h"
#include "testbench/cudart/texture_headers.h"

namespace heddle::cudart {
namespace {

struct TextureReference {
  int normalized;
  int filter;
  int address[3];
  ChannelDescription channels;
  int srgb;
};

std::uint8_t* header_at(Runtime& r, const void* reference) {
  const isa::ModuleVariable* const variable = r.modules().variable(reference);
  std::uint8_t* const bytes =
      variable ? r.memory().bytes_at(variable->address, isa::kTextureHeaderBytes) : nullptr;
  if (!bytes)
    refuse(cudaErrorInvalidTexture,
           fmt::format("{:#x} is no texture or surface reference of the device", address_of(reference)));
  return bytes;
}

void bind(Runtime& r, const TextureReference& reference, const ResourceDescription& resource) {
  std::uint8_t* const place = header_at(r, &reference);
  isa::TextureHeader h = header_of(r, resource);
  const Textures::Reference registered = r.textures().reference(&reference);
  // A reference for one dimension may be bound to an array with one row.
  if (registered.one_dimension && h.height == 1 && h.slices == 1) isa::complete(h, isa::TextureShape::d1);
  TextureDescription sampling{};
  std::copy_n(reference.address, 3, sampling.address);
  sampling.filter = reference.filter;
  sampling.read = registered.normalized ? 1 : 0;
  sampling.srgb = reference.srgb;
  sampling.normalized = reference.normalized;
  set_sampling(sampling, resource.kind == kLinear, h);
  h.kind = isa::HeaderKind::texture;
  std::memcpy(place, &h, sizeof h);
}

ResourceDescription array_resource(const void* array) {
  ResourceDescription resource{};
  resource.kind = kArray;
  resource.array = const_cast<void*>(array);
  return resource;
}

/// Throws Refusal if the channel format in the call differs from the array's format.
void check_channels(Runtime& r, const void* array, const ChannelDescription* channels) {
  const ChannelDescription& own = r.textures().array(array).channels;
  if (channels && (!std::equal(own.bits, own.bits + 4, channels->bits) || own.kind != channels->kind))
    refuse(cudaErrorInvalidValue, "channels that differ from the array's");
}

}  // namespace

HEDDLE_CUDA void __cudaRegisterTexture(void** code, const void* host, const void**, const char* name,
                                       int dimensions, int normalized, int) {
  Runtime::instance().prepare(__func__, [&](Runtime& r) {
    r.modules().add_variable(r.modules().checked(code), host, text_at(name), nullptr);
    r.textures().add_reference(host, {dimensions == 1, normalized != 0});
  });
}

HEDDLE_CUDA void __cudaRegisterSurface(void** code, const void* host, const void**, const char* name, int,
                                       int) {
  Runtime::instance().prepare(__func__, [&](Runtime& r) {
    r.modules().add_variable(r.modules().checked(code), host, text_at(name), nullptr);
  });
}

HEDDLE_CUDA int cudaBindTexture(std::size_t* offset, const TextureReference* reference, const void* pointer,
                                const ChannelDescription* channels, std::size_t bytes) {
  return Runtime::instance().call(__func__, [&](Runtime& r) {
    const program::DeviceMemory::Block* const block = r.memory().block_of(address_of(pointer));
    if (!block) refuse(cudaErrorInvalidValue, r.memory().explain(address_of(pointer), 1));
    ResourceDescription resource{};
    resource.kind = kLinear;
    // If the call gives no size, the texture extends to the end of the allocation.
    resource.linear = {const_cast<void*>(pointer), at(channels),
                       std::min<std::size_t>(bytes, block->address + block->bytes - address_of(pointer))};
    bind(r, at(reference), resource);
    if (offset) *offset = 0;
  });
}

HEDDLE_CUDA int cudaBindTexture2D(std::size_t* offset, const TextureReference* reference, const void* pointer,
                                  const ChannelDescription* channels, std::size_t width, std::size_t height,
                                  std::size_t pitch) {
  return Runtime::instance().call(__func__, [&](Runtime& r) {
    ResourceDescription resource{};
    resource.kind = kPitched;
    resource.pitched = {const_cast<void*>(pointer), at(channels), width, height, pitch};
    bind(r, at(reference), resource);
    if (offset) *offset = 0;
  });
}

HEDDLE_CUDA int cudaBindTextureToArray(const TextureReference* reference, const void* array,
                                       const ChannelDescription* channels) {
  return Runtime::instance().call(__func__, [&](Runtime& r) {
    check_channels(r, array, channels);
    bind(r, at(reference), array_resource(array));
  });
}

HEDDLE_CUDA int cudaUnbindTexture(const TextureReference* reference) {
  return Runtime::instance().call(
      __func__, [&](Runtime& r) { std::memset(header_at(r, reference), 0, isa::kTextureHeaderBytes); });
}

HEDDLE_CUDA int cudaGetTextureReference(const TextureReference** reference, const void* symbol) {
  return Runtime::instance().call(__func__, [&](Runtime& r) {
    header_at(r, symbol);
    at(reference) = static_cast<const TextureReference*>(symbol);
  });
}

HEDDLE_CUDA int cudaGetTextureAlignmentOffset(std::size_t* offset, const TextureReference* reference) {
  return Runtime::instance().call(__func__, [&](Runtime& r) {
    header_at(r, reference);
    at(offset) = 0;
  });
}

HEDDLE_CUDA int cudaBindSurfaceToArray(const void* reference, const void* array,
                                       const ChannelDescription* channels) {
  return Runtime::instance().call(__func__, [&](Runtime& r) {
    check_channels(r, array, channels);
    std::uint8_t* const place = header_at(r, reference);
    isa::TextureHeader h = header_of(r, array_resource(array));
    h.kind = isa::HeaderKind::surface;
    std::memcpy(place, &h, sizeof h);
  });
}

HEDDLE_CUDA int cudaGetSurfaceReference(const void** reference, const void* symbol) {
  return Runtime::instance().call(__func__, [&](Runtime& r) {
    header_at(r, symbol);
    at(reference) = symbol;
  });
}

}  // namespace heddle::cudart
