#pragma once

// Properties of the device that programs can query. The values of the properties come from the GPU preset.

#include <cstdint>
#include <string>

#include "testbench/cudart/modules.h"
#include "testbench/program/device_memory.h"
#include "testbench/program/launcher.h"

namespace heddle::cudart {

struct Device {
  std::string name;
  int major = 0, minor = 0;
  int sms = 0, clock_khz = 0;
  int threads_a_block = 0, threads_an_sm = 0, blocks_an_sm = 0;
  int registers_an_sm = 0, registers_a_thread = 0;
  std::uint64_t shared_an_sm = 0;
  /// Largest shared memory of a block, in bytes, if the program does not call cudaFuncSetAttribute.
  std::uint64_t shared_a_block = 0;
  /// Largest shared memory of a block, in bytes, that cudaFuncSetAttribute can permit.
  std::uint64_t shared_a_block_at_most = 0;
  std::uint64_t memory_bytes = 0;
  int l2_bytes = 0;
  int memory_bus_bits = 0, memory_clock_khz = 0;
  int double_ratio = 0;
};

struct Machine {
  const program::ExecParameters& parameters;
  program::Launcher& launcher;
  Modules& modules;
  program::DeviceMemory& memory;
};

Device device_of(const Machine& machine);

/// Returns the dynamic shared memory in bytes that a launch may use. This is the larger of two values: the
/// size that cudaFuncSetAttribute has permitted, and a block's limit minus the kernel's static shared memory.
std::uint64_t most_dynamic_shared(const Device& device, const program::Kernel& kernel);

/// Throws Refusal for a launch that needs more threads, shared memory or registers per block than the device
/// has. The limit of registers is checked only for timed launches.
void check_limits(const Machine& machine, program::Kernel& kernel, const isa::KernelLaunch& launch);

int resident_blocks(const Machine& machine, program::Kernel& kernel, int threads, std::size_t dynamic_shared);

/// Returns a kernel's number of registers per thread. The number is taken from the program that is compiled
/// for the timed GPU. If no launch is timed, the result is the number of registers in the PTX, but at most
/// the GPU's limit.
int registers_of(const Machine& machine, program::Kernel& kernel);

}  // namespace heddle::cudart
