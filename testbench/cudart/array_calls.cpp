#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "testbench/cudart/api.h"

namespace heddle::cudart {
namespace {

// Alignment of rows in bytes (assumed, because the layout of CUDA's arrays is not published).
constexpr std::size_t kRowAlignment = 32;

void* allocate_array(Runtime& r, const ChannelDescription& channels, const Extent& extent, unsigned flags) {
  isa::TextureHeader header;
  set_channels(channels, header);
  isa::complete(header, isa::TextureShape::d1);
  constexpr std::size_t kMost = 1 << 17;
  if (extent.width == 0 || extent.width > kMost || extent.height > kMost || extent.depth > kMost)
    refuse(cudaErrorInvalidValue,
           fmt::format("an array of {} x {} x {}", extent.width, extent.height, extent.depth));
  if ((flags & kCubemap) != 0 &&
      (extent.width != extent.height || extent.depth == 0 || extent.depth % 6 != 0))
    refuse(cudaErrorInvalidValue, "a cubemap needs square faces, six of them or a multiple");
  Array a;
  a.extent = extent;
  a.flags = flags;
  a.channels = channels;
  a.texel_bytes = header.texel_bytes;
  a.pitch = (extent.width * a.texel_bytes + kRowAlignment - 1) / kRowAlignment * kRowAlignment;
  a.address = r.memory().allocate(a.bytes(), program::DeviceMemory::Kind::device);
  if (a.address == 0)
    refuse(cudaErrorMemoryAllocation, fmt::format("no room for an array of {} bytes", a.bytes()));
  return &r.textures().add(a);
}

/// Rows that are copied between an array and memory. `x`, `width` and `pitch` are in bytes.
struct Rows {
  std::size_t x = 0, y = 0;
  std::size_t width = 0, height = 0, pitch = 0;
};

std::uint8_t* memory_at(Runtime& r, const void* pointer, const Rows& rows) {
  const std::size_t bytes = sum(product(rows.pitch, rows.height - 1), rows.width);
  std::uint8_t* const found = r.memory().bytes_at(address_of(pointer), bytes);
  if (!found) refuse(cudaErrorInvalidValue, r.memory().explain(address_of(pointer), bytes));
  if (!r.memory().block_of(address_of(pointer)) && !program::is_host_memory(pointer, bytes))
    refuse(cudaErrorInvalidValue,
           fmt::format("{} bytes at {:#x}, which the host does not have", bytes, address_of(pointer)));
  return found;
}

void copy_array(Runtime& r, const Array& a, const void* pointer, const Rows& rows, bool into) {
  if (rows.width == 0 || rows.height == 0) return;
  if (sum(rows.x, rows.width) > a.extent.width * a.texel_bytes || sum(rows.y, rows.height) > a.rows() ||
      rows.width > rows.pitch)
    refuse(cudaErrorInvalidValue,
           fmt::format("{} rows of {} bytes from ({}, {}) of an array of {} rows of {} bytes", rows.height,
                       rows.width, rows.x, rows.y, a.rows(), a.extent.width * a.texel_bytes));
  std::uint8_t* const memory = memory_at(r, pointer, rows);
  std::uint8_t* const array = r.memory().bytes_at(a.address, a.bytes()) + rows.y * a.pitch + rows.x;
  for (std::size_t row = 0; row < rows.height; ++row) {
    std::uint8_t *const here = array + row * a.pitch, *const there = memory + row * rows.pitch;
    std::memmove(into ? here : there, into ? there : here, rows.width);
  }
}

void copy_run(Runtime& r, const Array& a, std::size_t x, std::size_t y, const void* pointer,
              std::size_t bytes, bool into) {
  const std::size_t row = a.extent.width * a.texel_bytes;
  const char* at = static_cast<const char*>(pointer);
  while (bytes != 0) {
    const std::size_t step = std::min(bytes, x < row ? row - x : 0);
    if (step == 0) refuse(cudaErrorInvalidValue, fmt::format("byte {} of rows of {} bytes", x, row));
    copy_array(r, a, at, {x, y, step, 1, step}, into);
    at += step;
    bytes -= step;
    x = 0;
    ++y;
  }
}

}  // namespace

void become_pitched(Runtime& r, void* array, PitchedPointer& side, Position& position, std::size_t& texel) {
  const Array& a = r.textures().array(array);
  side = {pointer_to(a.address), a.pitch, a.extent.width * a.texel_bytes, a.rows()};
  position.x *= a.texel_bytes;
  texel = a.texel_bytes;
}

HEDDLE_CUDA int cudaMallocArray(void** array, const ChannelDescription* channels, std::size_t width,
                                std::size_t height, unsigned flags) {
  return Runtime::instance().call(__func__, [&](Runtime& r) {
    void*& result = at(array);
    result = allocate_array(r, at(channels), {width, height, 0}, flags);
  });
}

HEDDLE_CUDA int cudaMalloc3DArray(void** array, const ChannelDescription* channels, Extent extent,
                                  unsigned flags) {
  return Runtime::instance().call(__func__, [&](Runtime& r) {
    void*& result = at(array);
    result = allocate_array(r, at(channels), extent, flags);
  });
}

HEDDLE_CUDA int cudaFreeArray(void* array) {
  return Runtime::instance().call(__func__, [&](Runtime& r) {
    if (!array) return;
    r.memory().release(r.textures().array(array).address, program::DeviceMemory::Kind::device);
    r.textures().remove(array);
  });
}

HEDDLE_CUDA int cudaArrayGetInfo(ChannelDescription* channels, Extent* extent, unsigned* flags, void* array) {
  return Runtime::instance().call(__func__, [&](Runtime& r) {
    const Array& a = r.textures().array(array);
    if (channels) *channels = a.channels;
    if (extent) *extent = a.extent;
    if (flags) *flags = a.flags;
  });
}

HEDDLE_CUDA int cudaGetChannelDesc(ChannelDescription* channels, const void* array) {
  return Runtime::instance().call(__func__,
                                  [&](Runtime& r) { at(channels) = r.textures().array(array).channels; });
}

HEDDLE_CUDA int cudaMemcpy2DToArray(void* array, std::size_t x, std::size_t y, const void* from,
                                    std::size_t pitch, std::size_t width, std::size_t height, int) {
  return Runtime::instance().call(__func__, [&](Runtime& r) {
    copy_array(r, r.textures().array(array), from, {x, y, width, height, pitch}, true);
  });
}
HEDDLE_CUDA_TWIN(cudaMemcpy2DToArray, ptds)

HEDDLE_CUDA int cudaMemcpy2DFromArray(void* to, std::size_t pitch, const void* array, std::size_t x,
                                      std::size_t y, std::size_t width, std::size_t height, int) {
  return Runtime::instance().call(__func__, [&](Runtime& r) {
    copy_array(r, r.textures().array(array), to, {x, y, width, height, pitch}, false);
  });
}
HEDDLE_CUDA_TWIN(cudaMemcpy2DFromArray, ptds)

HEDDLE_CUDA int cudaMemcpyToArray(void* array, std::size_t x, std::size_t y, const void* from,
                                  std::size_t bytes, int) {
  return Runtime::instance().call(
      __func__, [&](Runtime& r) { copy_run(r, r.textures().array(array), x, y, from, bytes, true); });
}
HEDDLE_CUDA_TWIN(cudaMemcpyToArray, ptds)

HEDDLE_CUDA int cudaMemcpyFromArray(void* to, const void* array, std::size_t x, std::size_t y,
                                    std::size_t bytes, int) {
  return Runtime::instance().call(
      __func__, [&](Runtime& r) { copy_run(r, r.textures().array(array), x, y, to, bytes, false); });
}
HEDDLE_CUDA_TWIN(cudaMemcpyFromArray, ptds)

// The stream has no effect, because all streams run one after another.

HEDDLE_CUDA int cudaMemcpy2DToArrayAsync(void* array, std::size_t x, std::size_t y, const void* from,
                                         std::size_t pitch, std::size_t width, std::size_t height, int,
                                         void* stream) {
  return Runtime::instance().call(__func__, [&](Runtime& r) {
    r.check_stream(stream);
    copy_array(r, r.textures().array(array), from, {x, y, width, height, pitch}, true);
  });
}
HEDDLE_CUDA_TWIN(cudaMemcpy2DToArrayAsync, ptsz)

HEDDLE_CUDA int cudaMemcpy2DFromArrayAsync(void* to, std::size_t pitch, const void* array, std::size_t x,
                                           std::size_t y, std::size_t width, std::size_t height, int,
                                           void* stream) {
  return Runtime::instance().call(__func__, [&](Runtime& r) {
    r.check_stream(stream);
    copy_array(r, r.textures().array(array), to, {x, y, width, height, pitch}, false);
  });
}
HEDDLE_CUDA_TWIN(cudaMemcpy2DFromArrayAsync, ptsz)

HEDDLE_CUDA int cudaMemcpyToArrayAsync(void* array, std::size_t x, std::size_t y, const void* from,
                                       std::size_t bytes, int, void* stream) {
  return Runtime::instance().call(__func__, [&](Runtime& r) {
    r.check_stream(stream);
    copy_run(r, r.textures().array(array), x, y, from, bytes, true);
  });
}
HEDDLE_CUDA_TWIN(cudaMemcpyToArrayAsync, ptsz)

HEDDLE_CUDA int cudaMemcpyFromArrayAsync(void* to, const void* array, std::size_t x, std::size_t y,
                                         std::size_t bytes, int, void* stream) {
  return Runtime::instance().call(__func__, [&](Runtime& r) {
    r.check_stream(stream);
    copy_run(r, r.textures().array(array), x, y, to, bytes, false);
  });
}
HEDDLE_CUDA_TWIN(cudaMemcpyFromArrayAsync, ptsz)

}  // namespace heddle::cudart
