#pragma once

// Models one slice of the L2 cache, and a memory channel that several slices may share. The L2 is write-back.
// A write of a whole line needs no fetch. Any other write that misses fetches its line, unless the parameter
// `write_miss` is "allocate". Requests to one line take effect in the order of arrival.

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

struct DramChannel {
  explicit DramChannel(const DramParameters& parameters)
      : bandwidth(parameters.bytes_per_cycle),
        latency(static_cast<Cycle>(parameters.latency_cycles)),
        backlog(bandwidth.cost(kSegmentBytes) * static_cast<unsigned>(parameters.queue_requests)) {}

  Cycle room_from() const {
    const std::uint64_t free = bandwidth.free_from();
    return free <= backlog ? 0 : ((free - backlog) >> Bandwidth::kFraction) + 1;
  }

  Bandwidth bandwidth;
  Cycle latency;
  /// Time to transfer all requests that fit into the channel's queue, in units of 1/65536 cycle.
  std::uint64_t backlog;
};

/// Response paths to the SMs. Each path transfers a limited number of bytes per cycle.
class SmPaths {
 public:
  explicit SmPaths(double bytes_per_cycle) : path_(bytes_per_cycle), limited_(bytes_per_cycle > 0) {}
  /// Returns the cycle in which a response that is ready in cycle `due` can reach its SM.
  Cycle pass(const tlm::tlm_generic_payload& payload, Cycle due);

 private:
  Bandwidth path_;
  bool limited_;
  std::vector<Bandwidth> paths_;
};

struct L2Surroundings {
  MemoryImage& image;
  ResponseSender& responses;
  SmPaths& paths;
  L2Counters& counters;
  Cycle hit_delay;
};

class L2Slice {
 public:
  struct Fill {
    L2Slice* slice = nullptr;
    int entry = 0;
  };

  L2Slice(const L2Parameters& parameters, std::size_t sets, DramChannel& channel, L2Surroundings around);

  CycleQueue<tlm::tlm_generic_payload*> queue;

  void step(Cycle now, DueHeap<Fill>& fills);
  void fill(int entry, Cycle now);
  Cycle next_event(Cycle now) const;

  /// True while the oldest request of the slice waits for a miss entry (MSHR) or for the memory channel.
  bool stalled() const { return stall_ != Stall::none; }

  std::uint8_t* probe(std::uint64_t address);
  bool idle() const { return queue.empty() && misses_.used() == 0; }
  void drain();
  /// Removes each line from the cache that no request has used since the last call of warmed().
  void forget();
  /// Appends the addresses of the lines that requests have used since the last call of warmed(), which marks
  /// the end of a warm-up. The order is that of the lines' last uses. The low bits of each address mark the
  /// sectors that must be written back (IMemoryModel::kWrittenSectors).
  void used(std::vector<std::uint64_t>& lines) const;
  void warm(std::uint64_t address);
  void warmed() { warmed_ = array_.now(); }
  void refresh();

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
  bool allocates(const tlm::tlm_generic_payload& payload) const;
  bool writable(const tlm::tlm_generic_payload& payload) const;

  CacheArray array_;
  std::uint64_t warmed_ = 0;
  std::vector<ByteMask> dirty_;
  /// For each way: bit mask of the sectors that CTAs wrote while they were executed without timing
  /// (IMemoryModel::hold). The memory image already holds these data. Only the time of the write-back is
  /// still modelled.
  std::vector<std::uint8_t> left_;
  MissTable<tlm::tlm_generic_payload*> misses_;
  std::vector<std::uint64_t> missing_;
  Bandwidth port_;
  DramChannel* channel_;
  bool allocates_writes_;
  L2Surroundings around_;
  Stall stall_ = Stall::none;
  Cycle stalled_since_ = 0;
};

}  // namespace heddle
