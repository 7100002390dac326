#pragma once

// The load/store unit of an SM: executes ld, st, atom, red, tex, membar and prefetch of whole warps.
//
//   input(p) -> address generation -> window routing -> shared memory     (bank conflicts)
//                                                    -> constant, param   (one address per cycle)
//                                                    -> global and local  (coalescer -> L1 -> memory edge)
//                                                    -> textures          (texture unit -> its cache -> memory edge)
//            -> output(p)
//
// An instruction leaves on the output of the partition on whose input it entered, with the results of its lanes in
// InFlight::results. Loads and `atom` leave when all data has arrived. Stores and `red` leave when all their segments
// are sent; their acknowledgements are counted per warp. A fence leaves when all earlier writes of its warp are
// acknowledged. If several lanes write one address, they write in ascending order.
//
// The SM must send the memory instructions of a warp in program order. Instructions after a fence wait in this unit
// until the fence is complete.
//
// Misaligned and out-of-bounds accesses, writes to constants and memory faults are errors (heddle::Error through
// RunStatus) that name kernel, PTX line, CTA, thread and address.

#include <cstdint>
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
  int warps = 48;                      ///< warp slots of the SM
  int cta_slots = 8;                   ///< CTA slots of the SM
  std::uint64_t first_warp_index = 0;  ///< index of warp slot 0 among all warps of the GPU, for local memory
  /// Cycles from issue to dependent issue outside of the unit: from the issue until the instruction can be
  /// popped from input(), plus from the pop from output() until a dependent instruction can issue.
  int pipeline_overhead_cycles = 0;
  /// Bounds of device memory. With nullptr, the response status of the memory is used.
  const MemoryImage* image = nullptr;
};

class LoadStoreUnit : public ClockedModule {
 public:
  /// Throws Error if a latency is shorter than the pipeline's overhead.
  LoadStoreUnit(const sc_core::sc_module_name& name, Clock& clock, const LoadStoreParameters& parameters,
                const LoadStoreContext& context);
  ~LoadStoreUnit() override;

  /// Socket to memory: base protocol, any target.
  MemoryInitiatorSocket socket;

  /// input() receives from the dispatch ports of a partition; output() sends to its result bus.
  InstructionTargetSocket& input(int partition);
  InstructionInitiatorSocket& output(int partition);

  /// Called when a kernel begins: empties the L1 and copies the .const variables from the memory image. Each
  /// of several concurrent kernels calls it. Accesses of an earlier kernel may be in progress only if it runs
  /// concurrently.
  void begin_kernel(const isa::KernelLaunch& launch);

  /// Returns the storage of resident CTAs. Allocate before a CTA's first warp starts, and free after its last
  /// warp has exited.
  SharedMemory& shared_memory();

  /// True if the unit holds no instruction and all writes are acknowledged.
  bool idle() const;

  /// For waveforms: instructions in the unit, and requests without a response.
  std::uint64_t instructions_inside() const;
  int requests_outstanding() const;

  /// Reads the current value in memory (not the L1). Returns false if the address is unmapped.
  bool read_debug(std::uint64_t address, void* into, unsigned bytes);
  /// Debug functions: invert one bit of a stored value. Return false if the structure does not hold it.
  bool flip_shared_bit(CtaSlot slot, std::uint32_t offset, unsigned bit);
  bool flip_l1_bit(std::uint64_t address, unsigned bit);

 private:
  void tick() override;
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace heddle
