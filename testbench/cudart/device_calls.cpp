#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "testbench/cudart/api.h"
#include "testbench/cudart/device.h"
#include "testbench/cudart/error_names.h"
#include "testbench/cudart/properties.h"
#include "testbench/cudart/version.h"

namespace heddle::cudart {
namespace {

constexpr int kLimits = 7;
constexpr int kStackLimit = 0, kHeapLimit = 2;
constexpr std::size_t kMostStack = 512 << 10;

/// Limits that programs can set and read. Only the limits of stack and heap have an effect on kernels.
std::size_t& limit(int which) {
  // Default limits of CUDA 12, in this order: stack, printf FIFO, heap, nesting of synchronisation, pending
  // launches, granularity, L2.
  static std::size_t values[kLimits] = {1024, 1 << 20, 8 << 20, 2, 2048, 64, 0};
  if (which < 0 || which >= kLimits) refuse(cudaErrorInvalidValue, fmt::format("limit {}", which));
  return values[which];
}

void check_device(int device) {
  if (device != 0)
    refuse(cudaErrorInvalidDevice, fmt::format("device {}, but there is only device 0", device));
}

int nothing(const char* name) {
  return Runtime::instance().call(name, [](Runtime&) {});
}

template <class Value>
int give(const char* name, Value* result, Value value) {
  return Runtime::instance().call(name, [&](Runtime&) { at(result) = value; });
}

unsigned device_flags = 0;

}  // namespace

HEDDLE_CUDA int cudaGetDeviceCount(int* count) { return give(__func__, count, 1); }

HEDDLE_CUDA int cudaGetDevice(int* device) { return give(__func__, device, 0); }

HEDDLE_CUDA int cudaSetDevice(int device) {
  return Runtime::instance().call(__func__, [&](Runtime&) { check_device(device); });
}

HEDDLE_CUDA int cudaInitDevice(int device, unsigned, unsigned) { return cudaSetDevice(device); }
HEDDLE_CUDA int cudaSetValidDevices(int*, int) { return nothing(__func__); }

HEDDLE_CUDA int cudaSetDeviceFlags(unsigned flags) {
  device_flags = flags;
  return nothing(__func__);
}

HEDDLE_CUDA int cudaGetDeviceFlags(unsigned* flags) { return give(__func__, flags, device_flags); }

HEDDLE_CUDA int cudaChooseDevice(int* device, const void*) { return give(__func__, device, 0); }

HEDDLE_CUDA int cudaGetDeviceProperties(void* properties, int device) {
  return Runtime::instance().call(__func__, [&](Runtime& r) {
    check_device(device);
    write_properties(&at(static_cast<char*>(properties)), device_of(r.machine()),
                     runtime_version() < 13000 ? 11 : 13);
  });
}

HEDDLE_CUDA int cudaGetDeviceProperties_v2(void* properties, int device) {
  return Runtime::instance().call(__func__, [&](Runtime& r) {
    check_device(device);
    write_properties(&at(static_cast<char*>(properties)), device_of(r.machine()), 12);
  });
}

HEDDLE_CUDA int cudaDeviceGetAttribute(int* value, int attribute, int device) {
  return Runtime::instance().call(__func__, [&](Runtime& r) {
    check_device(device);
    const std::optional<int> known = attribute_of(device_of(r.machine()), attribute);
    if (!known) refuse(cudaErrorInvalidValue, fmt::format("attribute {} of a device", attribute));
    at(value) = *known;
  });
}

HEDDLE_CUDA int cudaDeviceGetPCIBusId(char* text, int bytes, int device) {
  return Runtime::instance().call(__func__, [&](Runtime&) {
    check_device(device);
    if (bytes < 1) refuse(cudaErrorInvalidValue, "no room for a name");
    at(text);
    std::strncpy(text, "0000:00:00.0", static_cast<std::size_t>(bytes));
  });
}

HEDDLE_CUDA int cudaDeviceGetByPCIBusId(int* device, const char*) { return give(__func__, device, 0); }

HEDDLE_CUDA int cudaDeviceCanAccessPeer(int* can, int, int) { return give(__func__, can, 0); }

HEDDLE_CUDA int cudaDeviceSynchronize() { return nothing(__func__); }
HEDDLE_CUDA int cudaThreadSynchronize() { return nothing(__func__); }

HEDDLE_CUDA int cudaDeviceReset() {
  return Runtime::instance().prepare(__func__, [](Runtime& r) { r.reset(); });
}
HEDDLE_CUDA int cudaThreadExit() { return cudaDeviceReset(); }

HEDDLE_CUDA int cudaDeviceSetLimit(int which, std::size_t value) {
  return Runtime::instance().call(__func__, [&](Runtime& r) {
    std::size_t& kept = limit(which);
    if (which == kStackLimit) {
      if (value > kMostStack)
        refuse(cudaErrorInvalidValue, fmt::format("a stack of {} bytes a thread", value));
      r.stack_bytes = static_cast<std::uint32_t>(std::max<std::size_t>(value, 16));
    }
    if (which == kHeapLimit) r.modules().set_heap_bytes(value);
    kept = value;
  });
}
HEDDLE_CUDA int cudaThreadSetLimit(int which, std::size_t value) { return cudaDeviceSetLimit(which, value); }

HEDDLE_CUDA int cudaDeviceGetLimit(std::size_t* value, int which) {
  return Runtime::instance().call(__func__, [&](Runtime&) { at(value) = limit(which); });
}

HEDDLE_CUDA int cudaDeviceSetCacheConfig(int) { return nothing(__func__); }
HEDDLE_CUDA int cudaThreadSetCacheConfig(int) { return nothing(__func__); }
HEDDLE_CUDA int cudaDeviceGetCacheConfig(int* config) { return give(__func__, config, 0); }
HEDDLE_CUDA int cudaDeviceSetSharedMemConfig(int) { return nothing(__func__); }
HEDDLE_CUDA int cudaDeviceGetSharedMemConfig(int* config) {
  return give(__func__, config, 1);  // 1: shared memory has banks of four bytes
}
HEDDLE_CUDA int cudaCtxResetPersistingL2Cache() { return nothing(__func__); }
HEDDLE_CUDA int cudaProfilerStart() { return nothing(__func__); }
HEDDLE_CUDA int cudaProfilerStop() { return nothing(__func__); }

HEDDLE_CUDA int cudaGetLastError() { return Runtime::instance().take_last_error(); }
HEDDLE_CUDA int cudaPeekAtLastError() { return Runtime::instance().last_error(); }
HEDDLE_CUDA const char* cudaGetErrorName(int code) { return error_name(code); }
HEDDLE_CUDA const char* cudaGetErrorString(int code) { return error_text(code); }

HEDDLE_CUDA int cudaRuntimeGetVersion(int* version) {
  if (!version) return cudaErrorInvalidValue;
  *version = runtime_version();
  return cudaSuccess;
}

HEDDLE_CUDA int cudaDriverGetVersion(int* version) {
  if (!version) return cudaErrorInvalidValue;
  *version = runtime_version();
  return cudaSuccess;
}

}  // namespace heddle::cudart
