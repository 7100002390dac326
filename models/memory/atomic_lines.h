#pragma once

// Memory lines that an atomic unit holds. The unit fetches a line for an atomic operation. The unit then
// executes the requests that wait for the line, one after the other. When no request is waiting, the unit
// writes the line back.

#include <vector>

#include "models/core/stats.h"
#include "models/memory/atomic_unit.h"
#include "models/memory/memory_request.h"
#include "models/memory/ring.h"

namespace heddle {

class AtomicLines {
 public:
  static constexpr int kNone = -1;
  struct Waiting {
    tlm::tlm_generic_payload* payload = nullptr;
    int port = 0;
  };

  AtomicLines(const AtomicUnitParameters& parameters, const StatsScope& stats);

  bool any() const { return used_ != 0; }
  /// Returns true if the unit holds a line that has arrived and is not being written back.
  bool any_open() const;
  int find(std::uint64_t address) const;
  int find_free() const { return used_ == lines_.size() ? kNone : find(kFree); }
  void open(int entry, std::uint64_t address, SmId sm, Cycle now, MemoryRequest& request);
  void wait(int entry, const Waiting& request) {
    lines_[static_cast<std::size_t>(entry)].waiting.push(request);
  }

  /// Handles memory's response to the fetch or write-back of a line. If memory reports an error, calls
  /// fail(waiting) for each request that waits for the line.
  template <class Fail>
  void answered(const MemoryRequest& request, Fail&& fail) {
    Line& line = lines_[static_cast<std::size_t>(request.entry)];
    if (request.is_response_ok()) return landed(line, request);
    for (; !line.waiting.empty(); line.waiting.pop()) fail(line.waiting.front());
    give_up(line);
  }
  /// For each line that has arrived, starts the next request that waits for the line. Calls
  /// respond(waiting, cycle) with the cycle in which this request is complete. If no request waits for a
  /// changed line, writes the line back: `write_back` must return an unused memory request for this write.
  template <class Respond, class WriteBack>
  void step(Cycle now, Respond&& respond, WriteBack&& write_back) {
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      if (addresses_[i] == kFree) continue;
      Line& line = lines_[i];
      if (line.state != Line::State::open || line.busy_until > now) continue;
      if (!line.waiting.empty()) {
        const Waiting next = line.waiting.pop();
        line.busy_until = now + serve(line, *next.payload);
        line_waits_ += line.waiting.size() * (line.busy_until - now);
        respond(next, line.busy_until - 1);
      } else if (!line.dirty.none()) {
        fill_write(line, write_back());
      } else {
        give_up(line);
      }
    }
  }
  Cycle next_event(Cycle now) const;
  void access_debug(tlm::tlm_generic_payload& payload, unsigned bytes);

 private:
  struct Line {
    enum class State : std::uint8_t { free, reading, open, writing };
    State state = State::free;
    SmId sm{};
    ByteMask dirty;
    Cycle busy_until = 0;
    Ring<Waiting> waiting;
    alignas(16) std::uint8_t data[kSegmentBytes];
  };
  static constexpr std::uint64_t kFree = ~std::uint64_t{0};

  std::uint64_t& address_of(const Line& line) {
    return addresses_[static_cast<std::size_t>(&line - lines_.data())];
  }
  void landed(Line& line, const MemoryRequest& request);
  void give_up(Line& line);
  Cycle serve(Line& line, tlm::tlm_generic_payload& payload);
  Cycle apply(Line& line, AtomicLanes& lanes);
  void access(Line& line, tlm::tlm_generic_payload& payload);
  void fill_write(Line& line, MemoryRequest& request);

  Cycle interval_, conflict_cycles_;
  std::vector<std::uint64_t> addresses_;
  std::vector<Line> lines_;
  std::size_t used_ = 0;
  Counter &served_, &lanes_, &conflicts_, &line_waits_, &reads_, &writes_;
};

}  // namespace heddle
