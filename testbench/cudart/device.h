#pragma once

// Properties of the device that programs query, taken from the GPU preset.

#include <cstdint>
#include <string>

#include "testbench/cudart/modules.h"
#include "testbench/program/device_memory.h"
#include "testbench/program/launcher.h"

namespace heddle::cudart {

struct Device {
  std::string name;
  int major = 0, minor = 0;  ///< architecture of the program's PTX, because every preset runs any PTX
  int sms = 0, clock_khz = 0;
  int threads_a_block = 0, threads_an_sm = 0, blocks_an_sm = 0;
  int registers_an_sm = 0, registers_a_thread = 0;
  std::uint64_t shared_an_sm = 0;
  /// Largest shared memory of a block, for a kernel that has not requested more.
  std::uint64_t shared_a_block = 0;
  /// Largest shared memory of a block that a kernel may request (cudaFuncSetAttribute).
  std::uint64_t shared_a_block_at_most = 0;
  std::uint64_t memory_bytes = 0;
  int l2_bytes = 0;  ///< size of the L2 in bytes; 0 if the configured memory model has none
  int memory_bus_bits = 0, memory_clock_khz = 0;
  int double_ratio = 0;  ///< throughput of single precision divided by throughput of double precision
};

/// The parameters from which the properties are computed.
struct Machine {
  const program::ExecParameters& parameters;
  program::Launcher& launcher;
  Modules& modules;
  program::DeviceMemory& memory;
};

Device device_of(const Machine& machine);

/// Returns the dynamic shared memory that a launch of the kernel may use: the size granted to the kernel,
/// otherwise a block's limit minus the kernel's static shared memory.
std::uint64_t most_dynamic_shared(const Device& device, const program::Kernel& kernel);

/// Throws Refusal for a launch with more threads, shared memory or registers per block than the device has,
/// whether or not the launch is timed.
void check_limits(const Machine& machine, program::Kernel& kernel, const isa::KernelLaunch& launch);

/// Returns the number of CTAs of a kernel that an SM holds.
int resident_blocks(const Machine& machine, program::Kernel& kernel, int threads, std::size_t dynamic_shared);

/// Returns the registers per thread of a kernel. If a GPU is timed, these are the registers of the program
/// compiled for this GPU. Otherwise, the number is that of the registers in the PTX, up to the GPU's limit.
int registers_of(const Machine& machine, program::Kernel& kernel);

}  // namespace heddle::cudart
