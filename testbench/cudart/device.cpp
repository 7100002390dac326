#include "testbench/cudart/device.h"

#include <algorithm>
#include <numeric>

namespace heddle::cudart {
namespace {

constexpr int kLanesInWarp = 32;
constexpr int kMostThreadsInBlock = 1024;

/// Returns the registers of an SM without building a GPU, for programs that time nothing.
int registers_of(const SmParameters& sm) {
  const auto& banks = sm.register_file.banks;
  return sm.partitions * banks.count * banks.entries * kLanesInWarp;
}

int registers_of(program::TimedGpu& gpu) {
  const auto rows = gpu.capacity().partition_registers;
  return static_cast<int>(std::accumulate(rows.begin(), rows.end(), 0u)) * kLanesInWarp;
}

}  // namespace

Device device_of(Runtime& runtime) {
  const GpuParameters& gpu = runtime.parameters().run.gpu;
  program::TimedGpu* const timed = runtime.launcher().gpu();
  const int architecture = runtime.modules().architecture();
  Device device;
  device.name = timed ? "Heddle " + gpu.name : "Heddle (untimed)";
  device.major = architecture / 10;
  device.minor = architecture % 10;
  device.sms = gpu.sms;
  device.clock_khz = static_cast<int>(gpu.core_clock_mhz * 1000);
  device.threads_a_block = std::min(kMostThreadsInBlock, gpu.sm.max_threads);
  device.threads_an_sm = gpu.sm.max_threads;
  device.blocks_an_sm = gpu.sm.max_ctas;
  device.registers_an_sm = timed ? registers_of(*timed) : registers_of(gpu.sm);
  device.registers_a_thread = gpu.sm.max_registers_per_thread;
  device.shared_bytes = static_cast<std::uint64_t>(gpu.sm.load_store.shared.bytes);
  device.memory_bytes = runtime.memory().capacity();
  return device;
}

int registers_of(Runtime& runtime, program::Kernel& kernel) {
  if (program::TimedGpu* const gpu = runtime.launcher().gpu(); gpu && !kernel.compiled) {
    isa::KernelLaunch shape;
    shape.block.x =
        256;  // assumed; the block size affects the registers of a kernel only if a compiler pass uses it
    shape.program = kernel.parsed;
    gpu->compile(kernel, shape);
  }
  if (kernel.compiled) return static_cast<int>(kernel.compiled->registers);
  return std::clamp(static_cast<int>(kernel.parsed->registers), 1,
                    runtime.parameters().run.gpu.sm.max_registers_per_thread);
}

int resident_blocks(Runtime& runtime, program::Kernel& kernel, int threads, std::size_t dynamic_shared) {
  isa::KernelLaunch launch;
  launch.block.x = static_cast<std::uint32_t>(threads);
  launch.dynamic_shared_bytes = static_cast<std::uint32_t>(dynamic_shared);
  launch.grid.x = static_cast<std::uint32_t>(runtime.parameters().run.gpu.sms) *
                  static_cast<std::uint32_t>(runtime.parameters().run.gpu.sm.max_ctas);
  if (program::TimedGpu* const gpu = runtime.launcher().gpu()) {
    launch.program = kernel.parsed;
    gpu->compile(kernel, launch);
    launch.program = kernel.compiled;
    return gpu->ctas_per_sm(launch);
  }
  launch.program = kernel.parsed;
  const SmParameters& sm = runtime.parameters().run.gpu.sm;
  const auto warps = static_cast<int>(launch.warps_per_cta());
  int room = std::min(sm.max_ctas, sm.max_warps / std::max(warps, 1));
  if (launch.shared_bytes())
    room = std::min(room, static_cast<int>(static_cast<std::uint64_t>(sm.load_store.shared.bytes) /
                                           launch.shared_bytes()));
  return room;
}

}  // namespace heddle::cudart
