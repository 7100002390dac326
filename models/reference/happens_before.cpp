#include "models/reference/happens_before.h"

#include <algorithm>
#include <bit>

#include "models/isa/address_map.h"
#include "models/isa/mbarrier.h"

namespace heddle::reference {
namespace {

using isa::Opcode;
using isa::Ordering;
using isa::Scope;
using isa::Window;

bool is_atomic(const isa::Instruction& i) { return i.op == Opcode::atom || i.op == Opcode::red; }

void join(Clock& into, const Clock& other) {
  for (std::size_t w = 0; w < into.size(); ++w) into[w] = std::max(into[w], other[w]);
}

bool covers(const Clock& clock, const Clock& other) {
  bool all = true;
  for (std::size_t w = 0; w < clock.size(); ++w) all &= other[w] <= clock[w];
  return all;
}
bool covers(const ClocksByCta& clocks, const ClocksByCta::value_type& entry) {
  const auto own = clocks.find(entry.first);
  return own != clocks.end() && (own->second == entry.second || covers(*own->second, *entry.second));
}

std::uint64_t key_of(std::uint64_t cta, std::uint64_t address) {
  const bool shared = isa::window_of(address) == Window::shared;
  return (shared ? (cta + 1) << 32 : 0) ^ address / 4;
}

}  // namespace

bool is_ordered(const isa::Instruction& i) {
  return (is_atomic(i) && !isa::is_mbarrier(i)) || i.memory.ordering != Ordering::weak;
}

CtaClocks& HappensBefore::of(const ExecutedInstruction& e) {
  if (launch_.begins(e)) {
    ++launches_;
    ctas_.clear();
    words_.clear();
    last_ = nullptr;
    fences_ = joins_ctas_ = false;
  }
  if (last_ && last_->cta == e.cta) return *last_;
  std::unique_ptr<CtaClocks>& found = ctas_[e.cta];
  if (found) return *(last_ = found.get());
  found = std::make_unique<CtaClocks>();
  CtaClocks& cta = *(last_ = found.get());
  const std::uint32_t warps = e.launch.warps_per_cta();
  cta.cta = e.cta;
  cta.clock.assign(warps, Clock{});
  cta.acquired.resize(warps);
  cta.published.resize(warps);
  for (std::uint32_t w = 0; w < warps; ++w) {
    cta.clock[w][w] = 1;
    const std::uint32_t threads = std::min(e.launch.threads_per_cta() - w * kLanes, std::uint32_t{kLanes});
    cta.live.push_back(threads == kLanes ? kAllLanes : (1u << threads) - 1);
  }
  return cta;
}

bool HappensBefore::is_before(const CtaClocks& now, std::uint32_t warp, std::uint64_t earlier_cta,
                              std::uint32_t earlier_warp, std::uint32_t epoch) {
  if (earlier_cta == now.cta) return earlier_warp == warp || now.clock[warp][earlier_warp] >= epoch;
  if (!now.acquired[warp]) return false;
  const auto found = now.acquired[warp]->find(earlier_cta);
  return found != now.acquired[warp]->end() && (*found->second)[earlier_warp] >= epoch;
}

void HappensBefore::join(SharedClocks& into, const SharedClocks& other, std::uint64_t without) {
  if (!other || into == other) return;
  const auto is_known = [&](const auto& entry) {
    return entry.first == without || (into && covers(*into, entry));
  };
  if (std::all_of(other->begin(), other->end(), is_known)) return;
  const bool replaces = other->find(without) == other->end() &&
                        (!into || std::all_of(into->begin(), into->end(),
                                              [&](const auto& entry) { return covers(*other, entry); }));
  if (replaces) {
    into = other;
    return;
  }
  auto together = into ? std::make_shared<ClocksByCta>(*into) : std::make_shared<ClocksByCta>();
  for (const auto& entry : *other) {
    if (is_known(entry)) continue;
    auto& own = (*together)[entry.first];
    auto joined = std::make_shared<Clock>(own ? *own : Clock{});
    reference::join(*joined, *entry.second);
    own = std::move(joined);
  }
  if (together->size() > kMostCtas) {
    incomplete_ = true;
    return;
  }
  into = std::move(together);
}

void HappensBefore::after(const ExecutedInstruction& e) {
  if (e.instruction.op != Opcode::exit || e.executing == 0) return;
  CtaClocks& cta = of(e);
  cta.live[e.warp] &= ~e.executing;
  if (std::any_of(cta.live.begin(), cta.live.end(), [](LaneMask m) { return m != 0; })) return;
  ctas_.erase(e.cta);
  last_ = nullptr;
}

void HappensBefore::fence(CtaClocks& cta, std::uint32_t warp, Scope scope) {
  auto own = std::make_shared<ClocksByCta>();
  (*own)[cta.cta] = std::make_shared<const Clock>(cta.clock[warp]);
  SharedClocks clocks = std::move(own);
  Published& published = cta.published[warp];
  published.in_cta = clocks;
  if (scope != Scope::cta) {
    join(clocks, cta.acquired[warp]);
    published.in_gpu = std::move(clocks);
  }
  ++cta.clock[warp][warp];
  fences_ = true;
}

void HappensBefore::fenced(const ExecutedInstruction& e) {
  if (e.instruction.memory.ordering != Ordering::acquire) fence(of(e), e.warp, e.instruction.memory.scope);
}

void HappensBefore::publish(const CtaClocks& cta, std::uint32_t warp, std::uint64_t key, bool joins) {
  const Published& published = cta.published[warp];
  if (!published.in_cta && !published.in_gpu) {
    if (!joins) words_.erase(key);
    return;
  }
  Published& word = words_[key];
  if (!joins) word = {};
  join(word.in_cta, published.in_cta);
  join(word.in_gpu, published.in_gpu);
  joins_ctas_ = joins_ctas_ || published.in_gpu;
}

void HappensBefore::acquire(CtaClocks& cta, std::uint32_t warp, std::uint64_t key) {
  const auto word = words_.find(key);
  if (word == words_.end()) return;
  for (const SharedClocks* clocks : {&word->second.in_cta, &word->second.in_gpu})
    if (*clocks)
      if (const auto own = (*clocks)->find(cta.cta); own != (*clocks)->end())
        reference::join(cta.clock[warp], *own->second);
  join(cta.acquired[warp], word->second.in_gpu, cta.cta);
}

void HappensBefore::accessed(const ExecutedInstruction& e, std::span<const std::uint64_t, kLanes> addresses) {
  const isa::Instruction& i = e.instruction;
  const bool publishes = i.memory.ordering == Ordering::release || i.memory.ordering == Ordering::acq_rel;
  if (e.texel_bytes != 0 || !is_ordered(i) || (!fences_ && !publishes)) return;
  CtaClocks& cta = of(e);
  if (i.op != Opcode::ld && publishes) fence(cta, e.warp, i.memory.scope);
  std::uint64_t last = ~std::uint64_t{0};
  for (LaneMask left = e.executing; left != 0; left &= left - 1) {
    const std::uint64_t address = addresses[static_cast<std::size_t>(std::countr_zero(left))];
    const Window window = isa::window_of(address);
    if (window != Window::shared && window != Window::global) continue;
    const std::uint64_t key = key_of(e.cta, address);
    if (key == last) continue;
    last = key;
    if (i.op != Opcode::st) acquire(cta, e.warp, key);
    if (i.op != Opcode::ld && !isa::reads_mbarrier(i.modifiers.atomic))
      publish(cta, e.warp, key, is_atomic(i));
  }
}

void HappensBefore::arrived(const ExecutedInstruction& e, std::uint32_t barrier) {
  CtaClocks& cta = of(e);
  CtaClocks::Arrivals& arrivals = cta.arrived[barrier];
  reference::join(arrivals.clock, cta.clock[e.warp]);
  arrivals.warps |= 1u << e.warp;
  if (fences_) {
    join(arrivals.acquired, cta.acquired[e.warp]);
    join(arrivals.published.in_cta, cta.published[e.warp].in_cta);
    join(arrivals.published.in_gpu, cta.published[e.warp].in_gpu);
  }
  ++cta.clock[e.warp][e.warp];
}

void HappensBefore::synchronized(std::uint64_t cta_index, std::uint32_t barrier, std::uint32_t released) {
  const auto found = ctas_.find(cta_index);
  if (found == ctas_.end()) return;
  CtaClocks& cta = *found->second;
  CtaClocks::Arrivals together = std::move(cta.arrived[barrier]);
  cta.arrived.erase(barrier);
  bool all_meet = true;
  std::uint32_t epoch = 0;
  for (std::uint32_t w = 0; w < cta.clock.size(); ++w) {
    const bool ended = cta.live[w] == 0, arrived = together.warps >> w & 1u;
    if (ended && !arrived) reference::join(together.clock, cta.clock[w]);
    all_meet = all_meet && (ended ? !arrived : (released >> w & 1u) != 0);
    epoch = std::max(epoch, cta.clock[w][w]);
  }
  for (std::uint32_t left = released; left != 0; left &= left - 1) {
    const auto w = static_cast<std::size_t>(std::countr_zero(left));
    reference::join(cta.clock[w], together.clock);
    join(cta.acquired[w], together.acquired);
    join(cta.published[w].in_cta, together.published.in_cta);
    join(cta.published[w].in_gpu, together.published.in_gpu);
    if (all_meet) cta.clock[w][w] = epoch;
  }
  if (!all_meet) return;
  ++cta.meetings;
}

}  // namespace heddle::reference
