#pragma once

// Runs the launches of a program on the GPU: memory goes there before each launch and comes back after it, so that
// whatever runs launches (a launch file's loops, a table's rows) needs to know nothing of it.

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
  /// `ptx`: the modules' texts. `variables`: theirs, as Heddle places them. Throws GpuError where the driver refuses
  /// the text.
  GpuExecutor(const Driver& gpu, const std::vector<std::string>& ptx,
              const std::vector<isa::ModuleVariable>& variables = {});
  ~GpuExecutor() override;
  GpuExecutor(const GpuExecutor&) = delete;
  GpuExecutor& operator=(const GpuExecutor&) = delete;

  /// Addresses in parameters are translated where an 8-byte word of one is an address of an allocation, or of a
  /// texture's header; addresses in memory are not.
  void launch(const isa::KernelLaunch& launch, MemoryImage& memory) override;

 private:
  struct Variable {
    CUdeviceptr address = 0;
    std::vector<std::uint8_t> here;   ///< as Heddle's memory held it at last
    std::vector<std::uint8_t> there;  ///< as the GPU held it at last
  };

  void send(const MemoryImage& memory);
  void fetch(MemoryImage& memory);
  void send_variable(Variable& variable, const std::vector<std::uint8_t>& data);
  void fetch_variable(Variable& variable, std::vector<std::uint8_t>& data);
  std::vector<std::uint8_t> translated(const isa::KernelLaunch& launch, const MemoryImage& memory);
  std::uint64_t translated(std::uint64_t word, const MemoryImage& memory);
  /// Where the texels of a texture lie if the kernel fetches them from memory, else 0.
  CUdeviceptr linear_place(const isa::TextureHeader& header, const MemoryImage& memory);
  CUfunction function_of(const std::string& kernel) const;

  const Driver& gpu_;
  std::vector<CUmodule> modules_;
  std::map<std::string, Variable> variables_;     ///< of the modules that the GPU knows, by name
  std::map<std::uint64_t, DeviceBytes> buffers_;  ///< by Heddle's address
  GpuTextures textures_;
  bool fetches_in_memory_ = false;  ///< look-ups in one dimension by whole coordinates
};

}  // namespace heddle::on_gpu
