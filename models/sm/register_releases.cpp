#include "models/sm/register_releases.h"

#include "models/isa/release_flags.h"

namespace heddle {

void RegisterReleases::connect(std::size_t partition, RegisterPort& port) {
  if (!port.releases()) return;
  ports_[partition] = &port;
  listens_ |= port.follows_flags();
}

void RegisterReleases::issued(Cycle now, WarpId warp, std::uint32_t pc, std::uint64_t attached,
                              bool collects) {
  const WarpProgress& progress = warps_.progress(warp);
  if (!ports_[progress.partition]) return;
  const isa::ReleaseLatch latch(attached);
  const isa::Instruction& instruction = progress.code[pc];
  // The lists stand in front of the instruction, among other metadata. What it writes itself keeps its place.
  std::uint32_t at = pc;
  for (int lists = latch.lists(); lists > 0 && at > 0 && progress.code[at - 1].metadata;) {
    const isa::Instruction& word = progress.code[--at];
    const isa::ReleaseWord kind = isa::release_word(word);
    if (kind != isa::ReleaseWord::pbr && kind != isa::ReleaseWord::wide_pbr) continue;
    --lists;
    isa::for_each_listed_register(kind, word.payload, [&](std::uint32_t r) {
      if (!progress.footprints[pc].writes.test(r)) release(now, warp, r);
    });
  }
  if (!collects)
    isa::for_each_released_word(instruction, latch.flags(), [&](std::uint32_t r) { release(now, warp, r); });
}

void RegisterReleases::release(Cycle now, WarpId warp, std::uint32_t reg) {
  if (!warps_.scoreboard(warp).pending(reg)) return send(now, warp, reg);
  deferred_[warp.value].set(reg);
  waiting_.add(warp);
}

void RegisterReleases::look(Cycle now, WarpId warp) {
  RegisterSet& deferred = deferred_[warp.value];
  const Scoreboard& scoreboard = warps_.scoreboard(warp);
  RegisterSet ready;
  deferred.for_each([&](std::uint32_t r) {
    if (!scoreboard.pending(r)) ready.set(r);
  });
  deferred = deferred.without(ready);
  if (!deferred.any()) waiting_.remove(warp);
  ready.for_each([&](std::uint32_t r) { send(now, warp, r); });
}

void RegisterReleases::send(Cycle now, WarpId warp, std::uint32_t reg) {
  warps_.scoreboard(warp).hold(reg);
  const WarpState& state = warps_.state(warp);
  RegisterPort& port = *ports_[warps_.progress(warp).partition];
  port.releases()->ask(now, {warp, RegId(reg), state.context.launch->id, state.simt.live()});
  port.asked();
}

void RegisterReleases::ended(Cycle now, WarpId warp) {
  deferred_[warp.value] = {};
  waiting_.remove(warp);
  if (RegisterPort* port = ports_[warps_.progress(warp).partition]) port->releases()->drop(warp, now);
}

WarpSet RegisterReleases::take_sent(Cycle now) {
  WarpSet warps;
  for (RegisterPort* port : ports_) {
    if (!port || !port->releases()->has_sent()) continue;
    port->releases()->take_sent(now, [&](WarpId warp, RegId reg) {
      warps_.scoreboard(warp).end_hold(reg.value);
      warps.add(warp);
    });
  }
  return warps;
}

}  // namespace heddle
