// The CUDA calls for texture and surface objects over arrays, linear and pitched memory.

#include <fmt/format.h>

#include <cstring>
#include <vector>

#include "testbench/cudart/api.h"
#include "testbench/cudart/texture_headers.h"

namespace heddle::cudart {
namespace {

std::uint64_t add_header(Runtime& r, const isa::TextureHeader& h) {
  const std::uint64_t handle = r.textures().take_handle();
  std::vector<std::uint8_t> bytes(sizeof h);
  std::memcpy(bytes.data(), &h, sizeof h);
  r.memory().add_header(handle, bytes);
  return handle;
}

void remove_header(Runtime& r, std::uint64_t handle, const char* what) {
  if (!r.memory().remove_header(handle))
    refuse(cudaErrorInvalidResourceHandle, fmt::format("{:#x} is no {}", handle, what));
  r.textures().give_back(handle);
}

}  // namespace

HEDDLE_CUDA int cudaCreateTextureObject(std::uint64_t* object, const ResourceDescription* resource,
                                        const TextureDescription* texture, const void* view) {
  return Runtime::instance().call(__func__, [&](Runtime& r) {
    if (view) refuse(cudaErrorNotSupported, "a texture with a resource view");
    isa::TextureHeader h = header_of(r, at(resource));
    set_sampling(at(texture), resource->kind == kLinear, h);
    h.kind = isa::HeaderKind::texture;
    std::uint64_t& result = at(object);
    result = add_header(r, h);
  });
}

HEDDLE_CUDA int cudaDestroyTextureObject(std::uint64_t object) {
  return Runtime::instance().call(__func__, [&](Runtime& r) { remove_header(r, object, "texture object"); });
}

HEDDLE_CUDA int cudaCreateSurfaceObject(std::uint64_t* object, const ResourceDescription* resource) {
  return Runtime::instance().call(__func__, [&](Runtime& r) {
    if (at(resource).kind != kArray)
      refuse(cudaErrorInvalidValue, "a surface of a resource that is no CUDA array");
    isa::TextureHeader h = header_of(r, *resource);
    h.kind = isa::HeaderKind::surface;
    std::uint64_t& result = at(object);
    result = add_header(r, h);
  });
}

HEDDLE_CUDA int cudaDestroySurfaceObject(std::uint64_t object) {
  return Runtime::instance().call(__func__, [&](Runtime& r) { remove_header(r, object, "surface object"); });
}

HEDDLE_CUDA ChannelDescription cudaCreateChannelDesc(int x, int y, int z, int w, int kind) {
  return {{x, y, z, w}, kind};
}

}  // namespace heddle::cudart
