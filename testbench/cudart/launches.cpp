// The launch calls of the CUDA runtime interface.

#include <fmt/format.h>

#include <cstring>

#include "testbench/cudart/api.h"

namespace heddle::cudart {
namespace {

int launch(const char* name, const void* function, const CallConfiguration& configuration, void** arguments) {
  return Runtime::instance().call_launch(name,
                                         [&](Runtime& r) { r.launch(function, configuration, arguments); });
}

/// Returns true if the configuration asks for a cooperative launch. Throws Refusal for unsupported
/// attributes.
bool is_cooperative(const LaunchConfiguration& configuration) {
  bool cooperative = false;
  // Largest accepted number of attributes. It is more than any version of CUDA has (CUDA 13: 19).
  constexpr unsigned kMostLaunchAttributes = 64;
  if (configuration.attribute_count > kMostLaunchAttributes)
    refuse(cudaErrorInvalidValue, fmt::format("{} attributes of a launch", configuration.attribute_count));
  if (configuration.attribute_count) at(configuration.attributes);
  for (unsigned i = 0; i < configuration.attribute_count; ++i) {
    LaunchAttribute attribute{};
    std::memcpy(&attribute, reinterpret_cast<const char*>(configuration.attributes) + i * sizeof attribute,
                sizeof attribute);
    if (attribute.id == kCooperative) cooperative = attribute.value[0] != 0;
    if (attribute.id == kClusterDimension &&
        (attribute.value[0] | attribute.value[1] | attribute.value[2]) > 1)
      refuse(cudaErrorNotSupported, "a launch with clusters of CTAs: Heddle runs only CTAs without clusters");
  }
  return cooperative;
}

}  // namespace

HEDDLE_CUDA int cudaLaunchKernel(const void* function, isa::Dim3 grid, isa::Dim3 block, void** arguments,
                                 std::size_t shared, void* stream) {
  return launch(__func__, function, {grid, block, shared, stream, false}, arguments);
}
HEDDLE_CUDA_TWIN(cudaLaunchKernel, ptsz)

HEDDLE_CUDA int __cudaLaunchKernel(void* kernel, isa::Dim3 grid, isa::Dim3 block, void** arguments,
                                   std::size_t shared, void* stream) {
  return launch("cudaLaunchKernel", kernel, {grid, block, shared, stream, false}, arguments);
}
HEDDLE_CUDA_TWIN(__cudaLaunchKernel, ptsz)

HEDDLE_CUDA int cudaLaunchCooperativeKernel(const void* function, isa::Dim3 grid, isa::Dim3 block,
                                            void** arguments, std::size_t shared, void* stream) {
  return launch(__func__, function, {grid, block, shared, stream, true}, arguments);
}
HEDDLE_CUDA_TWIN(cudaLaunchCooperativeKernel, ptsz)

HEDDLE_CUDA int cudaLaunchKernelExC(const LaunchConfiguration* c, const void* function, void** arguments) {
  return Runtime::instance().call_launch(__func__, [&](Runtime& r) {
    at(c);
    r.launch(function,
             {{c->grid[0], c->grid[1], c->grid[2]},
              {c->block[0], c->block[1], c->block[2]},
              c->shared_bytes,
              c->stream,
              is_cooperative(*c)},
             arguments);
  });
}
HEDDLE_CUDA_TWIN(cudaLaunchKernelExC, ptsz)

// Programs built before CUDA 9.2, or with clang before version 9, use these three calls for a launch.

HEDDLE_CUDA int cudaConfigureCall(isa::Dim3 grid, isa::Dim3 block, std::size_t shared, void* stream) {
  return Runtime::instance().call(__func__, [&](Runtime& r) {
    r.configurations.push_back({grid, block, shared, stream});
    r.old_arguments.clear();
  });
}

HEDDLE_CUDA int cudaSetupArgument(const void* argument, std::size_t bytes, std::size_t offset) {
  return Runtime::instance().call(__func__, [&](Runtime& r) {
    constexpr std::size_t kMostBytes = 1 << 15;  // largest size of a kernel's parameters in bytes
    if (sum(offset, bytes) > kMostBytes)
      refuse(cudaErrorInvalidValue, fmt::format("{} bytes of parameters", sum(offset, bytes)));
    if (bytes == 0) return;
    at(static_cast<const char*>(argument));
    if (r.old_arguments.size() < offset + bytes) r.old_arguments.resize(offset + bytes);
    std::memcpy(r.old_arguments.data() + offset, argument, bytes);
  });
}

HEDDLE_CUDA int cudaLaunch(const void* function) {
  return Runtime::instance().call_launch(__func__, [&](Runtime& r) {
    if (r.configurations.empty()) refuse(cudaErrorMissingConfiguration, "a launch without cudaConfigureCall");
    const CallConfiguration c = r.configurations.back();
    r.configurations.pop_back();
    r.launch_block(function, c, r.old_arguments);
  });
}

HEDDLE_CUDA int cudaLaunchHostFunc(void* stream, void (*function)(void*), void* data) {
  const int status = Runtime::instance().call(__func__, [&](Runtime& r) {
    if (!function) refuse(cudaErrorInvalidValue, "no function");
    r.check_stream(stream);
  });
  if (status == cudaSuccess) function(data);
  return status;
}
HEDDLE_CUDA_TWIN(cudaLaunchHostFunc, ptsz)

HEDDLE_CUDA int cudaStreamAddCallback(void* stream, void (*function)(void*, int, void*), void* data,
                                      unsigned) {
  const int status = Runtime::instance().call(__func__, [&](Runtime& r) {
    if (!function) refuse(cudaErrorInvalidValue, "no function");
    r.check_stream(stream);
  });
  if (status == cudaSuccess) function(stream, cudaSuccess, data);
  return status;
}
HEDDLE_CUDA_TWIN(cudaStreamAddCallback, ptsz)

}  // namespace heddle::cudart
