#include "tests/on_gpu/driver.h"

#include <dlfcn.h>

#include <array>
#include <utility>

namespace heddle::on_gpu {

#define HEDDLE_TEXT(name) #name
#define HEDDLE_NAME(name) HEDDLE_TEXT(name)

Driver::Driver(const std::string& library) {
  void* const handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) throw GpuError(std::string("no driver: ") + ::dlerror());
    // cuda.h defines versioned functions as macros, so the symbol's name is the text to which the macro
    // expands.
#define HEDDLE_LOAD(name) name = reinterpret_cast<decltype(name)>(::dlsym(handle, HEDDLE_NAME(name)));
  HEDDLE_DRIVER_CALLS(HEDDLE_LOAD)
#undef HEDDLE_LOAD
  HEDDLE_GPU_CALL(*this, cuInit, 0u);
  HEDDLE_GPU_CALL(*this, cuDriverGetVersion, &version_);
  CUdevice device = 0;
  HEDDLE_GPU_CALL(*this, cuDeviceGet, &device, 0);
  std::array<char, 128> name{};
  HEDDLE_GPU_CALL(*this, cuDeviceGetName, name.data(), static_cast<int>(name.size()), device);
  device_name_ = name.data();
  take_context();
}

Driver::Driver(const Replay& replay)
    : device_name_("recorded in " + replay.file), replay_(replay.file, std::ios::binary) {
  if (!replay_) throw GpuError("cannot read " + replay.file);
}

void Driver::note(const std::vector<std::uint8_t>& left) const {
  if (record_.is_open())
    record_.write(reinterpret_cast<const char*>(left.data()), static_cast<std::streamsize>(left.size()));
}

std::vector<std::uint8_t> Driver::noted(std::size_t bytes) const {
  std::vector<std::uint8_t> left(bytes);
  replay_.read(reinterpret_cast<char*>(left.data()), static_cast<std::streamsize>(bytes));
  if (!replay_) throw GpuError("the record ends early: other inputs than when it was made?");
  return left;
}

void Driver::take_context() {
  CUcontext context = nullptr;
  HEDDLE_GPU_CALL(*this, cuDevicePrimaryCtxRetain, &context, CUdevice{0});
  HEDDLE_GPU_CALL(*this, cuCtxSetCurrent, context);
}

void Driver::renew() {
  if (replays()) return;
  HEDDLE_GPU_CALL(*this, cuDevicePrimaryCtxReset, CUdevice{0});
  take_context();
}

std::string Driver::error_name(CUresult code) const {
  const char* text = nullptr;
  if (cuGetErrorName && cuGetErrorName(code, &text) == CUDA_SUCCESS && text) return text;
  return "error " + std::to_string(static_cast<int>(code));
}

CUmodule Driver::load(const std::string& ptx) const {
  std::array<char, 1024> log{};
  std::array<CUjit_option, 2> options{CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  std::array<void*, 2> values{log.data(), reinterpret_cast<void*>(log.size())};
  CUmodule module = nullptr;
  if (!cuModuleLoadDataEx) throw GpuError("cuModuleLoadDataEx: not in this library");
  const CUresult code = cuModuleLoadDataEx(&module, ptx.c_str(), 2, options.data(), values.data());
  if (code != CUDA_SUCCESS) throw GpuError("module: " + error_name(code) + " " + log.data());
  return module;
}

DeviceBytes::DeviceBytes(const Driver& gpu, std::uint64_t bytes) : gpu_(gpu) {
  HEDDLE_GPU_CALL(gpu_, cuMemAlloc, &address_, std::size_t{bytes ? bytes : 16});
}

DeviceBytes::DeviceBytes(DeviceBytes&& other) noexcept
    : gpu_(other.gpu_), address_(std::exchange(other.address_, 0)) {}

DeviceBytes::~DeviceBytes() {
  if (address_) gpu_.cuMemFree(address_);
}

void DeviceBytes::fill(std::span<const std::uint8_t> from) const {
  if (!from.empty())
    HEDDLE_GPU_CALL(gpu_, cuMemcpyHtoD, address_, static_cast<const void*>(from.data()), from.size());
}

void DeviceBytes::read(std::span<std::uint8_t> into) const {
  if (!into.empty())
    HEDDLE_GPU_CALL(gpu_, cuMemcpyDtoH, static_cast<void*>(into.data()), address_, into.size());
}

}  // namespace heddle::on_gpu
