// What start-up code calls that nvcc and clang put into programs: fat binaries, their kernels and variables; and the
// two halves of <<<>>>.

#include "models/core/error.h"
#include "testbench/cudart/api.h"

namespace heddle::cudart {
namespace {

DeviceCode* code_of(void** handle) { return static_cast<DeviceCode*>(static_cast<void*>(handle)); }

}  // namespace

HEDDLE_CUDA void** __cudaRegisterFatBinary(void* wrapper) {
  DeviceCode* code = nullptr;
  Runtime& runtime = Runtime::instance();
  runtime.call(__func__, [&](Runtime& r) {
    const auto* const fat = static_cast<const FatBinaryWrapper*>(wrapper);
    if (fat->magic != kWrapperMagic) throw Error("a fat binary", "it does not begin as one");
    std::vector<const void*> images = {fat->data};
    if (fat->version == 2)
      for (auto* more = static_cast<void**>(fat->more); more && *more; ++more) images.push_back(*more);
    code = r.modules().add(std::move(images));
  });
  return static_cast<void**>(static_cast<void*>(code));
}

/// Programs of scripts/heddle-cc read managed variables from here on.
HEDDLE_CUDA void __cudaRegisterFatBinaryEnd(void**) {
  Runtime::instance().call(__func__, [](Runtime&) {});
}

/// Where the host has the managed variables of a program that scripts/heddle-cc compiled (include/heddle_cc/managed.h).
HEDDLE_CUDA void __cudaHeddleManaged(void* begin, void* end) {
  Runtime::instance().call(__func__, [&](Runtime& r) {
    r.modules().add_managed_section(static_cast<char*>(begin), static_cast<char*>(end));
  });
}

/// Programs unregister when they end, after which destructors may still ask for memory.
HEDDLE_CUDA void __cudaUnregisterFatBinary(void**) {}

HEDDLE_CUDA void __cudaRegisterFunction(void** handle, const char* host, char*, const char* name, int, void*,
                                        void*, void*, void*, int*) {
  Runtime::instance().call(__func__,
                           [&](Runtime& r) { r.modules().add_function(code_of(handle), host, name); });
}

HEDDLE_CUDA void __cudaRegisterVar(void** handle, char* host, char*, const char* name, int, std::size_t, int,
                                   int) {
  Runtime::instance().call(
      __func__, [&](Runtime& r) { r.modules().add_variable(code_of(handle), host, name, nullptr); });
}

HEDDLE_CUDA void __cudaRegisterManagedVar(void** handle, void** host, char*, const char* name, int,
                                          std::size_t, int, int) {
  Runtime::instance().call(__func__,
                           [&](Runtime& r) { r.modules().add_variable(code_of(handle), host, name, host); });
}

/// A variable that the host holds and the device reads: nothing that PTX knows of.
HEDDLE_CUDA void __cudaRegisterHostVar(void**, const char*, char*, std::size_t) {}

HEDDLE_CUDA char __cudaInitModule(void**) {
  return Runtime::instance().call(__func__, [](Runtime&) {}) == cudaSuccess;
}

HEDDLE_CUDA unsigned __cudaPushCallConfiguration(isa::Dim3 grid, isa::Dim3 block, std::size_t shared,
                                                 void* stream) {
  Runtime::instance().configurations.push_back({grid, block, shared, stream});
  return cudaSuccess;
}

HEDDLE_CUDA int __cudaPopCallConfiguration(isa::Dim3* grid, isa::Dim3* block, std::size_t* shared,
                                           void* stream) {
  auto& pushed = Runtime::instance().configurations;
  if (pushed.empty()) return cudaErrorMissingConfiguration;
  const CallConfiguration last = pushed.back();
  pushed.pop_back();
  *grid = last.grid;
  *block = last.block;
  *shared = last.shared_bytes;
  *static_cast<const void**>(stream) = last.stream;
  return cudaSuccess;
}

HEDDLE_CUDA int __cudaGetKernel(void** kernel, const void* host) {
  return Runtime::instance().call(__func__, [&](Runtime& r) {
    *kernel = r.modules().function(host);
    if (!*kernel) refuse(cudaErrorInvalidDeviceFunction, "what is no kernel of the program");
  });
}

}  // namespace heddle::cudart
