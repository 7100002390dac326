#pragma once

// Models the part of the load/store unit that accesses global and local memory. This pipe executes
// warp-instructions in order and splits each into segments: a segment is the access of some lanes to one
// 128-byte line. Per cycle, the pipe serves one segment: from the L1, or by a request to memory. Accesses of
// an SM to the same address therefore reach memory in the order of issue.

#include <vector>

#include "models/core/object_pool.h"
#include "models/core/stats.h"
#include "models/memory/l1_cache.h"
#include "models/memory/memory_operation.h"
#include "models/memory/miss_stall.h"
#include "models/memory/segment_counts.h"
#include "models/memory/segment_requests.h"

namespace heddle {

class GlobalPipeClient {
 public:
  /// Called when a load has received all its data, or a store has sent all its requests. The instruction may
  /// leave the unit from cycle `due` on. The caller frees `operation` after the call.
  virtual void finished(MemoryOperation& operation, Cycle due) = 0;
  virtual void write_sent(WarpId warp) = 0;
  virtual void write_acknowledged(WarpId warp) = 0;
  /// Called when bytes that a copy reads have arrived. The bytes of a lane begin at bytes + (global address of
  /// the lane - origin). The client must write these bytes to shared memory in cycle `due` or later, and then
  /// call GlobalPipe::landed().
  virtual void bytes_arrived(MemoryOperation& copy, LaneMask lanes, const std::uint8_t* bytes,
                             std::uint64_t origin, Cycle due) = 0;
  virtual void line_arrived(const MemoryRequest& request, Cycle now) = 0;

 protected:
  ~GlobalPipeClient() = default;
};

class GlobalPipe {
 public:
  GlobalPipe(const LoadStoreParameters& parameters, int hit_delay_cycles, SmId sm, ClockedModule& owner,
             MemoryInitiatorSocket& socket, GlobalPipeClient& client, const StatsScope& stats);

  /// True if the global pipe holds no operation, does not stall and expects no response. If true, its tick
  /// can be skipped.
  bool quiet() const { return queue_.empty() && stall_.reason() == Stall::none && port().idle(); }
  /// True if the pipe may enqueue a request in its next step.
  bool may_enqueue() const { return !queue_.empty(); }
  bool can_take() const { return queue_.size() < queue_limit_; }
  MemoryOperation* take_operation() { return &operations_.take(); }
  void enqueue(MemoryOperation* operation);

  /// Requests a whole 128-byte line from memory for another cache of the SM. The request bypasses the L1. The
  /// response carries `owner` and `entry`.
  void request_line(const AccessSite& site, WarpId warp, LaneMask lanes, std::uint64_t line, void* owner,
                    int entry);

  /// The client must call this function when it has written bytes of an asynchronous copy to shared memory:
  /// once for each call of bytes_arrived() that it receives, and once for each expect_bytes() that it calls.
  void landed(MemoryOperation& copy, Cycle now);
  static void expect_bytes(MemoryOperation& copy) { ++copy.waiting; }

  void handle_responses(Cycle now);
  void step(Cycle now) {
    stall_.end(now);
    if (!queue_.empty()) serve_oldest(now);
  }
  void send(Cycle now) { port().send(now); }
  Cycle next_event(Cycle now) const;

  void empty_l1();
  bool idle() const { return queue_.empty() && loads_waiting_ == 0 && port().idle(); }
  bool flip_l1_bit(std::uint64_t address, unsigned bit) { return l1_.flip_bit(address, bit); }
  MemoryPort& port() { return requests_.port(); }
  const MemoryPort& port() const { return requests_.port(); }

 private:
  struct Waiter {
    MemoryOperation* operation = nullptr;
    LaneMask lanes = 0;
    BlockPart part;
    std::uint64_t shift = 0;
  };
  using Kind = SegmentRequests::Kind;
  using Stall = MissStall::Reason;

  void serve_oldest(Cycle now);
  Stall process(MemoryOperation& o, Segment& s, Cycle now);
  Stall load_cached(MemoryOperation& o, const Segment& s, Cycle now);
  Stall load_past_l1(MemoryOperation& o, const Segment& s);
  Stall store(MemoryOperation& o, Segment& s);
  /// Returns the bytes of the 128-byte line that the next request writes. Lanes whose bytes do not fit into
  /// this request wait for a later request.
  ByteMask bytes_to_write(const MemoryOperation& o, Segment& s) const;
  Stall atomics(MemoryOperation& o, const Segment& s);
  MemoryRequest& open(MemoryOperation& o, const Segment& s, Kind kind);
  void answer(MemoryRequest& request, Cycle now);
  void answer_fill(MemoryRequest& request, Cycle now);
  void answer_atomic(MemoryRequest& request);
  void deliver(const Waiter& waiter, const std::uint8_t* line_bytes, std::uint64_t line, Cycle now);
  void one_answered(MemoryOperation& o, Cycle now);
  void finish(MemoryOperation& o, Cycle now);

  L1Parameters l1_parameters_;
  Cycle hit_delay_;
  unsigned sector_bytes_;
  bool byte_enables_;
  GlobalPipeClient* client_;
  ObjectPool<MemoryOperation> operations_;
  std::size_t queue_limit_;
  Ring<MemoryOperation*> queue_;
  std::size_t loads_waiting_ = 0;
  L1Cache l1_;
  MissTable<Waiter> misses_;
  SegmentRequests requests_;
  MissStall stall_;

  SegmentCounts segments_;
  Counter &instructions_, &load_segments_, &store_segments_, &atomic_segments_, &l1_accesses_, &l1_hits_,
      &l1_merges_, &l1_misses_, &l1_write_hits_, &l1_fills_, &bypasses_;
};

}  // namespace heddle
