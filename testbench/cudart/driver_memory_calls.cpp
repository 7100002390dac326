// CUDA driver calls for memory, streams and events.

#include <fmt/format.h>

#include <cstring>

#include "testbench/cudart/driver.h"

namespace heddle::cudart {

HEDDLE_CUDA int cudaMalloc(void** pointer, std::size_t bytes);
HEDDLE_CUDA int cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width, std::size_t height);
HEDDLE_CUDA int cudaMallocManaged(void** pointer, std::size_t bytes, unsigned flags);
HEDDLE_CUDA int cudaMallocHost(void** pointer, std::size_t bytes);
HEDDLE_CUDA int cudaHostAlloc(void** pointer, std::size_t bytes, unsigned flags);
HEDDLE_CUDA int cudaHostRegister(void* pointer, std::size_t bytes, unsigned flags);
HEDDLE_CUDA int cudaHostUnregister(void* pointer);
HEDDLE_CUDA int cudaHostGetDevicePointer(void** device, void* host, unsigned flags);
HEDDLE_CUDA int cudaFree(void* pointer);
HEDDLE_CUDA int cudaFreeHost(void* pointer);
HEDDLE_CUDA int cudaMemGetInfo(std::size_t* free, std::size_t* total);
HEDDLE_CUDA int cudaMemcpy(void* target, const void* source, std::size_t bytes, int kind);
HEDDLE_CUDA int cudaStreamCreateWithFlags(void** stream, unsigned flags);
HEDDLE_CUDA int cudaStreamCreateWithPriority(void** stream, unsigned flags, int priority);
HEDDLE_CUDA int cudaStreamDestroy(void* stream);
HEDDLE_CUDA int cudaStreamSynchronize(void* stream);
HEDDLE_CUDA int cudaStreamQuery(void* stream);
HEDDLE_CUDA int cudaStreamWaitEvent(void* stream, void* event, unsigned flags);
HEDDLE_CUDA int cudaEventCreateWithFlags(void** event, unsigned flags);
HEDDLE_CUDA int cudaEventDestroy(void* event);
HEDDLE_CUDA int cudaEventRecord(void* event, void* stream);
HEDDLE_CUDA int cudaEventSynchronize(void* event);
HEDDLE_CUDA int cudaEventQuery(void* event);
HEDDLE_CUDA int cudaEventElapsedTime(float* milliseconds, void* start, void* end);

namespace {

using Address = unsigned long long;

/// Stores a pointer as a device address, unless `status` is an error. In each use, the argument `status` is a
/// call that sets `pointer`. C++ may evaluate this argument last, so `pointer` is passed by reference.
int give_address(int status, Address* address, void* const& pointer) {
  if (status == cudaSuccess) *address = address_of(pointer);
  return driver_code(status);
}

int refuse_null(const char* name) {
  return driver_call(name, [](Runtime&) { refuse(cudaErrorInvalidValue, "a null pointer"); });
}

int copy(void* target, const void* source, std::size_t bytes, int kind) {
  return driver_code(cudaMemcpy(target, source, bytes, kind));
}

int on_stream(const char* name, const void* stream) {
  return driver_call(name, [&](Runtime& r) { r.check_stream(stream); });
}

template <class Value>
int fill(const char* name, Address target, Value value, std::size_t count, const void* stream) {
  return driver_call(name, [&](Runtime& r) {
    r.check_stream(stream);
    if (count == 0) return;
    const std::size_t bytes = product(count, sizeof value);
    std::uint8_t* const to = r.memory().block_of(target) ? r.memory().bytes_at(target, bytes) : nullptr;
    if (!to) refuse(cudaErrorInvalidValue, fmt::format("the target: {}", r.memory().explain(target, bytes)));
    for (std::size_t i = 0; i < count; ++i) std::memcpy(to + i * sizeof value, &value, sizeof value);
  });
}

}  // namespace

HEDDLE_CUDA int cuMemAlloc_v2(Address* address, std::size_t bytes) {
  if (!address) return refuse_null(__func__);
  void* pointer = nullptr;
  if (bytes == 0) return driver_call(__func__, [](Runtime&) { refuse(cudaErrorInvalidValue, "no bytes"); });
  return give_address(cudaMalloc(&pointer, bytes), address, pointer);
}
HEDDLE_CUDA int cuMemAllocPitch_v2(Address* address, std::size_t* pitch, std::size_t width,
                                   std::size_t height, unsigned) {
  if (!address) return refuse_null(__func__);
  void* pointer = nullptr;
  return give_address(cudaMallocPitch(&pointer, pitch, width, height), address, pointer);
}
HEDDLE_CUDA int cuMemAllocManaged(Address* address, std::size_t bytes, unsigned flags) {
  if (!address) return refuse_null(__func__);
  void* pointer = nullptr;
  return give_address(cudaMallocManaged(&pointer, bytes, flags), address, pointer);
}
HEDDLE_CUDA int cuMemFree_v2(Address address) { return driver_code(cudaFree(pointer_to(address))); }
HEDDLE_CUDA int cuMemAllocHost_v2(void** pointer, std::size_t bytes) {
  return driver_code(cudaMallocHost(pointer, bytes));
}
HEDDLE_CUDA int cuMemHostAlloc(void** pointer, std::size_t bytes, unsigned flags) {
  return driver_code(cudaHostAlloc(pointer, bytes, flags));
}
HEDDLE_CUDA int cuMemFreeHost(void* pointer) { return driver_code(cudaFreeHost(pointer)); }
HEDDLE_CUDA int cuMemHostRegister_v2(void* pointer, std::size_t bytes, unsigned flags) {
  return driver_code(cudaHostRegister(pointer, bytes, flags));
}
HEDDLE_CUDA int cuMemHostUnregister(void* pointer) { return driver_code(cudaHostUnregister(pointer)); }
HEDDLE_CUDA int cuMemHostGetDevicePointer_v2(Address* address, void* host, unsigned flags) {
  if (!address) return refuse_null(__func__);
  void* pointer = nullptr;
  return give_address(cudaHostGetDevicePointer(&pointer, host, flags), address, pointer);
}
HEDDLE_CUDA int cuMemGetInfo_v2(std::size_t* free, std::size_t* total) {
  return driver_code(cudaMemGetInfo(free, total));
}
HEDDLE_CUDA int cuMemGetAddressRange_v2(Address* base, std::size_t* bytes, Address address) {
  return driver_call(__func__, [&](Runtime& r) {
    const auto* const block = r.memory().block_of(address);
    if (!block) refuse(cudaErrorInvalidValue, r.memory().explain(address, 1));
    if (base) *base = block->address;
    if (bytes) *bytes = block->bytes;
  });
}

HEDDLE_CUDA int cuMemcpyHtoD_v2(Address target, const void* source, std::size_t bytes) {
  return copy(pointer_to(target), source, bytes, kHostToDevice);
}
HEDDLE_CUDA int cuMemcpyDtoH_v2(void* target, Address source, std::size_t bytes) {
  return copy(target, pointer_to(source), bytes, kDeviceToHost);
}
HEDDLE_CUDA int cuMemcpyDtoD_v2(Address target, Address source, std::size_t bytes) {
  return copy(pointer_to(target), pointer_to(source), bytes, kDeviceToDevice);
}
HEDDLE_CUDA int cuMemcpy(Address target, Address source, std::size_t bytes) {
  return copy(pointer_to(target), pointer_to(source), bytes, kDefault);
}
HEDDLE_CUDA int cuMemcpyHtoDAsync_v2(Address target, const void* source, std::size_t bytes, void* stream) {
  const int status = on_stream(__func__, stream);
  return status ? status : copy(pointer_to(target), source, bytes, kHostToDevice);
}
HEDDLE_CUDA int cuMemcpyDtoHAsync_v2(void* target, Address source, std::size_t bytes, void* stream) {
  const int status = on_stream(__func__, stream);
  return status ? status : copy(target, pointer_to(source), bytes, kDeviceToHost);
}
HEDDLE_CUDA int cuMemcpyDtoDAsync_v2(Address target, Address source, std::size_t bytes, void* stream) {
  const int status = on_stream(__func__, stream);
  return status ? status : copy(pointer_to(target), pointer_to(source), bytes, kDeviceToDevice);
}

HEDDLE_CUDA int cuMemsetD8_v2(Address target, unsigned char value, std::size_t count) {
  return fill(__func__, target, value, count, nullptr);
}
HEDDLE_CUDA int cuMemsetD16_v2(Address target, unsigned short value, std::size_t count) {
  return fill(__func__, target, value, count, nullptr);
}
HEDDLE_CUDA int cuMemsetD32_v2(Address target, unsigned value, std::size_t count) {
  return fill(__func__, target, value, count, nullptr);
}
HEDDLE_CUDA int cuMemsetD8Async(Address target, unsigned char value, std::size_t count, void* stream) {
  return fill(__func__, target, value, count, stream);
}
HEDDLE_CUDA int cuMemsetD32Async(Address target, unsigned value, std::size_t count, void* stream) {
  return fill(__func__, target, value, count, stream);
}

HEDDLE_CUDA int cuStreamCreate(void** stream, unsigned flags) {
  return driver_code(cudaStreamCreateWithFlags(stream, flags));
}
HEDDLE_CUDA int cuStreamCreateWithPriority(void** stream, unsigned flags, int priority) {
  return driver_code(cudaStreamCreateWithPriority(stream, flags, priority));
}
HEDDLE_CUDA int cuStreamDestroy_v2(void* stream) { return driver_code(cudaStreamDestroy(stream)); }
HEDDLE_CUDA int cuStreamSynchronize(void* stream) { return driver_code(cudaStreamSynchronize(stream)); }
HEDDLE_CUDA int cuStreamQuery(void* stream) { return driver_code(cudaStreamQuery(stream)); }
HEDDLE_CUDA int cuStreamWaitEvent(void* stream, void* event, unsigned flags) {
  return driver_code(cudaStreamWaitEvent(stream, event, flags));
}

HEDDLE_CUDA int cuEventCreate(void** event, unsigned flags) {
  return driver_code(cudaEventCreateWithFlags(event, flags));
}
HEDDLE_CUDA int cuEventDestroy_v2(void* event) { return driver_code(cudaEventDestroy(event)); }
HEDDLE_CUDA int cuEventRecord(void* event, void* stream) {
  return driver_code(cudaEventRecord(event, stream));
}
HEDDLE_CUDA int cuEventSynchronize(void* event) { return driver_code(cudaEventSynchronize(event)); }
HEDDLE_CUDA int cuEventQuery(void* event) { return driver_code(cudaEventQuery(event)); }
HEDDLE_CUDA int cuEventElapsedTime(float* milliseconds, void* start, void* end) {
  return driver_code(cudaEventElapsedTime(milliseconds, start, end));
}

}  // namespace heddle::cudart
