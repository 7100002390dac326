#include "testbench/cudart/device.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "models/core/error.h"
#include "models/core/registry.h"
#include "models/memory/cached_parameters.h"
#include "models/memory/memory_parameters.h"
#include "testbench/cudart/refusal.h"

namespace heddle::cudart {
namespace {

constexpr int kLanesInWarp = 32;
constexpr int kMostThreadsInBlock = 1024;

struct SharedOfCapability {
  int architecture;
  std::uint64_t bytes;
};
/// largest shared memory of a block for each compute capability (CUDA C++ Programming Guide, technical
/// specifications)
constexpr std::array kSharedOfCapabilities{
    SharedOfCapability{70, 96 << 10},  SharedOfCapability{75, 64 << 10},  SharedOfCapability{80, 163 << 10},
    SharedOfCapability{86, 99 << 10},  SharedOfCapability{87, 163 << 10}, SharedOfCapability{89, 99 << 10},
    SharedOfCapability{90, 227 << 10}, SharedOfCapability{120, 99 << 10}};

std::uint64_t shared_of_capability(int architecture, std::uint64_t before) {
  for (const SharedOfCapability& row : kSharedOfCapabilities)
    if (architecture >= row.architecture) before = row.bytes;
  return before;
}

int l2_bytes_of(const GpuParameters& gpu, bool timed) {
  if (!timed) return CachedParameters{}.l2.bytes;
  if (choice_name(gpu.memory) != "cached") return 0;
  MemoryParameters<CachedParameters> memory;
  read_fields(choice_parameters(gpu.memory), memory);
  return memory.scaled(gpu.sms).l2.bytes;
}

void describe_memory(Device& device, const GpuParameters& gpu, bool timed) {
  constexpr int kKhz = 1000;
  const auto an_sm = static_cast<std::uint64_t>(gpu.sm.load_store.shared.bytes);
  device.shared_an_sm = timed ? an_sm : shared_of_capability(10 * device.major + device.minor, an_sm);
  device.shared_a_block =
      std::min(device.shared_an_sm, static_cast<std::uint64_t>(gpu.device.shared_bytes_per_block));
  const auto optin = static_cast<std::uint64_t>(gpu.device.shared_bytes_per_block_optin);
  device.shared_a_block_at_most =
      std::max(device.shared_a_block, timed ? std::min(device.shared_an_sm, optin) : device.shared_an_sm);
  device.l2_bytes = l2_bytes_of(gpu, timed);
  device.memory_bus_bits = gpu.device.memory_bus_bits;
  device.memory_clock_khz = static_cast<int>(gpu.device.memory_clock_mhz * kKhz);
}

/// Returns the number of registers of an SM. Computes it from the parameters, because a program without timed
/// launches builds no GPU.
int registers_of(const SmParameters& sm) {
  const auto& banks = sm.register_file.banks;
  return sm.partitions * banks.count * banks.entries * kLanesInWarp;
}

int registers_of(program::TimedGpu& gpu) {
  const auto rows = gpu.capacity().partition_registers;
  return static_cast<int>(std::accumulate(rows.begin(), rows.end(), 0u)) * kLanesInWarp;
}

}  // namespace

Device device_of(const Machine& machine) {
  const GpuParameters& gpu = machine.parameters.run.gpu;
  program::TimedGpu* const timed = machine.launcher.gpu();
  const int architecture = machine.modules.architecture();
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
  device.memory_bytes = machine.memory.capacity();
  device.double_ratio = gpu.sm.units.fp64.interval_cycles / gpu.sm.units.fp32.interval_cycles;
  describe_memory(device, gpu, timed != nullptr);
  return device;
}

std::uint64_t most_dynamic_shared(const Device& device, const program::Kernel& kernel) {
  const std::uint64_t own = kernel.parsed->shared_bytes;
  return std::max<std::uint64_t>(kernel.granted_shared_bytes,
                                 device.shared_a_block - std::min(device.shared_a_block, own));
}

namespace {

void check_shared(const Machine& machine, const program::Kernel& kernel, std::uint64_t dynamic) {
  const GpuParameters& gpu = machine.parameters.run.gpu;
  const auto plain =
      static_cast<std::uint64_t>(std::min(gpu.device.shared_bytes_per_block, gpu.sm.load_store.shared.bytes));
  const std::uint64_t own = kernel.parsed->shared_bytes;
  if (own + dynamic <= plain) return;
  const Device device = device_of(machine);
  if (own > device.shared_a_block)
    refuse(cudaErrorInvalidValue,
           fmt::format("kernel {} declares {} bytes of shared memory; a block may declare up to {}",
                       kernel.plain, own, device.shared_a_block));
  const std::uint64_t most = most_dynamic_shared(device, kernel);
  if (dynamic <= most) return;
  refuse(cudaErrorInvalidValue,
         fmt::format(
             "kernel {}: {} bytes of dynamic shared memory; allowed: up to {}, after cudaFuncSetAttribute "
             "up to {}",
             kernel.plain, dynamic, most, device.shared_a_block_at_most - own));
}

/// Checks the limit of registers. The limit is checked only for timed launches, because an untimed launch
/// runs on no SM.
void check_registers(const Machine& machine, program::Kernel& kernel, isa::KernelLaunch launch) {
  program::TimedGpu* const gpu = machine.launcher.gpu();
  if (!gpu) return;
  const SmParameters& sm = machine.parameters.run.gpu.sm;
  const auto most = launch.threads_per_cta() * static_cast<std::uint64_t>(sm.max_registers_per_thread);
  if (most <= static_cast<std::uint64_t>(registers_of(*gpu))) return;
  launch.program = kernel.parsed;
  try {
    gpu->compile(kernel, launch);
  } catch (const Error&) {
    return;
  }
  launch.program = kernel.compiled;
  if (gpu->ctas_per_sm(launch) == 0)
    refuse(cudaErrorLaunchOutOfResources,
           fmt::format("kernel {}: blocks of {} threads with {} registers each; an SM has {}", kernel.plain,
                       launch.threads_per_cta(), kernel.compiled->registers, registers_of(*gpu)));
}

}  // namespace

void check_limits(const Machine& machine, program::Kernel& kernel, const isa::KernelLaunch& launch) {
  const auto threads =
      static_cast<std::uint64_t>(std::min(kMostThreadsInBlock, machine.parameters.run.gpu.sm.max_threads));
  if (launch.block.count() > threads)
    refuse(cudaErrorInvalidConfiguration, fmt::format("kernel {}: a block of {} threads; allowed: 1 to {}",
                                                      kernel.plain, launch.block.count(), threads));
  check_shared(machine, kernel, launch.dynamic_shared_bytes);
  check_registers(machine, kernel, launch);
}

int registers_of(const Machine& machine, program::Kernel& kernel) {
  if (program::TimedGpu* const gpu = machine.launcher.gpu(); gpu && !kernel.compiled) {
    isa::KernelLaunch shape;
    shape.block.x = 256;  // assumed; the block size matters only to compiler passes that use it
    shape.program = kernel.parsed;
    gpu->compile(kernel, shape);
  }
  if (kernel.compiled) return static_cast<int>(kernel.compiled->registers);
  return std::clamp(static_cast<int>(kernel.parsed->registers), 1,
                    machine.parameters.run.gpu.sm.max_registers_per_thread);
}

int resident_blocks(const Machine& machine, program::Kernel& kernel, int threads,
                    std::size_t dynamic_shared) {
  if (dynamic_shared + kernel.parsed->shared_bytes > device_of(machine).shared_a_block_at_most) return 0;
  isa::KernelLaunch launch;
  launch.block.x = static_cast<std::uint32_t>(threads);
  launch.dynamic_shared_bytes = static_cast<std::uint32_t>(dynamic_shared);
  launch.grid.x = static_cast<std::uint32_t>(machine.parameters.run.gpu.sms) *
                  static_cast<std::uint32_t>(machine.parameters.run.gpu.sm.max_ctas);
  if (program::TimedGpu* const gpu = machine.launcher.gpu()) {
    launch.program = kernel.parsed;
    gpu->compile(kernel, launch);
    launch.program = kernel.compiled;
    return gpu->ctas_per_sm(launch);
  }
  launch.program = kernel.parsed;
  const SmParameters& sm = machine.parameters.run.gpu.sm;
  const auto warps = static_cast<int>(launch.warps_per_cta());
  int room = std::min(sm.max_ctas, sm.max_warps / std::max(warps, 1));
  if (launch.shared_bytes())
    room = std::min(room, static_cast<int>(device_of(machine).shared_an_sm / launch.shared_bytes()));
  return room;
}

}  // namespace heddle::cudart
