#pragma once

// The load/store unit of an SM: executes ld, st, atom, red, tex, membar and prefetch of whole warps.
//
//   input(p) -> address generation -> window routing -> shared memory     (bank conflicts)
//                                                    -> constant, param   (one address a cycle)
//                                                    -> global and local  (coalescer -> L1 -> memory edge)
//                                                    -> textures          (texture unit -> its cache -> memory edge)
//            -> output(p)
//
// An instruction comes out on the output of the partition it came in by, with its results in
// InFlight::results (lanes of its mask only). Loads and `atom` come out when all data is there; stores and
// `red` when all their segments were sent (the acknowledgements are tracked per warp); a fence when every
// earlier write of its warp is acknowledged. Lanes that write one address write in ascending order.
//
// Promises wanted from the SM: the memory instructions of one warp enter in program order. After a fence they
// are held back here until it is done.
//
// Errors (heddle::Error through RunStatus) name kernel, PTX line, CTA, thread and address: misalignment, out
// of bounds, writes to constants, memory faults.

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
  std::uint64_t first_warp_index = 0;  ///< index of warp slot 0 in the local memory of the GPU
  /// Cycles of issue to dependent issue spent outside the unit: from the issue cycle to the cycle in which
  /// the instruction can be popped from input(), plus from the cycle in which it can be popped from output()
  /// to the cycle in which a dependent can issue.
  int pipeline_overhead_cycles = 0;
  /// Bounds of device memory; nullptr: use the memory's response status.
  const MemoryImage* image = nullptr;
};

/// Cycles of a load's path through this unit and the AtomicUnit that no memory model sees, on one clock: the
/// overhead given to a memory model is LoadStoreContext::pipeline_overhead_cycles plus these.
inline constexpr int kMemoryEdgeOverheadCycles = 3;

class LoadStoreUnit : public ClockedModule {
 public:
  /// Throws Error if a latency is shorter than the pipeline's overhead allows.
  LoadStoreUnit(const sc_core::sc_module_name& name, Clock& clock, const LoadStoreParameters& parameters,
                const LoadStoreContext& context);
  ~LoadStoreUnit() override;

  /// Towards memory: base protocol, any target.
  MemoryInitiatorSocket socket;

  /// From the dispatch ports of a partition, and to its result bus.
  InstructionTargetSocket& input(int partition);
  InstructionInitiatorSocket& output(int partition);

  /// A kernel begins: the L1 is emptied, .const variables are taken from the memory image. Every kernel of
  /// concurrent ones calls it; nothing of an earlier kernel may be under way unless it runs concurrently.
  void begin_kernel(const isa::KernelLaunch& launch);

  /// Bytes of resident CTAs: allocate before a CTA's first warp starts, free after its last has exited.
  SharedMemory& shared_memory();

  /// No instruction inside and no write unacknowledged.
  bool idle() const;
  /// Writes of the warp that memory has not acknowledged.
  std::uint32_t writes_pending(WarpId warp) const;

  /// For waveforms: instructions taken and not yet out, requests that memory has not answered.
  std::uint64_t instructions_inside() const;
  int requests_outstanding() const;

  /// The value that memory (not the L1) holds now; false if there is none.
  bool read_debug(std::uint64_t address, void* into, unsigned bytes);
  /// Debug hooks: invert one bit of a stored value; false if the structure does not hold it.
  bool flip_shared_bit(CtaSlot slot, std::uint32_t offset, unsigned bit);
  bool flip_l1_bit(std::uint64_t address, unsigned bit);

 private:
  void tick() override;
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// Device memory after local memory: allocates poisoned bytes for `warps` resident warps (all SMs) at
/// isa::kLocalBacking, replacing an earlier allocation. Nothing for no bytes a thread.
void allocate_local_memory(MemoryImage& image, std::uint32_t bytes_per_thread, std::uint64_t warps);

}  // namespace heddle
