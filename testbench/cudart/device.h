#pragma once

// The device as programs ask for it: the preset's figures.

#include <cstdint>
#include <string>

#include "testbench/cudart/runtime.h"

namespace heddle::cudart {

struct Device {
  std::string name;
  int major = 0, minor = 0;  ///< the program's own PTX decides: every preset runs it
  int sms = 0, clock_khz = 0;
  int threads_a_block = 0, threads_an_sm = 0, blocks_an_sm = 0;
  int registers_an_sm = 0, registers_a_thread = 0;
  std::uint64_t shared_bytes = 0;
  std::uint64_t memory_bytes = 0;
};

Device device_of(Runtime& runtime);

/// CTAs of a kernel that an SM holds.
int resident_blocks(Runtime& runtime, program::Kernel& kernel, int threads, std::size_t dynamic_shared);

/// Registers of a thread: as compiled for the timed GPU, else as many as the kernel names, within the machine's limit.
int registers_of(Runtime& runtime, program::Kernel& kernel);

}  // namespace heddle::cudart
