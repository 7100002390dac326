#pragma once

// Models the texture unit of an SM. The unit executes look-ups in order, by quads (four neighbouring threads):
// it computes the texels of each thread, fetches missing lines into its cache, and filters the texels. The
// cache is emptied when a kernel begins, and does not see writes of the running kernel (CUDA C++ Programming
// Guide, "Texture and Surface Memory").

#include <array>
#include <vector>

#include "models/core/object_pool.h"
#include "models/core/stats.h"
#include "models/isa/texture.h"
#include "models/memory/constant_memory.h"
#include "models/memory/global_pipe.h"
#include "models/memory/l1_cache.h"
#include "models/memory/load_store_parameters.h"
#include "models/memory/miss_stall.h"
#include "models/memory/ring.h"

namespace heddle {

class TextureClient {
 public:
  /// Called when a look-up is complete: all components of its result are in the record of its instruction.
  /// The instruction leaves from cycle `due` on.
  virtual void looked_up(InFlight& item, int partition, Cycle due) = 0;

 protected:
  ~TextureClient() = default;
};

class TextureUnit {
 public:
  /// The unit requests cache lines through `memory`. The owner of the texture unit must call filled() for
  /// each line that arrives.
  TextureUnit(const TextureParameters& parameters, int hit_delay_cycles, GlobalPipe& memory,
              TextureClient& client, const StatsScope& stats);

  bool can_take() const { return queue_.size() < static_cast<std::size_t>(parameters_.queue_instructions); }
  /// Queues a texture look-up. Throws Error for an invalid texture handle, and for a texel outside the
  /// allocations of `image`. If `image` is nullptr, the memory's response reports invalid addresses.
  void enqueue(InFlight& item, int partition, const ConstantMemory& constants, const MemoryImage* image);

  bool quiet() const { return queue_.empty(); }
  bool idle() const { return inside_ == 0; }
  void step(Cycle now);
  void filled(const MemoryRequest& request, Cycle now);
  Cycle next_event(Cycle now) const;
  void empty_cache();

 private:
  static constexpr unsigned kQuadLanes = 4, kQuads = kLanes / kQuadLanes;
  using Stall = MissStall::Reason;

  struct LookUp {
    InFlight* item = nullptr;
    AccessSite site{};
    int partition = 0;
    std::vector<isa::TextureHeader> headers;
    std::array<std::uint8_t, kLanes> header_of{};
    std::array<isa::Footprint, kLanes> footprints;
    std::array<std::uint8_t, kLanes> pending{};
    std::array<isa::TexelBytes, kLanes> texels;
    unsigned quad = 0;
    unsigned lines = 0;
    unsigned waiting = 0;
    Cycle not_before = 0;
    bool all_requested = false;
  };
  struct Waiter {
    LookUp* look_up = nullptr;
    unsigned quad = 0;
    std::array<std::uint8_t, kQuadLanes> texels{};
  };

  isa::TextureHeader header_at(const LookUp& o, int lane, std::uint64_t handle,
                               const ConstantMemory& constants) const;
  void set_up_lane(LookUp& o, int lane, const ConstantMemory& constants, const MemoryImage* image);
  Stall look_up_quad(LookUp& o);
  Waiter take_line(LookUp& o, std::uint64_t line) const;
  static void deliver(const Waiter& waiter, std::uint64_t line, const std::uint8_t* bytes);
  Stall query(const Waiter& waiter, std::uint64_t line);
  unsigned cost(const LookUp& o) const;
  void finish(LookUp& o, Cycle now);

  TextureParameters parameters_;
  Cycle hit_delay_;
  GlobalPipe& memory_;
  TextureClient& client_;
  ObjectPool<LookUp> pool_;
  Ring<LookUp*> queue_;
  std::size_t inside_ = 0;
  L1Cache cache_;
  MissTable<Waiter> misses_;
  /// Number of quads that the unit may still start in this cycle. A slow quad costs more than 1 and can make
  /// the number negative; the unit then starts fewer quads in later cycles.
  int credit_ = 0;
  Cycle credited_ = 0;
  MissStall stall_;

  Counter &quads_, &quad_cycles_, &texels_, &lines_, &hits_, &merges_, &missed_, &fills_;
};

}  // namespace heddle
