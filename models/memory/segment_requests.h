#pragma once

// Sends memory requests of the load/store unit (one for each accessed 128-byte line), and counts these
// requests.

#include "models/core/stats.h"
#include "models/memory/load_store_parameters.h"
#include "models/memory/memory_port.h"

namespace heddle {

class SegmentRequests {
 public:
  enum Kind : std::uint8_t { fill, read, write, atomic, other_line };

  SegmentRequests(const LoadStoreParameters& parameters, SmId sm, ClockedModule& owner,
                  MemoryInitiatorSocket& socket, const StatsScope& stats);

  MemoryPort& port() { return port_; }
  const MemoryPort& port() const { return port_; }
  bool ready() const { return port_.ready(); }

  MemoryRequest& open(Kind kind, const AccessSite& site, WarpId warp, LaneMask lanes);
  void send_read(MemoryRequest& request, std::uint64_t address, unsigned bytes);
  void send_write(MemoryRequest& request, std::uint64_t line, const ByteMask& bytes);
  void send_atomic(MemoryRequest& request, std::uint64_t line);

  /// Calls take(request) for the responses due in this cycle: all acknowledgements of writes, and at most one
  /// response with data. Throws Error if memory reported an error.
  template <class Take>
  void take_answers(Cycle now, Take&& take) {
    bool data_passed = false;
    while (MemoryRequest* const request = port_.response(now)) {
      const bool data = request->owner != nullptr;
      if (data && data_passed) return;
      data_passed |= data;
      port_.pop_response();
      check_status(*request);
      take(*request);
      ++responses_;
      port_.close(request);
    }
  }

 private:
  void check_status(const MemoryRequest& request) const;
  void send(MemoryRequest& request) {
    port_.enqueue(&request);
    ++requests_;
  }

  SmId sm_;
  MemoryPort port_;
  Counter &requests_, &responses_, &bytes_read_, &bytes_written_;
};

}  // namespace heddle
