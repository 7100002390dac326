#pragma once

// The inside of LoadStoreUnit: dispatch, shared and constant pipes, fences, the way out.

#include <fmt/format.h>

#include "models/memory/access_check.h"
#include "models/memory/bank_conflicts.h"
#include "models/memory/constant_memory.h"
#include "models/memory/global_pipe.h"
#include "models/memory/load_store_unit.h"
#include "models/memory/texture_unit.h"

namespace heddle {

struct LoadStoreUnit::Parts final : GlobalPipeClient, TextureClient {
  Parts(LoadStoreUnit& unit, const LoadStoreParameters& parameters, const LoadStoreContext& context);

  struct Partition {
    Partition(int number, ClockedModule& unit, int depth)
        : input(fmt::format("in{}", number).c_str(), unit, static_cast<std::size_t>(depth)),
          output(fmt::format("out{}", number).c_str()) {}
    InstructionInlet input;
    InstructionOutlet output;
    Cycle address_free = 0;             ///< first cycle for the next instruction's addresses
    MemoryOperation* staged = nullptr;  ///< addresses of the instruction at the head of `input`
    RoutedLanes lanes;                  ///< of the staged instruction
    bool is_staged = false;
    Ring<InFlight*> blocked;  ///< done, and the result bus had no room
  };
  struct Leaving {
    InFlight* item = nullptr;
    int partition = 0;
  };
  /// When a head that could not be dispatched is worth another try; kNever: after an event of another part.
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
  inline Cycle run_shared(const Partition& partition, InFlight& item, Cycle now);
  void atomics_in_shared(const WarpAddresses& addresses, LaneMask lanes, InFlight& item);
  Cycle run_constant(const Partition& partition, InFlight& item, Cycle now);
  void start_global(Partition& partition, int index, Cycle not_before);
  bool fence_done(const InFlight& item) const;
  void finish_fences(Cycle now);
  inline void leave(Cycle now);
  inline Cycle next_work(Cycle now);

  void finished(MemoryOperation& operation, Cycle due) override;
  void write_sent(WarpId warp) override { ++unacknowledged[warp.value]; }
  void write_acknowledged(WarpId warp) override { --unacknowledged[warp.value]; }
  void line_arrived(const MemoryRequest& request, Cycle now) override { textures.filled(request, now); }
  void looked_up(InFlight& item, int partition, Cycle due) override { leaving.push(due, {&item, partition}); }

  LoadStoreUnit& unit;
  LoadStoreParameters parameters;
  LoadStoreContext context;
  Cycle shared_delay, constant_delay, address_interval;
  std::vector<std::unique_ptr<Partition>> partitions;
  SharedMemory shared;
  AddressPatterns patterns;
  BankConflicts banks;
  ConstantMemory constants;
  GlobalPipe global;
  TextureUnit textures;
  DelayQueue<Leaving> leaving;
  std::vector<Leaving> fences;
  std::vector<std::uint32_t> operations;      ///< by warp: inside the global pipe
  std::vector<std::uint32_t> unacknowledged;  ///< by warp: writes
  Cycle shared_free = 0, constant_free = 0;
  struct Waiting {
    std::uint64_t filled = 0;  ///< partitions with something in `input`, a bit each; perhaps more
    int staged = 0;            ///< heads whose addresses are known
    std::size_t blocked = 0;   ///< of all partitions
  } waiting;
  bool any_finished = false;  ///< an instruction left the global pipe in this tick
  Cycle retry = kNever;       ///< earliest cycle in which a head is worth another try

  Counter &loads, &stores, &atomics, &look_ups, &fence_count, &prefetches, &completed, &shared_accesses,
      &shared_passes, &shared_conflicts, &shared_reads, &shared_writes, &constant_accesses,
      &constant_addresses, &fence_cycles;
};

}  // namespace heddle
