// CUDA driver calls for modules, their kernels and variables, and launches. Also the library calls of the
// runtime interface (cudaLibrary...).

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <set>
#include <utility>

#include "models/core/error.h"
#include "models/core/read_file.h"
#include "testbench/cudart/device.h"
#include "testbench/cudart/driver.h"
#include "testbench/cudart/fat_binary.h"

namespace heddle::cudart {

HEDDLE_CUDA int cudaFuncSetAttribute(const void* function, int attribute, int value);
HEDDLE_CUDA int cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* count, const void* function, int threads,
                                                              std::size_t dynamic_shared);

namespace {

constexpr int kMostAttributes = 10;
constexpr int kWarp = 32;
void* const kParameterBlock = pointer_to(1);  // key in `extra`: CU_LAUNCH_PARAM_BUFFER_POINTER
void* const kParameterBytes = pointer_to(2);  // key in `extra`: CU_LAUNCH_PARAM_BUFFER_SIZE

DeviceCode* code_of(Runtime& r, void* module) {
  auto* const code = static_cast<DeviceCode*>(module);
  if (!r.modules().has(code)) refuse(cudaErrorInvalidResourceHandle, "a module that is not loaded");
  return code;
}

const void* image_of(const void* data) {
  FatBinaryWrapper wrapper{};
  std::memcpy(&wrapper.magic, data, sizeof wrapper.magic);
  if (wrapper.magic != kWrapperMagic) return data;
  std::memcpy(&wrapper, data, sizeof wrapper);
  return wrapper.data;
}

void load(Runtime& r, void** module, const void* data) {
  if (!data) refuse(cudaErrorInvalidValue, "no module");
  void*& result = at(module);
  DeviceCode* const code = r.modules().add({image_of(data)});
  try {
    r.modules().load(code);
  } catch (const Error& error) {
    r.modules().remove(code);
    refuse(cudaErrorInvalidPtx, error.what());
  }
  result = code;
}

/// Reads a file with device code. The text stays in memory until the process ends, because the module keeps
/// pointers to names in the text.
const void* read(const std::string& file) {
  static std::set<std::unique_ptr<std::string>> files;
  const std::string* text = nullptr;
  try {
    text = files.insert(std::make_unique<std::string>(read_text_file(file, "the module"))).first->get();
  } catch (const Error& error) {
    refuse(301, error.what());
  }
  try {
    require_whole_fat_binary(text->data(), text->size(), file);
  } catch (const Error& error) {
    refuse(cudaErrorInvalidKernelImage, error.what());
  }
  return text->c_str();
}

void find_function(Runtime& r, void** function, void* module, const char* name) {
  void*& result = at(function);
  result = r.modules().function_named(code_of(r, module), text_at(name));
  if (!result) refuse(cudaErrorSymbolNotFound, fmt::format("no kernel {} in the module", name));
}

void find_variable(Runtime& r, void** address, std::size_t* bytes, void* module, const char* name) {
  const isa::ModuleVariable* const variable = code_of(r, module)->variable(text_at(name));
  if (!variable)
    // Refuse without a message: runtimes of other compilers call this function to test which variables exist.
    refuse(cudaErrorSymbolNotFound);
  if (address) *address = pointer_to(variable->address);
  if (bytes) *bytes = variable->bytes;
}

/// Returns the kernel parameters that are in `extra`. `extra` is a list of keys and values that ends with 0.
std::vector<std::uint8_t> block_of(void** extra) {
  const void* block = nullptr;
  std::size_t bytes = 0;
  for (int i = 0; i < kMostAttributes && extra[0]; ++i, extra += 2) {
    if (extra[0] == kParameterBlock) block = extra[1];
    if (extra[0] == kParameterBytes) bytes = at(static_cast<const std::size_t*>(extra[1]));
  }
  constexpr std::size_t kMostBytes = 1 << 15;
  if (!block) return {};
  if (bytes > kMostBytes) refuse(cudaErrorInvalidValue, fmt::format("{} bytes of parameters", bytes));
  const auto* const first = static_cast<const std::uint8_t*>(block);
  return {first, first + bytes};
}

void launch(Runtime& r, const void* function, const CallConfiguration& c, void** parameters, void** extra) {
  if (parameters || !extra)
    r.launch(function, c, parameters);
  else
    r.launch_block(function, c, block_of(extra));
}

}  // namespace

HEDDLE_CUDA int cuModuleLoadData(void** module, const void* image) {
  return driver_call(__func__, [&](Runtime& r) { load(r, module, image); });
}
HEDDLE_CUDA int cuModuleLoadDataEx(void** module, const void* image, unsigned, int*, void**) {
  return driver_call(__func__, [&](Runtime& r) { load(r, module, image); });
}
HEDDLE_CUDA int cuModuleLoadFatBinary(void** module, const void* image) {
  return driver_call(__func__, [&](Runtime& r) { load(r, module, image); });
}
HEDDLE_CUDA int cuModuleLoad(void** module, const char* file) {
  return driver_call(__func__, [&](Runtime& r) { load(r, module, read(text_at(file))); });
}
HEDDLE_CUDA int cuModuleUnload(void* module) {
  return driver_call(__func__, [&](Runtime& r) { r.modules().remove(code_of(r, module)); });
}
HEDDLE_CUDA int cuModuleGetFunction(void** function, void* module, const char* name) {
  return driver_call(__func__, [&](Runtime& r) { find_function(r, function, module, name); });
}
HEDDLE_CUDA int cuModuleGetGlobal_v2(void** address, std::size_t* bytes, void* module, const char* name) {
  return driver_call(__func__, [&](Runtime& r) { find_variable(r, address, bytes, module, name); });
}

HEDDLE_CUDA int cudaLibraryLoadData(void** library, const void* code, int*, void**, unsigned, int*, void**,
                                    unsigned) {
  return Runtime::instance().call(__func__, [&](Runtime& r) { load(r, library, code); });
}
HEDDLE_CUDA int cudaLibraryLoadFromFile(void** library, const char* file, int*, void**, unsigned, int*,
                                        void**, unsigned) {
  return Runtime::instance().call(__func__, [&](Runtime& r) { load(r, library, read(text_at(file))); });
}
HEDDLE_CUDA int cudaLibraryUnload(void* library) {
  return Runtime::instance().call(__func__, [&](Runtime& r) { r.modules().remove(code_of(r, library)); });
}
HEDDLE_CUDA int cudaLibraryGetKernel(void** kernel, void* library, const char* name) {
  return Runtime::instance().call(__func__, [&](Runtime& r) { find_function(r, kernel, library, name); });
}
HEDDLE_CUDA int cudaLibraryGetGlobal(void** address, std::size_t* bytes, void* library, const char* name) {
  return Runtime::instance().call(__func__,
                                  [&](Runtime& r) { find_variable(r, address, bytes, library, name); });
}

HEDDLE_CUDA int cuLaunchKernel(void* function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                               unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                               void* stream, void** parameters, void** extra) {
  return driver_code(Runtime::instance().call_launch(__func__, [&](Runtime& r) {
    launch(r, function, {{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared, stream}, parameters,
           extra);
  }));
}
HEDDLE_CUDA_TWIN(cuLaunchKernel, ptsz)

HEDDLE_CUDA int cuLaunchCooperativeKernel(void* function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                          unsigned block_x, unsigned block_y, unsigned block_z,
                                          unsigned shared, void* stream, void** parameters) {
  return driver_code(Runtime::instance().call_launch(__func__, [&](Runtime& r) {
    launch(r, function, {{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared, stream, true},
           parameters, nullptr);
  }));
}
HEDDLE_CUDA_TWIN(cuLaunchCooperativeKernel, ptsz)

HEDDLE_CUDA int cuFuncSetAttribute(void* function, int attribute, int value) {
  return driver_code(cudaFuncSetAttribute(function, attribute, value));
}
HEDDLE_CUDA int cuFuncSetCacheConfig(void* function, int) {
  return driver_call(__func__, [&](Runtime& r) { r.kernel_of(function); });
}
HEDDLE_CUDA int cuFuncGetAttribute(int* value, int attribute, void* function) {
  return driver_call(__func__, [&](Runtime& r) {
    program::Kernel& kernel = r.kernel_of(function);
    const isa::Program& program = *kernel.parsed;
    const Device device = device_of(r.machine());
    const int version = 10 * device.major + device.minor;
    const int own = static_cast<int>(program.max_threads);
    const int values[kMostAttributes] = {own ? own : device.threads_a_block,
                                         static_cast<int>(program.shared_bytes),
                                         0,
                                         static_cast<int>(program.local_bytes),
                                         registers_of(r.machine(), kernel),
                                         version,
                                         version,
                                         0,
                                         static_cast<int>(most_dynamic_shared(device, kernel)),
                                         -1};
    if (attribute < 0 || attribute >= kMostAttributes)
      refuse(cudaErrorInvalidValue, "no such attribute of a kernel");
    at(value) = values[attribute];
  });
}
HEDDLE_CUDA int cuOccupancyMaxActiveBlocksPerMultiprocessor(int* count, void* function, int threads,
                                                            std::size_t dynamic_shared) {
  return driver_code(cudaOccupancyMaxActiveBlocksPerMultiprocessor(count, function, threads, dynamic_shared));
}

HEDDLE_CUDA int cuOccupancyMaxPotentialBlockSize(int* grid, int* block, void* function,
                                                 std::size_t (*shared_of)(int), std::size_t shared,
                                                 int limit) {
  return driver_call(__func__, [&](Runtime& r) {
    if (!grid || !block) refuse(cudaErrorInvalidValue, "no place for the grid or the block");
    program::Kernel& kernel = r.kernel_of(function);
    const Device device = device_of(r.machine());
    const int own = static_cast<int>(kernel.parsed->max_threads);
    int most = std::min(device.threads_a_block, own ? own : device.threads_a_block);
    if (limit > 0) most = std::min(most, limit);
    *grid = *block = 0;
    int best = 0;
    for (int threads = most; threads > 0; threads = (threads - 1) / kWarp * kWarp) {
      const int blocks =
          resident_blocks(r.machine(), kernel, threads, shared_of ? shared_of(threads) : shared);
      if (blocks * threads <= best) continue;
      best = blocks * threads;
      *block = threads;
      *grid = blocks * device.sms;
    }
  });
}
HEDDLE_CUDA int cuOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block, void* function,
                                                          std::size_t (*shared_of)(int), std::size_t shared,
                                                          int limit, unsigned) {
  return cuOccupancyMaxPotentialBlockSize(grid, block, function, shared_of, shared, limit);
}

}  // namespace heddle::cudart
