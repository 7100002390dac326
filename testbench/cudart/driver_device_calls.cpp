// Calls of the CUDA driver interface for devices, contexts, errors and entry points.

#include <dlfcn.h>

#include <cstring>

#include "testbench/cudart/device.h"
#include "testbench/cudart/driver.h"
#include "testbench/cudart/error_names.h"
#include "testbench/cudart/properties.h"
#include "testbench/cudart/version.h"

namespace heddle::cudart {

HEDDLE_CUDA int cudaDeviceReset();

namespace {

// The only CUDA context, current for every thread.
char the_context;

int no_work(const char* name) {
  return driver_call(name, [](Runtime&) {});
}

int give_context(const char* name, void** context) {
  return driver_call(name, [&](Runtime&) { at(context) = &the_context; });
}

void* find_call(const char* name) {
  if (void* const found = ::dlsym(RTLD_DEFAULT, name)) return found;
  return ::dlsym(RTLD_DEFAULT, (std::string(name) + "_v2").c_str());
}

}  // namespace

int driver_code(int code) {
  switch (code) {
    case cudaErrorInvalidConfiguration:
    case cudaErrorInvalidPitchValue:
    case cudaErrorInvalidMemcpyDirection:
    case cudaErrorInvalidHostPointer:
    case cudaErrorInvalidDevicePointer:
      return cudaErrorInvalidValue;
    case cudaErrorInvalidSymbol:
    case cudaErrorInvalidDeviceFunction:
      return cudaErrorSymbolNotFound;
    default:
      return code;
  }
}

HEDDLE_CUDA int cuInit(unsigned) { return no_work(__func__); }

HEDDLE_CUDA int cuDriverGetVersion(int* version) {
  if (!version) return cudaErrorInvalidValue;
  *version = runtime_version();
  return cudaSuccess;
}

HEDDLE_CUDA int cuDeviceGetCount(int* count) {
  return driver_call(__func__, [&](Runtime&) { at(count) = 1; });
}

HEDDLE_CUDA int cuDeviceGet(int* device, int ordinal) {
  return driver_call(__func__, [&](Runtime&) {
    if (ordinal != 0) refuse(cudaErrorInvalidDevice, "there is only device 0");
    at(device) = 0;
  });
}

HEDDLE_CUDA int cuDeviceGetName(char* name, int bytes, int) {
  return driver_call(__func__, [&](Runtime& r) {
    if (bytes < 1) refuse(cudaErrorInvalidValue, "no room for a name");
    at(name);
    std::strncpy(name, device_of(r.machine()).name.c_str(), static_cast<std::size_t>(bytes));
    name[bytes - 1] = '\0';
  });
}

HEDDLE_CUDA int cuDeviceTotalMem_v2(std::size_t* bytes, int) {
  return driver_call(__func__, [&](Runtime& r) { at(bytes) = r.memory().capacity(); });
}

HEDDLE_CUDA int cuDeviceGetAttribute(int* value, int attribute, int) {
  return driver_call(__func__, [&](Runtime& r) {
    const std::optional<int> known = attribute_of(device_of(r.machine()), attribute);
    if (!known) refuse(cudaErrorInvalidValue, "no such attribute of a device");
    at(value) = *known;
  });
}

HEDDLE_CUDA int cuDeviceComputeCapability(int* major, int* minor, int) {
  return driver_call(__func__, [&](Runtime& r) {
    const Device device = device_of(r.machine());
    at(major) = device.major;
    at(minor) = device.minor;
  });
}

HEDDLE_CUDA int cuCtxCreate_v2(void** context, unsigned, int) { return give_context(__func__, context); }
HEDDLE_CUDA int cuCtxCreate_v4(void** context, void*, unsigned, int) {
  return give_context(__func__, context);
}
HEDDLE_CUDA int cuDevicePrimaryCtxRetain(void** context, int) { return give_context(__func__, context); }
HEDDLE_CUDA int cuDevicePrimaryCtxRelease_v2(int) { return no_work(__func__); }
HEDDLE_CUDA int cuDevicePrimaryCtxReset_v2(int) { return driver_code(cudaDeviceReset()); }
HEDDLE_CUDA int cuCtxDestroy_v2(void*) { return no_work(__func__); }
HEDDLE_CUDA int cuCtxSetCurrent(void*) { return no_work(__func__); }
HEDDLE_CUDA int cuCtxPushCurrent_v2(void*) { return no_work(__func__); }
HEDDLE_CUDA int cuCtxPopCurrent_v2(void** context) { return give_context(__func__, context); }
HEDDLE_CUDA int cuCtxGetCurrent(void** context) { return give_context(__func__, context); }
HEDDLE_CUDA int cuCtxSynchronize() { return no_work(__func__); }
HEDDLE_CUDA int cuCtxSetCacheConfig(int) { return no_work(__func__); }
HEDDLE_CUDA int cuCtxSetLimit(int, std::size_t) { return no_work(__func__); }
HEDDLE_CUDA int cuCtxGetDevice(int* device) {
  return driver_call(__func__, [&](Runtime&) { at(device) = 0; });
}

HEDDLE_CUDA int cuGetErrorName(int code, const char** name) {
  if (!name) return cudaErrorInvalidValue;
  *name = driver_error_name(code);
  return *name ? cudaSuccess : cudaErrorInvalidValue;
}

HEDDLE_CUDA int cuGetErrorString(int code, const char** text) {
  if (!text) return cudaErrorInvalidValue;
  *text = driver_error_name(code) ? error_text(code) : nullptr;
  return *text ? cudaSuccess : cudaErrorInvalidValue;
}

HEDDLE_CUDA int cuGetProcAddress_v2(const char* name, void** function, int, std::uint64_t, int* status) {
  if (!name || !function) return cudaErrorInvalidValue;
  *function = find_call(name);
  if (status) *status = *function ? 0 : 1;
  return *function ? cudaSuccess : cudaErrorSymbolNotFound;
}
HEDDLE_CUDA int cuGetProcAddress(const char* name, void** function, int, std::uint64_t) {
  return cuGetProcAddress_v2(name, function, 0, 0, nullptr);
}

HEDDLE_CUDA int cudaGetDriverEntryPoint(const char* name, void** function, unsigned long long, int* status) {
  if (!name || !function) return cudaErrorInvalidValue;
  *function = find_call(name);
  if (status) *status = *function ? 0 : 1;
  return cudaSuccess;
}
HEDDLE_CUDA_TWIN(cudaGetDriverEntryPoint, ptsz)
HEDDLE_CUDA int cudaGetDriverEntryPointByVersion(const char* name, void** function, unsigned,
                                                 unsigned long long flags, int* status) {
  return cudaGetDriverEntryPoint(name, function, flags, status);
}
HEDDLE_CUDA_TWIN(cudaGetDriverEntryPointByVersion, ptsz)

}  // namespace heddle::cudart
