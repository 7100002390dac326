#pragma once

// The device that programs query: figures of the preset.

#include <cstdint>
#include <string>

#include "testbench/cudart/modules.h"
#include "testbench/program/device_memory.h"
#include "testbench/program/launcher.h"

namespace heddle::cudart {

struct Device {
  std::string name;
  int major = 0, minor = 0;  ///< architecture of the program's own PTX, which every preset runs
  int sms = 0, clock_khz = 0;
  int threads_a_block = 0, threads_an_sm = 0, blocks_an_sm = 0;
  int registers_an_sm = 0, registers_a_thread = 0;
  std::uint64_t shared_an_sm = 0;
  std::uint64_t shared_a_block = 0;          ///< of a kernel that has not asked for more
  std::uint64_t shared_a_block_at_most = 0;  ///< of one that has (cudaFuncSetAttribute)
  std::uint64_t memory_bytes = 0;
  int l2_bytes = 0;  ///< 0: the memory model has none
  int memory_bus_bits = 0, memory_clock_khz = 0;
  int double_ratio = 0;  ///< float operations for one of double
};

/// What the figures come from.
struct Machine {
  const program::ExecParameters& parameters;
  program::Launcher& launcher;
  Modules& modules;
  program::DeviceMemory& memory;
};

Device device_of(const Machine& machine);

/// Dynamic shared memory that a launch of the kernel may have: what the kernel was granted, else the rest of a block's.
std::uint64_t most_dynamic_shared(const Device& device, const program::Kernel& kernel);

/// Throws Refusal for a launch with more threads, shared memory or registers a block than the device has, whether it is
/// timed or not.
void check_limits(const Machine& machine, program::Kernel& kernel, const isa::KernelLaunch& launch);

/// Returns the number of CTAs of a kernel that an SM holds.
int resident_blocks(const Machine& machine, program::Kernel& kernel, int threads, std::size_t dynamic_shared);

/// Returns the registers of a thread: as compiled for the timed GPU, otherwise as many as the kernel names,
/// within the machine's limit.
int registers_of(const Machine& machine, program::Kernel& kernel);

}  // namespace heddle::cudart
