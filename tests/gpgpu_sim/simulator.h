#pragma once

// GPGPU-Sim without CUDA's runtime: loads PTX, copies memory, launches kernels. This header uses no type of
// GPGPU-Sim, because the headers of GPGPU-Sim need another C++ standard than Heddle's.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace heddle::correlation {

struct Parameter {
  const void* data = nullptr;
  std::size_t bytes = 0, offset = 0;
};

struct Launch {
  std::string kernel;
  unsigned grid[3], block[3];
  unsigned registers = 0,
           shared_bytes = 0;  ///< registers of a thread and bytes of a CTA, which limit resident CTAs
  std::vector<Parameter> parameters;
};

/// The simulator. A process can have only one object of this class. The object reads gpgpusim.config in the
/// working folder.
class Simulator {
 public:
  explicit Simulator(const std::string& ptx);
  /// Writes bytes to memory. `copied`: true if the host copied them, so that the L2 holds them
  /// (gpgpu_perf_sim_memcpy).
  void write(std::uint64_t address, const void* data, std::size_t bytes, bool copied);
  void read(std::uint64_t address, void* data, std::size_t bytes);
  /// Writes a variable of the module. Returns false if the module has no variable of this name.
  bool write_variable(const std::string& name, const void* data, std::size_t bytes);
  bool read_variable(const std::string& name, void* data, std::size_t bytes);
  /// Runs a kernel until it ends, and returns its cycles (gpu_sim_cycle).
  std::uint64_t launch(const Launch& launch);
};

}  // namespace heddle::correlation
