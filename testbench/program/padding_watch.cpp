#include "testbench/program/padding_watch.h"

#include <fmt/format.h>

#include "models/isa/address_map.h"
#include "models/ptx/kernel_name.h"

namespace heddle::program {

void PaddingWatch::accessed(const reference::ExecutedInstruction& seen,
                            std::span<const std::uint64_t, kLanes> addresses) {
  const bool reads = seen.instruction.op == isa::Opcode::ld || seen.texel_bytes != 0;
  const isa::MemoryAccess& form = seen.instruction.memory;
  const std::uint64_t bytes =
      seen.texel_bytes ? seen.texel_bytes : std::uint64_t{form.element_bytes} * form.elements;
  for (std::size_t lane = 0; lane < addresses.size(); ++lane) {
    const std::uint64_t address = addresses[lane];
    if (!((seen.executing >> lane) & 1u) || isa::window_of(address) != isa::Window::global) continue;
    const DeviceMemory::Block* const block = memory_.block_of(address);
    if (block && bytes <= block->bytes - (address - block->address)) continue;
    if (!reads)
      throw reference::FaultError(
          reference::FaultError::Kind::address, seen.launch.program->file,
          fmt::format("kernel {}: a write of {} bytes at {:#x}, outside of any allocation",
                      ptx::plain_name(seen.launch.program->kernel), bytes, address));
    ++reads_;
  }
}

}  // namespace heddle::program
