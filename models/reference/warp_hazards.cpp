#include "models/reference/warp_hazards.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "models/isa/address_map.h"
#include "models/isa/check_notes.h"
#include "models/isa/matrix_rows.h"

namespace heddle::reference {
namespace {

using isa::Instruction;
using isa::Opcode;
using isa::Window;

/// Returns true for barriers, and for arrivals and tests of mbarriers.
bool orders_lanes(const Instruction& i) {
  if (i.op == Opcode::bar_warp || i.op == Opcode::bar) return true;
  const isa::AtomicOp op = i.modifiers.atomic;
  return isa::is_mbarrier(op) && op != isa::AtomicOp::mb_init && op != isa::AtomicOp::mb_inval;
}

bool is_atomic_operation(const Instruction& i) { return i.op == Opcode::atom || i.op == Opcode::red; }

const char* memory_of(std::uint64_t address) {
  return isa::window_of(address) == Window::shared ? "shared" : "global";
}

bool is_seen(std::uint64_t address) {
  const Window window = isa::window_of(address);
  return window == Window::shared || window == Window::global;
}

std::uint8_t byte_of_row(const ExecutedInstruction& e, int lane, std::uint32_t n) {
  const isa::Operand& value = e.instruction.src[static_cast<std::size_t>(1 + lane / isa::kMatrixRows)];
  if (value.words() == 0) return 0;
  const auto [holder, half] =
      isa::holder_of(e.instruction.matrix.a_by_columns, lane % isa::kMatrixRows, static_cast<int>(n / 2));
  return static_cast<std::uint8_t>(e.registers[value.reg.value][holder] >> (16 * half + 8 * (n % 2)));
}

std::uint8_t stored_byte(const ExecutedInstruction& e, int lane, std::uint32_t n) {
  if (isa::moves_matrices(e.instruction)) return byte_of_row(e, lane, n);
  const std::uint32_t element = n / e.instruction.memory.element_bytes,
                      byte = n % e.instruction.memory.element_bytes;
  const isa::Operand& value = e.instruction.src[element + 1];
  if (value.words() == 0) return 0;
  const std::uint32_t word = value.words() > static_cast<int>(byte / 4) ? byte / 4 : 0;
  return static_cast<std::uint8_t>(e.registers[value.reg.value + word][lane] >> 8 * (byte % 4));
}

}  // namespace

WarpHazards::Warp& WarpHazards::warp_of(const ExecutedInstruction& e) {
  if (launch_.begins(e)) warps_.clear();
  const auto [at, is_new] = warps_.try_emplace({e.cta, e.warp});
  if (is_new) {
    const std::uint32_t threads =
        std::min(e.launch.threads_per_cta() - e.warp * kLanes, std::uint32_t{kLanes});
    at->second.live = threads == kLanes ? kAllLanes : (1u << threads) - 1;
  }
  return at->second;
}

void WarpHazards::before(const ExecutedInstruction& e) {
  if (!orders_lanes(e.instruction) || e.executing == 0) return;
  Warp& warp = warp_of(e);
  ++warp.syncs;
  for (LaneMask left = e.executing; left != 0; left &= left - 1)
    warp.synced[static_cast<std::size_t>(std::countr_zero(left))] = warp.syncs;
  if (e.executing == warp.live) warp.words.clear();
}

void WarpHazards::after(const ExecutedInstruction& e) {
  if (e.instruction.op != Opcode::exit || e.executing == 0) return;
  Warp& warp = warp_of(e);
  warp.live &= ~e.executing;
  if (warp.live == 0) warps_.erase({e.cta, e.warp});
}

void WarpHazards::check_values(const ExecutedInstruction& e,
                               std::span<const std::uint64_t, kLanes> addresses) {
  struct Byte {
    std::uint64_t address;
    int lane;
    std::uint8_t value;
  };
  std::vector<Byte> bytes;
  const std::uint32_t each =
      std::uint32_t{e.instruction.memory.element_bytes} * e.instruction.memory.elements;
  for (LaneMask left = e.executing; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    const std::uint64_t address = addresses[static_cast<std::size_t>(lane)];
    for (std::uint32_t n = 0; n < each && is_seen(address); ++n)
      bytes.push_back({address + n, lane, stored_byte(e, lane, n)});
  }
  std::stable_sort(bytes.begin(), bytes.end(),
                   [](const Byte& a, const Byte& b) { return a.address < b.address; });
  const auto differ = std::adjacent_find(bytes.begin(), bytes.end(), [](const Byte& a, const Byte& b) {
    return a.address == b.address && a.value != b.value;
  });
  if (differ == bytes.end()) return;
  const isa::Program& program = *e.launch.program;
  findings_.report(CheckKind::warps, program, e.index, e.index, [&] {
    return fmt::format(
        "{} writes different values at once: lanes {} and {} of warp {} of CTA {}, {} memory at {:#x}",
        line_of(program, e.index), differ->lane, (differ + 1)->lane, e.warp, e.cta,
        memory_of(differ->address), differ->address);
  });
}

void WarpHazards::check(const ExecutedInstruction& e, const Warp& warp, const Access& earlier,
                        const Access& now, std::uint64_t address) {
  if ((earlier.bytes & now.bytes) == 0 || earlier.step == now.step || (earlier.atomic && now.atomic) ||
      !(earlier.writes || now.writes))
    return;
  const int lane = std::countr_zero(now.lanes);
  const auto synced = [&](int l) { return warp.synced[static_cast<std::size_t>(l)] > earlier.syncs; };
  for (LaneMask left = earlier.lanes & ~now.lanes; left != 0; left &= left - 1) {
    const int other = std::countr_zero(left);
    if (synced(other) && synced(lane)) continue;
    const isa::Program& program = *e.launch.program;
    findings_.report(CheckKind::warps, program, earlier.pc, now.pc, [&] {
      return fmt::format(
          "{} {} in lane {} what lane {} {} at {} with no bar.warp.sync between: {} memory at {:#x}, "
          "warp {} of CTA {}",
          line_of(program, now.pc), now.writes ? "writes" : "reads", lane, other,
          earlier.writes ? "writes" : "reads", line_of(program, earlier.pc), memory_of(address), address,
          e.warp, e.cta);
    });
    return;
  }
}

void WarpHazards::forget_blocks(const ExecutedInstruction& e,
                                std::span<const std::uint64_t, kLanes> addresses) {
  const Instruction& i = e.instruction;
  if (i.op != Opcode::st || i.memory.offset != 0) return;
  Warp& warp = warp_of(e);
  for (LaneMask left = e.executing; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    const std::uint64_t head = addresses[static_cast<std::size_t>(lane)],
                        end = head + (std::uint64_t{1} << (e.registers[i.src[1].reg.value][lane] & 31u));
    std::erase_if(warp.words,
                  [&](const auto& word) { return word.first >= head / 4 && word.first < end / 4; });
  }
}

void WarpHazards::accessed(const ExecutedInstruction& e, std::span<const std::uint64_t, kLanes> addresses) {
  if (isa::is_heap_code(e.instruction)) return forget_blocks(e, addresses);
  if (e.texel_bytes != 0) return;
  const Instruction& i = e.instruction;
  Warp& warp = warp_of(e);
  ++step_;
  const bool atomic = is_atomic_operation(i), writes = i.op != Opcode::ld;
  if (writes && !atomic) check_values(e, addresses);
  const std::uint64_t bytes = std::uint64_t{i.memory.element_bytes} * i.memory.elements;
  for (LaneMask left = e.executing; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    const std::uint64_t address = addresses[static_cast<std::size_t>(lane)];
    if (!is_seen(address)) continue;
    for (std::uint64_t at = address; at < address + bytes; at = at / 4 * 4 + 4) {
      const std::uint64_t end = std::min(at / 4 * 4 + 4, address + bytes);
      const auto touched = static_cast<std::uint8_t>(((1u << (end - at)) - 1) << (at % 4));
      const Access now{1u << lane, e.index, warp.syncs, step_, touched, atomic, writes};
      Word& word = warp.words[at / 4];
      for (const Access& earlier : word) check(e, warp, earlier, now, at);
      add(word, now);
    }
  }
}

// Adds an access to the recorded accesses of a word. A write replaces earlier accesses to its bytes: each of
// these accesses is ordered before the write, or the conflict has been reported.
void WarpHazards::add(Word& word, const Access& now) {
  if (now.writes)
    std::erase_if(word, [&now](const Access& a) {
      return a.step != now.step && (a.bytes & ~now.bytes) == 0 && !(a.atomic && now.atomic);
    });
  const auto alike = std::find_if(word.begin(), word.end(), [&now](const Access& a) {
    return a.pc == now.pc && a.syncs == now.syncs && a.bytes == now.bytes &&
           (!a.writes || a.step == now.step);
  });
  if (alike == word.end()) {
    word.push_back(now);
    return;
  }
  alike->lanes |= now.lanes;
  alike->step = now.step;
}

}  // namespace heddle::reference
