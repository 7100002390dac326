#include "models/reference/device_heap.h"

#include <bit>

#include "models/isa/address_size.h"
#include "models/isa/check_notes.h"

namespace heddle::reference {
namespace {

using isa::Instruction;
using isa::Opcode;

constexpr std::uint64_t kHead = 16;
constexpr std::int64_t kLink = 4;

std::uint32_t request_register(const isa::Program& program, std::uint32_t pc) {
  while (pc-- > 0) {
    const Instruction& i = program.code[pc];
    if (i.op == Opcode::add && isa::is_heap_code(i) && i.num_src == 2 &&
        i.src[1].kind == isa::Operand::Kind::immediate && i.src[1].value == kHead - 1)
      return i.dst[0].reg.value;
  }
  return 0;
}

}  // namespace

void DeviceHeap::accessed(const ExecutedInstruction& e, std::span<const std::uint64_t, kLanes> addresses) {
  const Instruction& i = e.instruction;
  if (i.op != Opcode::st || !isa::is_heap_code(i) || e.executing == 0) return;
  const bool takes = i.memory.offset == 0;
  const std::uint32_t request = takes ? request_register(*e.launch.program, e.index) : 0;
  for (LaneMask left = e.executing; left != 0; left &= left - 1) {
    const auto lane = std::countr_zero(left);
    const std::uint64_t head =
        addresses[static_cast<std::size_t>(lane)] - static_cast<std::uint64_t>(takes ? 0 : kLink);
    if (end_ == 0) {
      const auto layout = isa::address_layout(head >> 32 ? isa::kWideAddressBits : isa::kNarrowAddressBits);
      begin_ = layout.heap;
      end_ = layout.buffers;
    }
    Block& block = blocks_[head + kHead];
    block.freed = !takes;
    if (!takes) continue;
    block.bytes = e.registers[request][lane] - (kHead - 1);
    block.written.assign(block.bytes, false);
  }
}

DeviceHeap::Block* DeviceHeap::block_before(std::uint64_t address, std::uint64_t& base) {
  const auto after = blocks_.upper_bound(address);
  if (after == blocks_.begin()) return nullptr;
  const auto found = std::prev(after);
  base = found->first;
  return &found->second;
}

}  // namespace heddle::reference
