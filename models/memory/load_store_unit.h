#pragma once

// Models the load/store unit of an SM. The unit executes ld, st, atom, red, tex, membar and prefetch of whole
// warps.
//
//   input(p) -> address generation -> window routing -> shared memory     (bank conflicts)
//                                                    -> constant, param   (one address or one block per cycle)
//                                                    -> global and local  (coalescer -> L1 -> memory edge)
//                                                    -> textures          (texture unit -> its cache -> memory edge)
//            -> output(p)
//
// An instruction enters on the input of its partition p and leaves on the output of the same partition, with
// the results of its lanes in its record. Loads and `atom` leave when all their data have arrived. Stores and
// `red` leave when all their segments are sent. A fence leaves when all earlier writes of its warp are
// acknowledged. If several lanes write to the same address, they write in ascending order.
//
// The SM must send the memory instructions of a warp in program order. Instructions after a fence wait in
// this unit until the fence is complete.
//
// Misaligned and out-of-bounds accesses, writes to constants and errors of the memory system are reported as
// heddle::Error through RunStatus. The error names kernel, PTX line, CTA, thread and address.

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "models/core/memory_image.h"
#include "models/core/stats.h"
#include "models/isa/launch.h"
#include "models/memory/load_store_parameters.h"
#include "models/memory/shared_memory.h"
#include "models/ports/instruction_path.h"
#include "models/ports/memory_edge.h"
#include "models/time/clock.h"

namespace heddle {

struct LoadStoreContext {
  StatsScope stats;
  SmId sm{};
  int partitions = 1;
  int warps = 48;
  int cta_slots = 8;
  /// GPU-wide number of this SM's warp slot 0. The addresses of local memory are computed from this number.
  std::uint64_t first_warp_index = 0;
  /// Part of a load's latency (issue to dependent issue), in cycles, that passes outside the load/store unit.
  int pipeline_overhead_cycles = 0;
  /// Memory image (the contents and allocations of device memory), with which global addresses are checked.
  /// nullptr: the memory system reports invalid addresses in its response.
  const MemoryImage* image = nullptr;
  /// Called when memory has acknowledged all stores that a warp has sent so far. May be empty.
  std::function<void(WarpId)> stores_acknowledged = nullptr;
};

class LoadStoreUnit : public ClockedModule {
 public:
  /// Throws Error if a configured latency is not longer than context.pipeline_overhead_cycles.
  LoadStoreUnit(const sc_core::sc_module_name& name, Clock& clock, const LoadStoreParameters& parameters,
                const LoadStoreContext& context);
  ~LoadStoreUnit() override;

  /// Socket to the memory system. Any target of the TLM base protocol can be bound.
  MemoryInitiatorSocket socket;

  /// input(): receives instructions from the dispatch ports of a partition. output(): sends complete
  /// instructions to the partition's result bus.
  InstructionTargetSocket& input(int partition);
  InstructionInitiatorSocket& output(int partition);

  /// Called when a kernel begins: empties the L1 and copies the .const variables from the memory image.
  void begin_kernel(const isa::KernelLaunch& launch);

  /// Returns the SM's shared memory. The caller must allocate the memory of a CTA before the CTA's first warp
  /// starts, and free it after its last warp has exited.
  SharedMemory& shared_memory();

  bool idle() const;
  /// True if memory has acknowledged all stores of the warp.
  bool stores_done(WarpId warp) const;

  std::uint64_t instructions_inside() const;
  int requests_outstanding() const;

  /// For debuggers: reads the current value in memory, not in the L1. Returns false if the address is not
  /// allocated.
  bool read_debug(std::uint64_t address, void* into, unsigned bytes);
  /// Fault injection: each function inverts one bit of a stored value, and returns false if the storage does
  /// not hold the value.
  bool flip_shared_bit(CtaSlot slot, std::uint32_t offset, unsigned bit);
  bool flip_l1_bit(std::uint64_t address, unsigned bit);

 private:
  void tick() override;
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace heddle
