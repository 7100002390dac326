#pragma once

// The device that programs query: figures of the preset.

#include <cstdint>
#include <string>

#include "testbench/cudart/runtime.h"

namespace heddle::cudart {

struct Device {
  std::string name;
  int major = 0, minor = 0;  ///< architecture of the program's own PTX, which every preset runs
  int sms = 0, clock_khz = 0;
  int threads_a_block = 0, threads_an_sm = 0, blocks_an_sm = 0;
  int registers_an_sm = 0, registers_a_thread = 0;
  std::uint64_t shared_bytes = 0;
  std::uint64_t memory_bytes = 0;
};

Device device_of(Runtime& runtime);

/// Returns the number of CTAs of a kernel that an SM holds.
int resident_blocks(Runtime& runtime, program::Kernel& kernel, int threads, std::size_t dynamic_shared);

/// Returns the registers of a thread: as compiled for the timed GPU, otherwise as many as the kernel names,
/// within the machine's limit.
int registers_of(Runtime& runtime, program::Kernel& kernel);

}  // namespace heddle::cudart
