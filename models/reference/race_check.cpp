#include "models/reference/race_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "models/isa/address_map.h"

namespace heddle::reference {
namespace {

using isa::Instruction;
using isa::Opcode;
using isa::Window;

constexpr std::uint64_t kPageWords = 1024;

bool is_atomic(const Instruction& i) { return i.op == Opcode::atom || i.op == Opcode::red; }
bool is_look_up(const ExecutedInstruction& e) { return e.texel_bytes != 0; }
bool is_barrier(const Instruction& i) { return i.op == Opcode::bar; }

void join(std::vector<std::uint32_t>& into, const std::vector<std::uint32_t>& other) {
  into.resize(std::max(into.size(), other.size()), 0);
  for (std::size_t w = 0; w < other.size(); ++w) into[w] = std::max(into[w], other[w]);
}

template <class F>
void for_each_register(std::span<const isa::Operand> operands, std::uint32_t words, F&& f) {
  for (const isa::Operand& o : operands) {
    for (int w = 0; w < o.words(); ++w) f(o.reg.value + static_cast<std::uint32_t>(w));
    if (o.is_pred()) f(words + o.pred.value);
  }
}

}  // namespace

void RaceCheck::begin_launch(const isa::KernelLaunch& launch) {
  launch_ = &launch;
  id_ = launch.id;
  ctas_.clear();
  global_.clear();
}

RaceCheck::Cta& RaceCheck::cta_of(const ExecutedInstruction& e) {
  if (launch_ != &e.launch || !(id_ == e.launch.id)) begin_launch(e.launch);
  const auto [found, is_new] = ctas_.try_emplace(e.cta);
  Cta& cta = found->second;
  if (!is_new) return cta;
  const std::uint32_t warps = e.launch.warps_per_cta();
  cta.clock.assign(warps, Clock(warps, 0));
  for (std::uint32_t w = 0; w < warps; ++w) {
    cta.clock[w][w] = 1;
    const std::uint32_t threads = std::min(e.launch.threads_per_cta() - w * kLanes, std::uint32_t{kLanes});
    cta.live.push_back(threads == kLanes ? kAllLanes : (1u << threads) - 1);
  }
  cta.shared.resize((e.launch.shared_bytes() + 3) / 4);
  if (strict_) cta.defined.assign(warps, std::vector<LaneMask>(e.registers.size() + e.predicates.size(), 0));
  return cta;
}

void RaceCheck::before(const ExecutedInstruction& e) {
  Cta& cta = cta_of(e);
  if (strict_) check_registers(e, cta);
  if (!is_barrier(e.instruction) || !strict_ || e.executing == 0) return;
  if (e.executing != cta.live[e.warp])
    report(e.index, e.index, Findings::kPartial,
           fmt::format("{}: barrier met by {} of the {} threads that warp {} of CTA {} still has",
                       line_of(e.index), std::popcount(e.executing), std::popcount(cta.live[e.warp]), e.warp,
                       e.cta));
}

void RaceCheck::after(const ExecutedInstruction& e) {
  const Instruction& i = e.instruction;
  if (e.executing == 0 || (!strict_ && i.op != Opcode::exit)) return;
  Cta& cta = cta_of(e);
  if (strict_)
    for_each_register(i.destinations(), static_cast<std::uint32_t>(e.registers.size()),
                      [&](std::uint32_t r) { cta.defined[e.warp][r] |= e.executing; });
  if (i.op != Opcode::exit) return;
  cta.live[e.warp] &= ~e.executing;
  if (std::all_of(cta.live.begin(), cta.live.end(), [](LaneMask m) { return m == 0; })) {
    // All threads of the CTA have exited, so its clocks are not needed any more. The records of memory words
    // keep the last accesses of the CTA.
    ctas_.erase(e.cta);
  }
}

void RaceCheck::arrived(const ExecutedInstruction& e, std::uint32_t barrier) {
  Cta& cta = cta_of(e);
  Arrivals& arrivals = cta.arrived[barrier];
  join(arrivals.clock, cta.clock[e.warp]);
  arrivals.warps |= 1u << e.warp;
  ++cta.clock[e.warp][e.warp];
}

void RaceCheck::synchronized(std::uint64_t cta_index, std::uint32_t barrier, std::uint32_t released) {
  const auto found = ctas_.find(cta_index);
  if (found == ctas_.end()) return;
  Cta& cta = found->second;
  Clock together = std::move(cta.arrived[barrier].clock);
  const std::uint32_t there = cta.arrived[barrier].warps;
  cta.arrived.erase(barrier);
  for (std::size_t w = 0; w < cta.clock.size(); ++w)
    if (cta.live[w] == 0 && !((there >> w) & 1u))
      join(together, cta.clock[w]);  // a warp that has ended counts as arrived at the barrier
  for (std::uint32_t left = released; left != 0; left &= left - 1)
    join(cta.clock[static_cast<std::size_t>(std::countr_zero(left))], together);
}

void RaceCheck::accessed(const ExecutedInstruction& e, std::span<const std::uint64_t, kLanes> addresses) {
  Cta& cta = cta_of(e);
  const Instruction& i = e.instruction;
  const bool writes = i.op != Opcode::ld && !is_look_up(e);
  Access access;
  access.cta = e.cta;
  access.pc = e.index;
  access.warp = static_cast<std::uint16_t>(e.warp);
  access.epoch = cta.clock[e.warp][e.warp];
  access.ordered = is_atomic(i) || i.memory.ordering != isa::Ordering::weak;
  const std::uint64_t bytes =
      is_look_up(e) ? e.texel_bytes : std::uint64_t{i.memory.element_bytes} * i.memory.elements;
  for (LaneMask left = e.executing; left != 0; left &= left - 1) {
    const std::uint64_t address = addresses[static_cast<std::size_t>(std::countr_zero(left))];
    const Window window = isa::window_of(address);
    if (window != Window::shared && window != Window::global) continue;
    const std::uint64_t base = window == Window::shared ? isa::kSharedWindow : 0;
    for (std::uint64_t at = address; at < address + bytes; at = at / 4 * 4 + 4) {
      const std::uint64_t end = std::min(at / 4 * 4 + 4, address + bytes), index = (at - base) / 4;
      access.bytes = static_cast<std::uint8_t>(((1u << (end - at)) - 1) << (at % 4));
      if (window == Window::shared) {
        touch(e, cta, cta.shared[index], access, writes, at, true);
      } else {
        auto& page = global_[index / kPageWords];
        page.resize(kPageWords);
        touch(e, cta, page[index % kPageWords], access, writes, at, false);
      }
    }
  }
}

bool RaceCheck::is_ordered(const Cta& cta, const Access& earlier, const Access& now) const {
  if (earlier.bytes == 0 || (earlier.bytes & now.bytes) == 0) return true;
  if (earlier.ordered && now.ordered) return true;
  if (earlier.cta != now.cta) return !strict_;
  return earlier.warp == now.warp || cta.clock[now.warp][earlier.warp] >= earlier.epoch;
}

void RaceCheck::touch(const ExecutedInstruction& e, Cta& cta, Word& word, Access access, bool writes,
                      std::uint64_t address, bool in_shared) {
  const auto check = [&](const Access& earlier, bool wrote) {
    if (is_ordered(cta, earlier, access)) return;
    const bool other = earlier.cta != access.cta;
    report(earlier.pc, access.pc, other ? Findings::kOtherCta : Findings::kRace,
           fmt::format(
               "{} {} what {} {} at {} with no barrier between: {} memory at {:#x}, warp {}{} and warp {} "
               "of CTA {}",
               line_of(access.pc), writes ? "writes" : "reads", other ? "another CTA" : "another warp",
               wrote ? "writes" : "reads", line_of(earlier.pc), in_shared ? "shared" : "global", address,
               earlier.warp, other ? fmt::format(" of CTA {}", earlier.cta) : "", access.warp, access.cta));
  };
  const bool reads = !writes || is_atomic(e.instruction);
  if (reads && in_shared && (access.bytes & ~word.written) != 0)
    report(access.pc, access.pc, Findings::kUnwritten,
           fmt::format("{} reads shared memory at {:#x} before anything is written there: warp {} of CTA {}",
                       line_of(access.pc), address, access.warp, access.cta));
  // No barrier makes writes of a launch visible to texture look-ups of the same launch.
  if (is_look_up(e) && (word.write.bytes & access.bytes) != 0)
    report(word.write.pc, access.pc, Findings::kRace,
           fmt::format(
               "{} looks up what {} writes in the same launch: global memory at {:#x}, warp {} of CTA {}",
               line_of(access.pc), line_of(word.write.pc), address, access.warp, access.cta));
  check(word.write, true);
  for (const Access& write : word.concurrent) check(write, true);
  if (!writes) {
    const auto same = std::find_if(word.reads.begin(), word.reads.end(), [&](const Access& a) {
      return !in_shared || (a.warp == access.warp && a.bytes == access.bytes);
    });
    if (same != word.reads.end())
      *same = access;
    else
      word.reads.push_back(access);
    return;
  }
  for (const Access& read : word.reads) check(read, false);
  word.reads.clear();
  // Keeps the earlier atomic or volatile writes of other warps of the CTA. They are no race with each other,
  // but a later ordinary access may race with each of them.
  const Access before = word.write;
  if (!access.ordered || !before.ordered || before.cta != access.cta) {
    word.concurrent.clear();
  } else if (before.warp != access.warp) {
    std::erase_if(word.concurrent, [&before](const Access& a) { return a.warp == before.warp; });
    word.concurrent.push_back(before);
  }
  word.write = access;
  word.written |= access.bytes;
}

void RaceCheck::check_registers(const ExecutedInstruction& e, Cta& cta) {
  if (e.executing == 0 && !e.instruction.guard.present) return;
  const auto& defined = cta.defined[e.warp];
  const auto words = static_cast<std::uint32_t>(e.registers.size());
  const auto check = [&](std::uint32_t r, LaneMask lanes) {
    if ((lanes & ~defined[r]) == 0) return;
    const auto& names = r < words ? e.launch.program->register_names : e.launch.program->predicate_names;
    const std::uint32_t index = r < words ? r : r - words;
    report(
        e.index, r, Findings::kRegister,
        fmt::format("{} reads {} before it is written: warp {} of CTA {}", line_of(e.index),
                    index < names.size() ? names[index] : fmt::format("register {}", index), e.warp, e.cta));
  };
  if (e.instruction.guard.present) check(words + e.instruction.guard.pred.value, e.active);
  if (e.executing != 0)
    for_each_register(e.instruction.sources(), words, [&](std::uint32_t r) { check(r, e.executing); });
}

}  // namespace heddle::reference
