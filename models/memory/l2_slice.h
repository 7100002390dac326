#pragma once

// A slice of the L2 (tags, data, misses, request queue) and the memory channel that some slices share.
// Write-back; a write of a whole line needs no fetch, any other write that misses fetches its line first.
// Requests to one line take effect in the order in which they came.

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

/// A memory channel: a queue, a latency, a bandwidth.
struct DramChannel {
  explicit DramChannel(const DramParameters& parameters)
      : bandwidth(parameters.bytes_per_cycle),
        latency(static_cast<Cycle>(parameters.latency_cycles)),
        backlog(bandwidth.cost(kSegmentBytes) * static_cast<unsigned>(parameters.queue_requests)) {}

  /// First cycle in which the channel's queue has room for a line.
  Cycle room_from() const {
    const std::uint64_t free = bandwidth.free_from();
    return free <= backlog ? 0 : ((free - backlog) >> Bandwidth::kFraction) + 1;
  }

  Bandwidth bandwidth;
  Cycle latency;
  std::uint64_t backlog;  ///< in 1/65536 cycles of transfer
};

/// State that the slices of one memory share.
struct L2Surroundings {
  MemoryImage& image;
  ResponseSender& responses;
  L2Counters& counters;
  Cycle hit_delay;  ///< from the slice's decision to the response
};

class L2Slice {
 public:
  struct Fill {
    L2Slice* slice = nullptr;
    int entry = 0;
  };

  L2Slice(const L2Parameters& parameters, std::size_t sets, DramChannel& channel, L2Surroundings around);

  CycleQueue<tlm::tlm_generic_payload*> queue;

  /// Handles the request at the head of the queue. `set` and fills are the memory's.
  void step(Cycle now, DueHeap<Fill>& fills);
  void fill(int entry, Cycle now);
  /// The next cycle in which step() may get on without a fill; kNever if none.
  Cycle next_event(Cycle now) const;

  /// It counts the cycles that the head of its queue waits for something of the slice's.
  bool stalled() const { return stall_ != Stall::none; }

  std::uint8_t* probe(std::uint64_t address);
  bool idle() const { return queue.empty() && misses_.used() == 0; }
  void drain();
  /// Drops the lines that have not been used since the last warmed() (IMemoryModel::hold).
  void forget();
  /// Appends the lines that have been used since then, in the order of their use, with the sectors that they would write
  /// back (IMemoryModel::kWrittenSectors).
  void used(std::vector<std::uint64_t>& lines) const;
  /// The line at the address is held, and the one used last.
  void warm(std::uint64_t address);
  void warmed() { warmed_ = array_.now(); }
  void refresh();

  /// Index of the line among the slice's lines; set by the memory's interleaving.
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
  std::uint64_t warmed_ = 0;  ///< the array's time
  std::vector<ByteMask> dirty_;
  /// By way: sectors that were written without time. The image has their bytes; to write them back takes its time.
  std::vector<std::uint8_t> left_;
  MissTable<tlm::tlm_generic_payload*> misses_;
  std::vector<std::uint64_t> missing_;  ///< line by miss entry
  Bandwidth port_;
  DramChannel* channel_;
  L2Surroundings around_;
  Stall stall_ = Stall::none;
  Cycle stalled_since_ = 0;
};

}  // namespace heddle
