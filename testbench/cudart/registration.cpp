// Calls that nvcc and clang insert into a program: at start-up, registration of fat binaries, kernels and
// variables; for <<<>>>, the two calls of a launch.

#include "models/core/error.h"
#include "testbench/cudart/api.h"

namespace heddle::cudart {

HEDDLE_CUDA void** __cudaRegisterFatBinary(void* wrapper) {
  DeviceCode* code = nullptr;
  Runtime& runtime = Runtime::instance();
  runtime.prepare(__func__, [&](Runtime& r) {
    const auto* const fat = static_cast<const FatBinaryWrapper*>(wrapper);
    if (at(fat).magic != kWrapperMagic) throw Error("a fat binary", "it does not begin as one");
    std::vector<const void*> images = {fat->data};
    if (fat->version == 2)
      for (auto* more = static_cast<void**>(fat->more); more && *more; ++more) images.push_back(*more);
    code = r.modules().add(std::move(images));
  });
  return static_cast<void**>(static_cast<void*>(code));
}

/// The program's start-up code makes this call after it has registered all device code. After this call, host
/// code of programs compiled by scripts/heddle-cc may read managed variables.
HEDDLE_CUDA void __cudaRegisterFatBinaryEnd(void**) {
  Runtime::instance().prepare(__func__, [](Runtime& r) { r.load_managed(); });
}

/// Receives the range of host addresses that contains the managed variables of a program compiled by
/// scripts/heddle-cc.
HEDDLE_CUDA void __cudaHeddleManaged(void* begin, void* end) {
  Runtime::instance().prepare(__func__, [&](Runtime& r) {
    r.modules().add_managed_section(static_cast<char*>(begin), static_cast<char*>(end));
  });
}

/// Does nothing: destructors that run after this call may still use device memory.
HEDDLE_CUDA void __cudaUnregisterFatBinary(void**) {}

HEDDLE_CUDA void __cudaRegisterFunction(void** handle, const char* host, char*, const char* name, int, void*,
                                        void*, void*, void*, int*) {
  Runtime::instance().prepare(__func__, [&](Runtime& r) {
    r.modules().add_function(r.modules().checked(handle), host, text_at(name));
  });
}

HEDDLE_CUDA void __cudaRegisterVar(void** handle, char* host, char*, const char* name, int, std::size_t, int,
                                   int) {
  Runtime::instance().prepare(__func__, [&](Runtime& r) {
    r.modules().add_variable(r.modules().checked(handle), host, text_at(name), nullptr);
  });
}

HEDDLE_CUDA void __cudaRegisterManagedVar(void** handle, void** host, char*, const char* name, int,
                                          std::size_t, int, int) {
  Runtime::instance().prepare(__func__, [&](Runtime& r) {
    r.modules().add_variable(r.modules().checked(handle), host, text_at(name), host);
  });
}

/// Ignores the call. nvcc inserts the call for host variables that the device reads. PTX has no such
/// variables.
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
  if (!grid || !block || !shared || !stream) return cudaErrorInvalidValue;
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
    at(kernel) = r.modules().function(host);
    if (!*kernel) refuse(cudaErrorInvalidDeviceFunction, "a handle that is no kernel of the program");
  });
}

}  // namespace heddle::cudart
