// The CUDA calls that copy or fill memory. Each copy is complete when its call returns.

#include <fmt/format.h>

#include <cstring>

#include "testbench/cudart/api.h"

namespace heddle::cudart {
namespace {

enum class Side : std::uint8_t { host, device, any };

struct Sides {
  Side target, source;
};

Sides sides_of(int kind) {
  switch (kind) {
    case kHostToHost:
      return {Side::host, Side::host};
    case kHostToDevice:
      return {Side::device, Side::host};
    case kDeviceToHost:
      return {Side::host, Side::device};
    case kDeviceToDevice:
      return {Side::device, Side::device};
    case kDefault:
      return {Side::any, Side::any};
    default:
      refuse(cudaErrorInvalidMemcpyDirection, fmt::format("a copy in direction {}", kind));
  }
}

/// Returns a host pointer to the source or target of a copy. The program's pointer may point to host, pinned,
/// managed or device memory. The function finds the kind of memory from the address.
std::uint8_t* side(Runtime& r, const void* pointer, std::size_t bytes, Side which, const char* name) {
  const std::uint64_t address = address_of(pointer);
  if (!pointer) refuse(cudaErrorInvalidValue, fmt::format("the {} is no pointer: 0", name));
  if (which == Side::device && !r.memory().block_of(address))
    refuse(cudaErrorInvalidValue,
           fmt::format("the {} is no device memory: {}", name, r.memory().explain(address, bytes)));
  std::uint8_t* const found = r.memory().bytes_at(address, bytes);
  if (!found)
    refuse(cudaErrorInvalidValue, fmt::format("the {}: {}", name, r.memory().explain(address, bytes)));
  if (!r.memory().block_of(address) && !program::is_host_memory(pointer, bytes))
    refuse(cudaErrorInvalidValue,
           fmt::format("the {}: {} bytes at {:#x}, which the host does not have", name, bytes, address));
  return found;
}

void copy(Runtime& r, void* target, const void* source, std::size_t bytes, int kind) {
  const Sides sides = sides_of(kind);
  if (bytes == 0) return;
  std::uint8_t* const to = side(r, target, bytes, sides.target, "target");
  std::memmove(to, side(r, source, bytes, sides.source, "source"), bytes);
}

/// Returns the number of bytes that a pitched copy spans: from the first byte of the first row to the last
/// byte of the last row.
std::size_t span_of(std::size_t pitch, std::size_t width, std::size_t rows) {
  return sum(product(pitch, rows - 1), width);
}

void copy_rows(Runtime& r, void* target, std::size_t target_pitch, const void* source,
               std::size_t source_pitch, std::size_t width, std::size_t height, int kind) {
  const Sides sides = sides_of(kind);
  if (width > target_pitch || width > source_pitch)
    refuse(cudaErrorInvalidPitchValue,
           fmt::format("rows of {} bytes, pitches of {} and {}", width, target_pitch, source_pitch));
  if (width == 0 || height == 0) return;
  std::uint8_t* const to = side(r, target, span_of(target_pitch, width, height), sides.target, "target");
  const std::uint8_t* const from =
      side(r, source, span_of(source_pitch, width, height), sides.source, "source");
  for (std::size_t row = 0; row < height; ++row)
    std::memmove(to + row * target_pitch, from + row * source_pitch, width);
}

void copy_volume(Runtime& r, Copy3D c) {
  std::size_t texel = 1;
  if (c.source_array) become_pitched(r, c.source_array, c.source, c.source_position, texel);
  if (c.target_array) become_pitched(r, c.target_array, c.target, c.target_position, texel);
  c.extent.width = product(c.extent.width, texel);
  if (c.extent.width == 0 || c.extent.height == 0) return;
  const auto start = [](const PitchedPointer& p, const Position& at, std::size_t slice) {
    return sum(address_of(p.pointer), sum(product(at.z, slice), sum(product(at.y, p.pitch), at.x)));
  };
  const std::size_t from_slice = product(c.source.pitch, c.source.height),
                    to_slice = product(c.target.pitch, c.target.height);
  const auto slice = [&](const PitchedPointer& p, const Position& position, std::size_t bytes,
                         std::size_t z) {
    return pointer_to(sum(start(p, position, bytes), product(z, bytes)));
  };
  for (std::size_t z = 0; z < c.extent.depth; ++z)
    copy_rows(r, slice(c.target, c.target_position, to_slice, z), c.target.pitch,
              slice(c.source, c.source_position, from_slice, z), c.source.pitch, c.extent.width,
              c.extent.height, c.kind);
}

void fill_rows(Runtime& r, void* target, std::size_t pitch, int value, std::size_t width,
               std::size_t height) {
  if (width > pitch)
    refuse(cudaErrorInvalidPitchValue, fmt::format("rows of {} bytes, a pitch of {}", width, pitch));
  if (width == 0 || height == 0) return;
  std::uint8_t* const to = side(r, target, span_of(pitch, width, height), Side::device, "target");
  for (std::size_t row = 0; row < height; ++row) std::memset(to + row * pitch, value, width);
}

template <class Body>
int on_stream(const char* name, const void* stream, Body body) {
  return Runtime::instance().call(name, [&](Runtime& r) {
    r.check_stream(stream);
    body(r);
  });
}

}  // namespace

HEDDLE_CUDA int cudaMemcpy(void* target, const void* source, std::size_t bytes, int kind) {
  return on_stream(__func__, nullptr, [&](Runtime& r) { copy(r, target, source, bytes, kind); });
}
HEDDLE_CUDA_TWIN(cudaMemcpy, ptds)

HEDDLE_CUDA int cudaMemcpyAsync(void* target, const void* source, std::size_t bytes, int kind, void* stream) {
  return on_stream(__func__, stream, [&](Runtime& r) { copy(r, target, source, bytes, kind); });
}
HEDDLE_CUDA_TWIN(cudaMemcpyAsync, ptsz)

HEDDLE_CUDA int cudaMemcpyPeer(void* target, int, const void* source, int, std::size_t bytes) {
  return on_stream(__func__, nullptr, [&](Runtime& r) { copy(r, target, source, bytes, kDeviceToDevice); });
}

HEDDLE_CUDA int cudaMemcpyPeerAsync(void* target, int, const void* source, int, std::size_t bytes,
                                    void* stream) {
  return on_stream(__func__, stream, [&](Runtime& r) { copy(r, target, source, bytes, kDeviceToDevice); });
}

HEDDLE_CUDA int cudaMemcpy2D(void* target, std::size_t target_pitch, const void* source,
                             std::size_t source_pitch, std::size_t width, std::size_t height, int kind) {
  return on_stream(__func__, nullptr, [&](Runtime& r) {
    copy_rows(r, target, target_pitch, source, source_pitch, width, height, kind);
  });
}
HEDDLE_CUDA_TWIN(cudaMemcpy2D, ptds)

HEDDLE_CUDA int cudaMemcpy2DAsync(void* target, std::size_t target_pitch, const void* source,
                                  std::size_t source_pitch, std::size_t width, std::size_t height, int kind,
                                  void* stream) {
  return on_stream(__func__, stream, [&](Runtime& r) {
    copy_rows(r, target, target_pitch, source, source_pitch, width, height, kind);
  });
}
HEDDLE_CUDA_TWIN(cudaMemcpy2DAsync, ptsz)

HEDDLE_CUDA int cudaMemcpy3D(const Copy3D* parameters) {
  return on_stream(__func__, nullptr, [&](Runtime& r) { copy_volume(r, at(parameters)); });
}
HEDDLE_CUDA_TWIN(cudaMemcpy3D, ptds)

HEDDLE_CUDA int cudaMemcpy3DAsync(const Copy3D* parameters, void* stream) {
  return on_stream(__func__, stream, [&](Runtime& r) { copy_volume(r, at(parameters)); });
}
HEDDLE_CUDA_TWIN(cudaMemcpy3DAsync, ptsz)

HEDDLE_CUDA int cudaMemset(void* target, int value, std::size_t bytes) {
  return on_stream(__func__, nullptr, [&](Runtime& r) { fill_rows(r, target, bytes, value, bytes, 1); });
}
HEDDLE_CUDA_TWIN(cudaMemset, ptds)

HEDDLE_CUDA int cudaMemsetAsync(void* target, int value, std::size_t bytes, void* stream) {
  return on_stream(__func__, stream, [&](Runtime& r) { fill_rows(r, target, bytes, value, bytes, 1); });
}
HEDDLE_CUDA_TWIN(cudaMemsetAsync, ptsz)

HEDDLE_CUDA int cudaMemset2D(void* target, std::size_t pitch, int value, std::size_t width,
                             std::size_t height) {
  return on_stream(__func__, nullptr, [&](Runtime& r) { fill_rows(r, target, pitch, value, width, height); });
}
HEDDLE_CUDA_TWIN(cudaMemset2D, ptds)

HEDDLE_CUDA int cudaMemset2DAsync(void* target, std::size_t pitch, int value, std::size_t width,
                                  std::size_t height, void* stream) {
  return on_stream(__func__, stream, [&](Runtime& r) { fill_rows(r, target, pitch, value, width, height); });
}
HEDDLE_CUDA_TWIN(cudaMemset2DAsync, ptsz)

HEDDLE_CUDA int cudaMemset3D(PitchedPointer target, int value, Extent extent) {
  return on_stream(__func__, nullptr, [&](Runtime& r) {
    if (extent.width == 0 || extent.height == 0) return;
    const std::size_t slice = product(target.pitch, target.height);
    for (std::size_t z = 0; z < extent.depth; ++z)
      fill_rows(r, pointer_to(sum(address_of(target.pointer), product(z, slice))), target.pitch, value,
                extent.width, extent.height);
  });
}
HEDDLE_CUDA_TWIN(cudaMemset3D, ptds)

HEDDLE_CUDA int cudaMemset3DAsync(PitchedPointer target, int value, Extent extent, void*) {
  return cudaMemset3D(target, value, extent);
}
HEDDLE_CUDA_TWIN(cudaMemset3DAsync, ptsz)

}  // namespace heddle::cudart
