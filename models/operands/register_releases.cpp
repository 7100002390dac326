#include "models/operands/register_releases.h"

#include "models/isa/release_flags.h"

namespace heddle {

void RegisterReleases::connect(std::size_t partition, RegisterPort& port) {
  if (!port.releases()) return;
  ports_[partition] = &port;
  any_ = true;
  by_flags_ |= port.follows_flags();
}

void RegisterReleases::subscribe(LifeChannel& life, bool receives_flags) {
  if (by_flags_) life.subscribe(*this, {Life::issued, Life::warp_ends});
  if (any_) life.follow(*this, {Life::reads_held, Life::completed});
  if (by_flags_ && receives_flags) dues_.emplace().subscribe(life);
}

void RegisterReleases::issued(const InFlight& item) {
  const isa::ReleaseLatch latch(item.attached);
  if (item.attached == 0 || (item.collects() && latch.lists() == 0)) return;
  const WarpId warp = item.warp();
  if (!port_of(warp)) return;
  const isa::Instruction* const code = item.instruction - item.pc;
  std::uint32_t at = item.pc;
  for (int lists = latch.lists(); lists > 0 && at > 0 && code[at - 1].metadata;) {
    const isa::Instruction& word = code[--at];
    const isa::ReleaseWord kind = isa::release_word(word);
    if (kind != isa::ReleaseWord::pbr && kind != isa::ReleaseWord::wide_pbr) continue;
    --lists;
    isa::for_each_listed_register(kind, word.payload, [&](std::uint32_t r) {
      if (!item.footprint->writes.test(r)) release(warp, r);
    });
  }
  if (!item.collects())
    isa::for_each_released_word(*item.instruction, latch.flags(), [&](std::uint32_t r) { release(warp, r); });
}

void RegisterReleases::release(WarpId warp, std::uint32_t reg) {
  if (!holds_.pending(warp, reg)) return send(warp, reg);
  if (dues_ && deferred_[warp.value].test(reg)) dues_->drop(1);
  deferred_[warp.value].set(reg);
  waiting_.add(warp);
}

void RegisterReleases::look(WarpId warp) {
  RegisterSet& deferred = deferred_[warp.value];
  RegisterSet ready;
  deferred.for_each([&](std::uint32_t r) {
    if (!holds_.pending(warp, r)) ready.set(r);
  });
  deferred = deferred.without(ready);
  if (!deferred.any()) waiting_.remove(warp);
  ready.for_each([&](std::uint32_t r) { send(warp, r); });
}

void RegisterReleases::send(WarpId warp, std::uint32_t reg) {
  holds_.hold(warp, reg);
  RegisterPort& port = *port_of(warp);
  port.releases()->request(clock_->now(), {warp, RegId(reg), holds_.live(warp)});
  port.release_requested();
}

void RegisterReleases::warp_ends(WarpId warp) {
  if (dues_) deferred_[warp.value].for_each([this](std::uint32_t) { dues_->drop(1); });
  deferred_[warp.value] = {};
  waiting_.remove(warp);
  if (RegisterPort* port = port_of(warp)) port->releases()->drop(warp, clock_->now());
}

void RegisterReleases::check_conservation(const std::string& owner) const {
  if (!dues_ || holds_.any_warp()) return;
  std::uint64_t others = 0;
  for (RegisterPort* port : ports_)
    if (port) others += port->releases()->waiting() + port->releases()->dropped();
  dues_->check(owner, others);
}

WarpSet RegisterReleases::take_sent() {
  WarpSet warps;
  for (RegisterPort* port : ports_) {
    if (!port || !port->releases()->has_sent()) continue;
    port->releases()->take_sent(clock_->now(), [&](WarpId warp, RegId reg) {
      holds_.end_hold(warp, reg.value);
      warps.add(warp);
    });
  }
  return warps;
}

}  // namespace heddle
