#pragma once

// Family "memory model": the hardware after the SMs' memory edge. An implementation is a module with one
// base-protocol target socket over the memory image. An AtomicUnit stands between it and the SMs, so that it
// receives only reads and writes, in one deterministic order. It models timing below the edge and any cached
// copies; it answers TLM_ADDRESS_ERROR_RESPONSE for unallocated addresses.
//
// It registers MemoryParameters<its own>, which add the parameters of all memory models
// (memory_parameters.h).
//
// It takes the time from its clock. A model that forwards requests to a module with SystemC time calls
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

class IMemoryModel : public ClockedModule {
 public:
  static constexpr const char* kFamily = "memory model";
  static constexpr const char* kPlace = "gpu.memory";
  struct Context {
    std::string name;  ///< of the module
    Clock& clock;      ///< latencies and bandwidths are in its cycles
    StatsScope stats;
    MemoryImage& image;
    int sms = 1;
    /// Cycles of a load's issue to dependent issue that pass outside the model: the SM's pipeline overhead
    /// plus kMemoryEdgeOverheadCycles.
    int path_overhead_cycles = 0;
  };

  using ClockedModule::ClockedModule;

  virtual MemoryTargetSocket& socket() = 0;
  /// A kernel begins: the host may have changed the image and its allocations.
  virtual void begin_kernel() = 0;
  /// Makes the image hold every value (write-backs, without time). Call when nothing is under way.
  virtual void drain() = 0;
  /// Lines of 128 bytes that the model can hold of the image.
  virtual std::size_t held_lines() const { return 0; }
  /// Holds the lines at these addresses as if they had been read in this order, and of all others only those that
  /// requests have used since the last call; without time and counters: what CTAs that are executed untimed leave behind.
  /// A bit for each of a line's four sectors of 32 bytes (kWrittenSectors of the address) says that it had been written.
  virtual void hold(const std::vector<std::uint64_t>& /*addresses*/) {}
  static constexpr std::uint64_t kWrittenSectors = 0xf;
  /// Holds the lines at these addresses, followed by those that requests have used since the last call and
  /// that are among `still`, in the order of their use; no others.
  virtual void hold(const std::vector<std::uint64_t>& /*addresses*/,
                    const std::vector<std::uint64_t>& /*still*/) {}
  /// No request under way.
  virtual bool idle() const = 0;
  /// Debug hook: inverts a bit of the copy that the model itself holds of `address` (a cached line, or the
  /// image where it holds none); false if there is no such byte.
  virtual bool flip_bit(std::uint64_t address, unsigned bit) = 0;
};

}  // namespace heddle
