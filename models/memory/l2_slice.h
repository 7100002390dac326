#pragma once

// A slice of the L2 (tags, data, misses, request queue), and a memory channel, which several slices may
// share. The L2 is write-back. A write of a whole line needs no fetch; other write misses fetch their line.
// Requests to one line take effect in the order of arrival.

#include <vector>

#include "models/core/cycle_queue.h"
#include "models/core/memory_image.h"
#include "models/memory/bandwidth.h"
#include "models/memory/cache_array.h"
#include "models/memory/cached_parameters.h"
#include "models/memory/l1_cache.h"
#include "models/memory/l2_counters.h"
#include "models/memory/memory_request.h"
#include "models/memory/response_sender.h"

namespace heddle {

/// A memory channel: queue, latency and bandwidth.
struct DramChannel {
  explicit DramChannel(const DramParameters& parameters)
      : bandwidth(parameters.bytes_per_cycle),
        latency(static_cast<Cycle>(parameters.latency_cycles)),
        backlog(bandwidth.cost(kSegmentBytes) * static_cast<unsigned>(parameters.queue_requests)) {}

  /// Returns the first cycle in which the channel's queue has room for a line.
  Cycle room_from() const {
    const std::uint64_t free = bandwidth.free_from();
    return free <= backlog ? 0 : ((free - backlog) >> Bandwidth::kFraction) + 1;
  }

  Bandwidth bandwidth;
  Cycle latency;
  std::uint64_t backlog;  ///< queue capacity, in 1/65536 cycles of transfer
};

/// State shared by the slices of one memory.
struct L2Surroundings {
  MemoryImage& image;
  ResponseSender& responses;
  L2Counters& counters;
  Cycle hit_delay;  ///< cycles from the slice's decision to the response
};

class L2Slice {
 public:
  struct Fill {
    L2Slice* slice = nullptr;
    int entry = 0;
  };

  L2Slice(const L2Parameters& parameters, std::size_t sets, DramChannel& channel, L2Surroundings around);

  CycleQueue<tlm::tlm_generic_payload*> queue;

  /// Handles the request at the head of the queue. `fills` belongs to the memory model.
  void step(Cycle now, DueHeap<Fill>& fills);
  void fill(int entry, Cycle now);
  /// Returns the next cycle in which step() may proceed without a fill; kNever if there is none.
  Cycle next_event(Cycle now) const;

  /// True while the head of the queue waits for a resource of the slice; these cycles are counted.
  bool stalled() const { return stall_ != Stall::none; }

  std::uint8_t* probe(std::uint64_t address);
  bool idle() const { return queue.empty() && misses_.used() == 0; }
  void drain();
  /// Drops lines that were not used since the last warmed() (IMemoryModel::hold).
  void forget();
  /// Appends the lines used since the last warmed(), in the order of use, with the sectors that they would
  /// write back (IMemoryModel::kWrittenSectors).
  void used(std::vector<std::uint64_t>& lines) const;
  /// Installs the line at the address as the most recently used one, without time.
  void warm(std::uint64_t address);
  void warmed() { warmed_ = array_.now(); }
  void refresh();

  /// Interleaving of the memory, for the index of a line in its slice.
  std::uint64_t slices = 1, interleave_bytes = 128;

 private:
  std::size_t set_of(std::uint64_t line) const;
  enum class Stall : std::uint8_t { none, mshr, dram };
  Stall handle(tlm::tlm_generic_payload& payload, std::uint64_t line, Cycle now, DueHeap<Fill>& fills);
  Stall miss(tlm::tlm_generic_payload& payload, std::uint64_t line, Cycle now, DueHeap<Fill>& fills);
  void serve(tlm::tlm_generic_payload& payload, std::size_t way, Cycle now);
  void answer(tlm::tlm_generic_payload& payload, Cycle now);
  std::size_t make_room(std::uint64_t line, Cycle now);
  unsigned write_back(std::size_t way);
  unsigned dirty_sectors(std::size_t way) const;
  bool writable(const tlm::tlm_generic_payload& payload) const;

  CacheArray array_;
  std::uint64_t warmed_ = 0;  ///< CacheArray::now() at the last warmed()
  std::vector<ByteMask> dirty_;
  /// By way: sectors written without time. The image has their bytes, but their write-back takes time.
  std::vector<std::uint8_t> left_;
  MissTable<tlm::tlm_generic_payload*> misses_;
  std::vector<std::uint64_t> missing_;  ///< line address by miss entry
  Bandwidth port_;
  DramChannel* channel_;
  L2Surroundings around_;
  Stall stall_ = Stall::none;
  Cycle stalled_since_ = 0;
};

}  // namespace heddle
