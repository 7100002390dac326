#pragma once

// Runs the launches of a program on the GPU. Memory is copied to the GPU before each launch and back after
// it, so callers such as loops of launch files work as with the reference.

#include <map>
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
  /// `ptx` holds the texts of the modules, `variables` their variables as Heddle places them. Throws GpuError
  /// if the driver refuses a text.
  GpuExecutor(const Driver& gpu, const std::vector<std::string>& ptx,
              const std::vector<isa::ModuleVariable>& variables = {});
  ~GpuExecutor() override;
  GpuExecutor(const GpuExecutor&) = delete;
  GpuExecutor& operator=(const GpuExecutor&) = delete;

  /// Translates addresses in parameters: 8-byte words that are addresses of an allocation or of a texture's
  /// header. Addresses in memory are not translated.
  void launch(const isa::KernelLaunch& launch, MemoryImage& memory) override;

 private:
  struct Variable {
    CUdeviceptr address = 0;
    std::vector<std::uint8_t> here;   ///< bytes that Heddle's memory held last
    std::vector<std::uint8_t> there;  ///< bytes that the GPU held last
  };

  void send(const MemoryImage& memory);
  void fetch(MemoryImage& memory);
  void send_variable(Variable& variable, const std::vector<std::uint8_t>& data);
  void fetch_variable(Variable& variable, std::vector<std::uint8_t>& data);
  std::vector<std::uint8_t> translated(const isa::KernelLaunch& launch, const MemoryImage& memory);
  std::uint64_t translated(std::uint64_t word, const MemoryImage& memory);
  /// Returns the GPU's address of a texture's texels if the kernel fetches them from memory, otherwise 0.
  CUdeviceptr linear_place(const isa::TextureHeader& header, const MemoryImage& memory);
  CUfunction function_of(const std::string& kernel) const;

  const Driver& gpu_;
  std::vector<CUmodule> modules_;
  std::map<std::string, Variable> variables_;     ///< variables of the loaded modules, by name
  std::map<std::uint64_t, DeviceBytes> buffers_;  ///< by Heddle's address
  GpuTextures textures_;
  bool fetches_in_memory_ = false;  ///< true if the module has look-ups in one dimension by whole coordinates
};

}  // namespace heddle::on_gpu
