// The CUDA calls for attributes of kernels, and for the number of CTAs that an SM holds.

#include <fmt/format.h>

#include <algorithm>

#include "testbench/cudart/api.h"
#include "testbench/cudart/device.h"

namespace heddle::cudart {
namespace {

constexpr int kMaxDynamicShared = 8, kPreferredCarveout = 9;

int most_threads(Runtime& r, const program::Kernel& kernel) {
  const int device = device_of(r.machine()).threads_a_block;
  const auto own = static_cast<int>(kernel.parsed->max_threads);
  return own ? std::min(own, device) : device;
}

int blocks(const char* name, int* count, const void* function, int threads, std::size_t dynamic_shared) {
  return Runtime::instance().call(name, [&](Runtime& r) {
    program::Kernel& kernel = r.kernel_of(function);
    if (threads < 1 || threads > most_threads(r, kernel))
      refuse(cudaErrorInvalidValue, fmt::format("blocks of {} threads", threads));
    at(count) = resident_blocks(r.machine(), kernel, threads, dynamic_shared);
  });
}

int kernel_exists(const char* name, const void* function) {
  return Runtime::instance().call(name, [&](Runtime& r) { r.kernel_of(function); });
}

}  // namespace

HEDDLE_CUDA int cudaFuncGetAttributes(FunctionAttributes* attributes, const void* function) {
  return Runtime::instance().call(__func__, [&](Runtime& r) {
    program::Kernel& kernel = r.kernel_of(function);
    const Device device = device_of(r.machine());
    const int version = 10 * device.major + device.minor;
    at(attributes) = {kernel.parsed->shared_bytes,
                      0,
                      kernel.parsed->local_bytes,
                      most_threads(r, kernel),
                      registers_of(r.machine(), kernel),
                      version,
                      version,
                      0,
                      static_cast<int>(most_dynamic_shared(device, kernel)),
                      -1};
  });
}

HEDDLE_CUDA int cudaFuncSetAttribute(const void* function, int attribute, int value) {
  return Runtime::instance().call(__func__, [&](Runtime& r) {
    program::Kernel& kernel = r.kernel_of(function);
    if (attribute == kPreferredCarveout) return;
    const auto most = static_cast<int>(device_of(r.machine()).shared_a_block_at_most) -
                      static_cast<int>(kernel.parsed->shared_bytes);
    if (attribute != kMaxDynamicShared || value < 0 || value > most)
      refuse(
          cudaErrorInvalidValue,
          fmt::format(
              "attribute {} of a kernel with value {}; of dynamic shared memory (8) there are up to {} bytes",
              attribute, value, most));
    kernel.granted_shared_bytes = static_cast<std::uint32_t>(value);
  });
}

HEDDLE_CUDA int cudaFuncSetCacheConfig(const void* function, int) {
  return kernel_exists(__func__, function);
}
HEDDLE_CUDA int cudaFuncSetSharedMemConfig(const void* function, int) {
  return kernel_exists(__func__, function);
}

HEDDLE_CUDA int cudaFuncGetName(const char** name, const void* function) {
  return Runtime::instance().call(__func__,
                                  [&](Runtime& r) { at(name) = r.kernel_of(function).mangled.c_str(); });
}

HEDDLE_CUDA int cudaGetFuncBySymbol(void** function, const void* symbol) {
  return Runtime::instance().call(__func__, [&](Runtime& r) {
    r.kernel_of(symbol);
    at(function) = r.modules().function(symbol);
  });
}
HEDDLE_CUDA int cudaGetKernel(void** kernel, const void* symbol) {
  return cudaGetFuncBySymbol(kernel, symbol);
}

HEDDLE_CUDA int cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* count, const void* function, int threads,
                                                              std::size_t dynamic_shared) {
  return blocks(__func__, count, function, threads, dynamic_shared);
}

HEDDLE_CUDA int cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* count, const void* function,
                                                                       int threads,
                                                                       std::size_t dynamic_shared, unsigned) {
  return blocks(__func__, count, function, threads, dynamic_shared);
}

HEDDLE_CUDA int cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, const void* function, int count,
                                                          int) {
  return Runtime::instance().call(__func__, [&](Runtime& r) {
    const program::Kernel& kernel = r.kernel_of(function);
    if (count < 1) refuse(cudaErrorInvalidValue, fmt::format("{} blocks on an SM", count));
    const Device device = device_of(r.machine());
    const std::uint64_t share =
        std::min(device.shared_a_block_at_most, device.shared_an_sm / static_cast<unsigned>(count));
    at(bytes) = share - std::min<std::uint64_t>(share, kernel.parsed->shared_bytes);
  });
}

}  // namespace heddle::cudart
