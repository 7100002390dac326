#pragma once

// Loads the CUDA driver library at run time, so that the program can be built without the library.

#include <cuda.h>

#include <cstdint>
#include <fstream>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace heddle::on_gpu {

struct GpuError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// clang-format off: one function in each line
#define HEDDLE_DRIVER_CALLS(X) \
  X(cuInit)                    \
  X(cuDriverGetVersion)        \
  X(cuDeviceGet)               \
  X(cuDeviceGetName)           \
  X(cuDeviceGetAttribute)      \
  X(cuDevicePrimaryCtxRetain)  \
  X(cuDevicePrimaryCtxReset)   \
  X(cuCtxSetCurrent)           \
  X(cuCtxSynchronize)          \
  X(cuCtxSetLimit)             \
  X(cuGetErrorName)            \
  X(cuModuleLoadDataEx)        \
  X(cuModuleUnload)            \
  X(cuModuleGetFunction)       \
  X(cuModuleGetGlobal)         \
  X(cuModuleGetTexRef)         \
  X(cuFuncSetAttribute)        \
  X(cuLaunchKernel)            \
  X(cuLaunchCooperativeKernel) \
  X(cuMemAlloc)                \
  X(cuMemFree)                 \
  X(cuMemcpyHtoD)              \
  X(cuMemcpyDtoH)              \
  X(cuMemcpy3D)                \
  X(cuArray3DCreate)           \
  X(cuArrayDestroy)            \
  X(cuTexObjectCreate)         \
  X(cuTexObjectDestroy)        \
  X(cuSurfObjectCreate)        \
  X(cuSurfObjectDestroy)       \
  X(cuTexRefSetArray)          \
  X(cuTexRefSetAddressMode)    \
  X(cuTexRefSetFilterMode)     \
  X(cuTexRefSetFlags)          \
  X(cuTexRefSetFormat)         \
  X(cuTexRefSetAddress)
// clang-format on

class Driver {
 public:
  /// Throws GpuError if the library does not exist or there is no device.
  explicit Driver(const std::string& library);
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;

  template <class Function, class... Arguments>
  void call(const char* name, Function function, Arguments... arguments) const {
    if (!function) throw GpuError(std::string(name) + ": not in this library");
    const CUresult code = function(arguments...);
    if (code != CUDA_SUCCESS) throw GpuError(std::string(name) + ": " + error_name(code));
  }

  std::string error_name(CUresult code) const;
  std::string device_name() const { return device_name_; }
  int version() const { return version_; }

  /// Contents of memory that an earlier run recorded. On machines without a GPU, these contents replace the
  /// results of launches.
  struct Replay {
    std::string file;
  };
  explicit Driver(const Replay& replay);
  void record(const std::string& file) { record_.open(file, std::ios::binary); }
  bool replays() const { return replay_.is_open(); }
  /// note() records the memory after a launch. In a replay, noted() returns the recorded memory of the launch
  /// with the same number.
  void note(const std::vector<std::uint8_t>& left) const;
  std::vector<std::uint8_t> noted(std::size_t bytes) const;

  /// Creates a new GPU context. Call this function after a kernel fault, which destroys the old context and
  /// its memory.
  void renew();

  /// Loads a PTX module. Throws GpuError with the driver's message.
  CUmodule load(const std::string& ptx) const;

#define HEDDLE_MEMBER(name) decltype(&::name) name = nullptr;
  HEDDLE_DRIVER_CALLS(HEDDLE_MEMBER)
#undef HEDDLE_MEMBER

 private:
  void take_context();

  std::string device_name_;
  int version_ = 0;
  mutable std::ofstream record_;
  mutable std::ifstream replay_;
};

#define HEDDLE_GPU_CALL(gpu, function, ...) (gpu).call(#function, (gpu).function __VA_OPT__(, ) __VA_ARGS__)

class DeviceBytes {
 public:
  DeviceBytes(const Driver& gpu, std::uint64_t bytes);
  ~DeviceBytes();
  DeviceBytes(const DeviceBytes&) = delete;
  DeviceBytes& operator=(const DeviceBytes&) = delete;
  DeviceBytes(DeviceBytes&& other) noexcept;

  CUdeviceptr address() const { return address_; }
  void fill(std::span<const std::uint8_t> from) const;
  void read(std::span<std::uint8_t> into) const;

 private:
  const Driver& gpu_;
  CUdeviceptr address_ = 0;
};

}  // namespace heddle::on_gpu
