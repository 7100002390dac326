#pragma once

// Implementation of LoadStoreUnit: dispatch of instructions, fences and outputs.

#include <fmt/format.h>

#include "models/memory/access_check.h"
#include "models/memory/async_accesses.h"
#include "models/memory/constant_pipe.h"
#include "models/memory/global_pipe.h"
#include "models/memory/instruction_counts.h"
#include "models/memory/load_store_unit.h"
#include "models/memory/shared_pipe.h"
#include "models/memory/texture_unit.h"
#include "models/memory/warp_writes.h"

namespace heddle {

struct LoadStoreUnit::Parts final : GlobalPipeClient, TextureClient, Leash::Sender {
  Parts(LoadStoreUnit& unit, const LoadStoreParameters& parameters, const LoadStoreContext& context);

  struct Partition {
    Partition(int number, ClockedModule& unit, int depth)
        : input(fmt::format("in{}", number).c_str(), unit, static_cast<std::size_t>(depth)),
          output(fmt::format("out{}", number).c_str()) {}
    InstructionInlet input;
    InstructionOutlet output;
    Cycle address_free = 0;
    MemoryOperation* staged = nullptr;
    RoutedLanes lanes;
    bool is_staged = false;
    Ring<InFlight*> blocked;
  };
  struct Leaving {
    InFlight* item = nullptr;
    int partition = 0;
  };
  /// Result of an attempt to dispatch an instruction. `retry`: if the instruction was not dispatched, cycle
  /// of the next attempt; kNever: an event will wake the unit for the next attempt.
  struct Attempt {
    bool dispatched = false;
    Cycle retry = kNever;
  };

  void tick(Cycle now);
  void dispatch(Cycle now);
  inline Attempt try_dispatch(Partition& partition, int index, Cycle now);
  Attempt dispatch_look_up(Partition& partition, int index, Cycle now);
  inline Attempt dispatch_access(Partition& partition, int index, Cycle now);
  inline void take(Partition& partition, Cycle now);
  inline void stage(Partition& partition, InFlight& item);
  void start_global(Partition& partition, int index, Cycle not_before);
  Attempt dispatch_copy(Partition& partition, int index, Cycle now);
  void finish_fences(Cycle now);
  inline void leave(Cycle now);
  inline Cycle next_work(Cycle now);

  void finished(MemoryOperation& operation, Cycle due) override;
  void write_sent(WarpId warp) override { writes.sent(warp); }
  void write_acknowledged(WarpId warp) override {
    writes.acknowledged(warp);
    if (context.stores_acknowledged && writes.none(warp)) context.stores_acknowledged(warp);
  }
  void bytes_arrived(MemoryOperation& copy, LaneMask lanes, const std::uint8_t* bytes, std::uint64_t origin,
                     Cycle due) override {
    async.bytes_arrived(copy, lanes, bytes, origin, due);
  }
  void line_arrived(const MemoryRequest& request, Cycle now) override { textures.filled(request, now); }
  bool needs_acceptance() const override {
    // In a tick, the texture unit and after it the global pipe enqueue at most one request each.
    const bool looks_up = !textures.quiet();
    return (waiting.filled || global.may_enqueue() || looks_up) &&
           !global.port().surely_ready(looks_up ? 1 : 0);
  }
  void looked_up(InFlight& item, int partition, Cycle due) override { leaving.push(due, {&item, partition}); }

  LoadStoreUnit& unit;
  LoadStoreParameters parameters;
  LoadStoreContext context;
  Cycle address_interval;
  std::vector<std::unique_ptr<Partition>> partitions;
  SharedPipe shared;
  AddressPatterns patterns;
  ConstantPipe constants;
  GlobalPipe global;
  AsyncAccesses async;
  TextureUnit textures;
  DelayQueue<Leaving> leaving;
  std::vector<Leaving> fences;
  WarpWrites writes;
  struct Waiting {
    std::uint64_t filled = 0;
    int staged = 0;
    std::size_t blocked = 0;
  } waiting;
  bool any_finished = false;
  Cycle retry = kNever;

  InstructionCounts counts;
  Counter& fence_cycles;
};

}  // namespace heddle
