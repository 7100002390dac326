#pragma once

// Family "memory model": the memory system below the SMs. An implementation is a module with one target
// socket of the TLM base protocol. The implementation reads and writes the memory image (the contents of
// device memory). The model receives only reads and writes, because the AtomicUnit between SMs and model
// executes atomic operations. For unallocated addresses the model responds with TLM_ADDRESS_ERROR_RESPONSE.
//
// The model's clock provides the time. A model that forwards requests to a module with SystemC time must call
// clock().run_ahead(false) in its constructor.

#include <cstdint>
#include <string>
#include <vector>

#include "models/core/memory_image.h"
#include "models/core/registry.h"
#include "models/core/stats.h"
#include "models/memory/memory_parameters.h"
#include "models/ports/memory_edge.h"
#include "models/ports/module_registration.h"
#include "models/time/clock.h"

namespace heddle {

/// Number of cycles that the way from the load/store unit through the AtomicUnit (which executes atomic
/// operations, and forwards loads) to the memory and back adds to the latency of a load, if both units use
/// the same clock.
inline constexpr int kMemoryEdgeOverheadCycles = 3;

class IMemoryModel : public ClockedModule {
 public:
  static constexpr const char* kFamily = "memory model";
  static constexpr const char* kPlace = "gpu.memory";
  struct Context {
    std::string name;
    Clock& clock;
    StatsScope stats;
    MemoryImage& image;
    int sms = 1;
    /// Part of a load's latency (issue to dependent issue), in cycles, that passes outside the memory model:
    /// the cycles of the SM's pipeline plus kMemoryEdgeOverheadCycles.
    int path_overhead_cycles = 0;
  };

  using ClockedModule::ClockedModule;

  virtual MemoryTargetSocket& socket() = 0;
  /// Called when a kernel begins. Before this call, the host may have changed contents and allocations of the
  /// memory image. The model must therefore update or discard its cached copies.
  virtual void begin_kernel() = 0;
  /// Writes all cached data to the memory image, which takes no simulated time. The model must be idle.
  virtual void drain() = 0;
  /// Returns the least number of cycles between the tick in which the model determines a response and the
  /// cycle of the response. 0: unknown; SMs then do not run ahead of each other.
  virtual Cycle lookahead() const { return 0; }
  /// Makes the model send each response as early as possible: in the tick in which the response is determined
  /// (ResponseSender::answer_ahead). Called before the first cycle, and only if lookahead() is above 0.
  virtual void answer_ahead() {}
  /// Returns the number of 128-byte lines that the memory model can cache.
  virtual std::size_t held_lines() const { return 0; }
  /// Warms the cache up after CTAs that were executed without timing. Puts the lines at these addresses into
  /// the cache, as if requests had read them in this order. Takes no time and counts nothing. Lines that
  /// requests have used since the last call of hold() stay in the cache. The low bits of an address
  /// (kWrittenSectors) mark written 32-byte sectors.
  virtual void hold(const std::vector<std::uint64_t>& /*addresses*/) {}
  static constexpr std::uint64_t kWrittenSectors = 0xf;
  /// Warms the cache up like the function above, but also removes lines that requests have used since the last
  /// call of hold(), unless `still` contains them. LRU replacement treats the lines in `still` as more recently
  /// used than the lines at `addresses`.
  virtual void hold(const std::vector<std::uint64_t>& /*addresses*/,
                    const std::vector<std::uint64_t>& /*still*/) {}
  virtual bool idle() const = 0;
  /// Fault injection: inverts one bit of the byte in a cached line or, if no line holds the byte, in the memory
  /// image. Returns false if the byte does not exist.
  virtual bool flip_bit(std::uint64_t address, unsigned bit) = 0;
};

}  // namespace heddle
