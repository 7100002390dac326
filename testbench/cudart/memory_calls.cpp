// The CUDA calls that allocate device, pitched, managed and pinned memory, that register host memory, and
// that query attributes of pointers.

#include <fmt/format.h>

#include "testbench/cudart/api.h"

namespace heddle::cudart {
namespace {

using Kind = program::DeviceMemory::Kind;

// Alignment of rows of pitched memory in bytes (assumed, like cudaDeviceProp::texturePitchAlignment).
constexpr std::size_t kPitch = 512;
constexpr unsigned kManagedFlags = 3;

void* allocate(Runtime& r, std::size_t bytes, Kind kind, unsigned flags = 0) {
  if (bytes == 0) return nullptr;
  const std::uint64_t address = r.memory().allocate(bytes, kind, flags);
  if (address == 0)
    refuse(cudaErrorMemoryAllocation,
           fmt::format("no room for {} bytes: {} of {} are taken (heddle exec --memory-mib gives more)",
                       bytes, r.memory().used(), r.memory().capacity()));
  return pointer_to(address);
}

std::size_t pitch_of(std::size_t width) { return sum(width, kPitch - 1) / kPitch * kPitch; }

void give(Runtime& r, void** pointer, std::size_t bytes, Kind kind, unsigned flags = 0) {
  void*& result = at(pointer);
  result = allocate(r, bytes, kind, flags);
}

void release(Runtime& r, void* pointer, Kind kind, int code) {
  if (!pointer || r.memory().release(address_of(pointer), kind)) return;
  if (kind == Kind::device && r.memory().release(address_of(pointer), Kind::managed)) return;
  refuse(code, fmt::format("{:#x} is no allocation of this kind, or was freed already", address_of(pointer)));
}

}  // namespace

HEDDLE_CUDA int cudaMalloc(void** pointer, std::size_t bytes) {
  return Runtime::instance().call(__func__, [&](Runtime& r) { give(r, pointer, bytes, Kind::device); });
}

HEDDLE_CUDA int cudaMallocAsync(void** pointer, std::size_t bytes, void* stream) {
  return Runtime::instance().call(__func__, [&](Runtime& r) {
    r.check_stream(stream);
    give(r, pointer, bytes, Kind::device);
  });
}
HEDDLE_CUDA_TWIN(cudaMallocAsync, ptsz)

HEDDLE_CUDA int cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width, std::size_t height) {
  return Runtime::instance().call(__func__, [&](Runtime& r) {
    at(pitch) = pitch_of(width);
    give(r, pointer, product(*pitch, height), Kind::device);
  });
}

HEDDLE_CUDA int cudaMalloc3D(PitchedPointer* pitched, Extent extent) {
  return Runtime::instance().call(__func__, [&](Runtime& r) {
    PitchedPointer& result = at(pitched);
    const std::size_t pitch = pitch_of(extent.width);
    const std::size_t bytes = product(pitch, product(extent.height, extent.depth));
    result = {allocate(r, bytes, Kind::device), pitch, extent.width, extent.height};
  });
}

HEDDLE_CUDA int cudaMallocManaged(void** pointer, std::size_t bytes, unsigned flags) {
  return Runtime::instance().call(__func__, [&](Runtime& r) {
    if (bytes == 0 || flags == 0 || (flags & ~kManagedFlags) != 0)
      refuse(cudaErrorInvalidValue, fmt::format("{} bytes with flags {}", bytes, flags));
    give(r, pointer, bytes, Kind::managed, flags);
  });
}

HEDDLE_CUDA int cudaFree(void* pointer) {
  return Runtime::instance().call(
      __func__, [&](Runtime& r) { release(r, pointer, Kind::device, cudaErrorInvalidValue); });
}

HEDDLE_CUDA int cudaFreeAsync(void* pointer, void* stream) {
  return Runtime::instance().call(__func__, [&](Runtime& r) {
    r.check_stream(stream);
    release(r, pointer, Kind::device, cudaErrorInvalidValue);
  });
}
HEDDLE_CUDA_TWIN(cudaFreeAsync, ptsz)

HEDDLE_CUDA int cudaHostAlloc(void** pointer, std::size_t bytes, unsigned flags) {
  return Runtime::instance().call(__func__,
                                  [&](Runtime& r) { give(r, pointer, bytes, Kind::pinned, flags); });
}

HEDDLE_CUDA int cudaMallocHost(void** pointer, std::size_t bytes) {
  return Runtime::instance().call(__func__, [&](Runtime& r) { give(r, pointer, bytes, Kind::pinned); });
}

HEDDLE_CUDA int cudaFreeHost(void* pointer) {
  return Runtime::instance().call(
      __func__, [&](Runtime& r) { release(r, pointer, Kind::pinned, cudaErrorInvalidValue); });
}

HEDDLE_CUDA int cudaHostRegister(void* pointer, std::size_t bytes, unsigned flags) {
  return Runtime::instance().call(__func__, [&](Runtime& r) {
    if (!pointer || bytes == 0 || !program::is_host_memory(pointer, bytes))
      refuse(cudaErrorInvalidValue,
             fmt::format("{} bytes at {:#x}, which the host does not have", bytes, address_of(pointer)));
    if (bytes > r.memory().capacity() - r.memory().used())
      refuse(cudaErrorMemoryAllocation, fmt::format("no room for {} bytes", bytes));
    if (!r.memory().register_host(address_of(pointer), bytes, flags))
      refuse(cudaErrorHostMemoryAlreadyRegistered, "some of this memory is registered already");
  });
}

HEDDLE_CUDA int cudaHostUnregister(void* pointer) {
  return Runtime::instance().call(__func__, [&](Runtime& r) {
    if (!r.memory().release(address_of(pointer), Kind::registered))
      refuse(cudaErrorHostMemoryNotRegistered, "memory that is not registered");
  });
}

HEDDLE_CUDA int cudaHostGetDevicePointer(void** device, void* host, unsigned) {
  return Runtime::instance().call(__func__, [&](Runtime& r) {
    const auto* const block = r.memory().block_of(address_of(host));
    if (!block || !block->host_visible())
      refuse(cudaErrorInvalidValue, "memory that is neither pinned nor registered");
    at(device) = host;
  });
}

HEDDLE_CUDA int cudaHostGetFlags(unsigned* flags, void* host) {
  return Runtime::instance().call(__func__, [&](Runtime& r) {
    const auto* const block = r.memory().block_of(address_of(host));
    if (!block || !block->host_visible()) refuse(cudaErrorInvalidValue, "memory that is not pinned");
    at(flags) = block->flags;
  });
}

HEDDLE_CUDA int cudaPointerGetAttributes(PointerAttributes* attributes, const void* pointer) {
  return Runtime::instance().call(__func__, [&](Runtime& r) {
    const auto* const block = r.memory().block_of(address_of(pointer));
    void* const same = const_cast<void*>(pointer);
    at(attributes);
    if (!block) {
      *attributes = {0, -2, nullptr, same};
    } else if (block->kind == Kind::managed) {
      *attributes = {3, 0, same, same};
    } else if (block->host_visible()) {
      *attributes = {1, 0, same, same};
    } else {
      *attributes = {2, 0, same, nullptr};
    }
  });
}

HEDDLE_CUDA int cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  return Runtime::instance().call(__func__, [&](Runtime& r) {
    at(total) = r.memory().capacity();
    at(free) = *total - r.memory().used();
  });
}

// The calls below are hints about the location of managed memory, and have no effect. In CUDA 13, the names
// without _v2 have the parameters of the _v2 calls. The parameters are in the same registers in both cases,
// so one function serves both.

HEDDLE_CUDA int cudaMemPrefetchAsync(const void*, std::size_t, int, void*) {
  return Runtime::instance().call(__func__, [](Runtime&) {});
}
HEDDLE_CUDA_TWIN(cudaMemPrefetchAsync, ptsz)
HEDDLE_CUDA int cudaMemAdvise(const void*, std::size_t, int, int) {
  return Runtime::instance().call(__func__, [](Runtime&) {});
}
HEDDLE_CUDA int cudaMemPrefetchAsync_v2(const void*, std::size_t, MemoryPlace, unsigned, void*) {
  return Runtime::instance().call(__func__, [](Runtime&) {});
}
HEDDLE_CUDA_TWIN(cudaMemPrefetchAsync_v2, ptsz)
HEDDLE_CUDA int cudaMemAdvise_v2(const void*, std::size_t, int, MemoryPlace) {
  return Runtime::instance().call(__func__, [](Runtime&) {});
}

}  // namespace heddle::cudart
