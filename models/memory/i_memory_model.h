#pragma once

// Family "memory model": the memory system below the SMs. An implementation is a module with one
// base-protocol target socket over the memory image. It receives only reads and writes, in a deterministic
// order, because an AtomicUnit is between the SMs and the model. It models the timing and any cached copies,
// and answers TLM_ADDRESS_ERROR_RESPONSE for unallocated addresses.
//
// An implementation registers MemoryParameters<its parameters>, which adds the parameters of all memory
// models (memory_parameters.h).
//
// Time comes from the model's clock. A model that forwards requests to a module with SystemC time must call
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

/// Cycles of a load in the load/store unit and the AtomicUnit, on one clock. A memory model's overhead is
/// LoadStoreContext::pipeline_overhead_cycles plus this number.
inline constexpr int kMemoryEdgeOverheadCycles = 3;

class IMemoryModel : public ClockedModule {
 public:
  static constexpr const char* kFamily = "memory model";
  static constexpr const char* kPlace = "gpu.memory";
  struct Context {
    std::string name;  ///< name of the module
    Clock& clock;      ///< latencies and bandwidths count its cycles
    StatsScope stats;
    MemoryImage& image;
    int sms = 1;
    /// Cycles from issue to dependent issue of a load outside of the model: the SM's pipeline overhead plus
    /// kMemoryEdgeOverheadCycles.
    int path_overhead_cycles = 0;
  };

  using ClockedModule::ClockedModule;

  virtual MemoryTargetSocket& socket() = 0;
  /// Called when a kernel begins. The host may have changed the image and its allocations.
  virtual void begin_kernel() = 0;
  /// Writes all cached values to the image, without time. May only be called when the model is idle.
  virtual void drain() = 0;
  /// Returns the number of 128-byte lines that the model can cache.
  virtual std::size_t held_lines() const { return 0; }
  /// Sets the cached lines without time and counters, for CTAs that were executed untimed. The model then
  /// holds the lines at these addresses, as if requests had read them in this order. It also keeps lines that
  /// requests have used since the last call. The low bits of an address (kWrittenSectors) mark written
  /// sectors: one bit for each of the line's four sectors of 32 bytes.
  virtual void hold(const std::vector<std::uint64_t>& /*addresses*/) {}
  static constexpr std::uint64_t kWrittenSectors = 0xf;
  /// As above, but lines that requests have used since the last call are kept only if they are in `still`.
  /// They follow the lines at `addresses` in the order of their use.
  virtual void hold(const std::vector<std::uint64_t>& /*addresses*/,
                    const std::vector<std::uint64_t>& /*still*/) {}
  /// True if no request is in progress.
  virtual bool idle() const = 0;
  /// Debug function: inverts a bit of the model's copy of `address` (a cached line, otherwise the image).
  /// Returns false if the byte does not exist.
  virtual bool flip_bit(std::uint64_t address, unsigned bit) = 0;
};

}  // namespace heddle
