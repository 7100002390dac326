#pragma once

// Runs launches on a real GPU. Memory is copied to the GPU before each launch and back after it, so that
// callers can use the GPU like the untimed reference.

#include <map>
#include <span>
#include <string>
#include <vector>

#include "models/isa/launch.h"
#include "models/isa/program.h"
#include "testbench/launch/launch_run.h"
#include "tests/on_gpu/driver.h"
#include "tests/on_gpu/gpu_textures.h"

namespace heddle::on_gpu {

class GpuExecutor : public launch::LaunchExecutor {
 public:
  /// Loads PTX modules onto the GPU. `ptx`: texts of the modules. `variables`: their variables, with Heddle's
  /// addresses. Throws GpuError if the driver refuses a text.
  GpuExecutor(const Driver& gpu, const std::vector<std::string>& ptx,
              const std::vector<isa::ModuleVariable>& variables = {});
  ~GpuExecutor() override;
  GpuExecutor(const GpuExecutor&) = delete;
  GpuExecutor& operator=(const GpuExecutor&) = delete;

  /// Runs the launch. If an 8-byte word of the parameters is the address of an allocation or texture header,
  /// the GPU's address is passed in its place. Addresses in memory are not replaced.
  void launch(const isa::KernelLaunch& launch, MemoryImage& memory) override;

 private:
  struct Variable {
    CUdeviceptr address = 0;
    /// contents of the variable when they were last read from Heddle's memory
    std::vector<std::uint8_t> here;
    std::vector<std::uint8_t> there;  ///< contents when last read from the GPU
  };

  void send(const MemoryImage& memory);
  void fetch(MemoryImage& memory);
  void send_variable(Variable& variable, std::span<const std::uint8_t> data);
  void fetch_variable(Variable& variable, std::span<std::uint8_t> data);
  std::vector<std::uint8_t> translated(const isa::KernelLaunch& launch, const MemoryImage& memory);
  std::uint64_t translated(std::uint64_t word, const MemoryImage& memory);
  /// Returns the GPU address of the texels if the kernel fetches texels directly from memory (one dimension,
  /// integer coordinates). Otherwise returns 0.
  CUdeviceptr linear_place(const isa::TextureHeader& header, const MemoryImage& memory);
  CUfunction function_of(const std::string& kernel) const;

  const Driver& gpu_;
  std::vector<CUmodule> modules_;
  std::map<std::string, Variable> variables_;
  std::map<std::uint64_t, DeviceBytes> buffers_;
  GpuTextures textures_;
  /// true if the module contains texture look-ups in one dimension with integer coordinates
  bool fetches_in_memory_ = false;
};

}  // namespace heddle::on_gpu
