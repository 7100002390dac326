#include "models/reference/heap_check.h"

#include <fmt/format.h>

#include <bit>

#include "models/isa/check_notes.h"

namespace heddle::reference {

std::string HeapCheck::fault(std::uint64_t address, std::uint64_t bytes) {
  std::uint64_t base = 0;
  const DeviceHeap::Block* const block = heap_.block_before(address, base);
  if (!block) return "before all blocks that malloc returned";
  const std::uint64_t offset = address - base;
  if (offset + bytes <= block->bytes)
    return block->freed ? fmt::format("at byte {} of {} that were freed", offset, block->bytes) : "";
  if (offset < block->bytes)
    return fmt::format("past the end of the {} bytes that malloc returned", block->bytes);
  return fmt::format("{} bytes past the end of the {} bytes that malloc returned{}", offset - block->bytes,
                     block->bytes, block->freed ? ", which were freed" : "");
}

void HeapCheck::accessed(const ExecutedInstruction& e, std::span<const std::uint64_t, kLanes> addresses) {
  const isa::Instruction& i = e.instruction;
  if (isa::is_heap_code(i)) return;
  const std::uint64_t bytes =
      e.texel_bytes ? e.texel_bytes : std::uint64_t{i.memory.element_bytes} * i.memory.elements;
  for (LaneMask left = e.executing; left != 0; left &= left - 1) {
    const auto lane = std::countr_zero(left);
    const std::uint64_t address = addresses[static_cast<std::size_t>(lane)];
    if (!heap_.contains(address)) continue;
    const std::string what = fault(address, bytes);
    if (what.empty()) continue;
    findings_.report(CheckKind::memory, *e.launch.program, e.index, e.index, [&] {
      return fmt::format("{} accesses {} bytes of the heap at {:#x}, {}: lane {} of warp {} of CTA {}",
                         line_of(*e.launch.program, e.index), bytes, address, what, lane, e.warp, e.cta);
    });
    return;
  }
}

}  // namespace heddle::reference
