#pragma once

// Unit between the SMs and memory that executes atomic operations and forwards all other requests. For an
// atomic operation, it reads the 128-byte line, executes the lanes' operations in ascending order, and writes
// the changed bytes.
//
// Requests that arrive in the same cycle are accepted in the order of SM numbers. While the unit holds a line
// for an atomic operation, later requests of any kind to this line wait. These requests then execute on the
// held line, one every line_interval_cycles.

#include <memory>

#include "models/core/fields.h"
#include "models/core/stats.h"
#include "models/ports/memory_edge.h"
#include "models/time/clock.h"

namespace heddle {

struct AtomicUnitParameters {
  int lines = 64;
  int input_queue_requests = 8;
  int line_interval_cycles = 2;
  int address_conflict_cycles = 1;

  void fields(FieldVisitor& v) {
    v.field("lines", lines, {1, 65536}, "lines that may be held for atomics at one time");
    v.field("input_queue_requests", input_queue_requests, {2, 1024},
            "requests that can wait at each SM's port");
    v.field("line_interval_cycles", line_interval_cycles, {1, 1000},
            "cycles that a held line is busy with one atomic request");
    v.field("address_conflict_cycles", address_conflict_cycles, {0, 1000},
            "further cycles for every lane beyond the first with the same address");
  }
};

class AtomicUnit : public ClockedModule {
 public:
  AtomicUnit(const sc_core::sc_module_name& name, Clock& clock, const AtomicUnitParameters& parameters,
             int sms, StatsScope stats);
  ~AtomicUnit() override;

  MemoryTargetSocket& target(int sm);
  MemoryInitiatorSocket memory;

  bool idle() const;

  /// answer_ahead(): lets the SMs run some cycles ahead of this unit. This unit then sends each response as
  /// soon as the response's cycle is known. The memory must also send its responses early
  /// (IMemoryModel::answer_ahead()). hold_by(): sets the leash of an SM, the object that decides how far the
  /// SM may run ahead. The unit reports to the leash whether it holds a request of this SM that it has not
  /// accepted. Both functions must be called before the first cycle.
  void answer_ahead();
  void hold_by(int sm, Leash& leash);
  /// Returns a cycle, at most `end`. This unit has already sent all responses to the SMs that are due up to
  /// the returned cycle.
  /// Before the call, the unit must have run all its ticks up to cycle `base`.
  Cycle known_until(Cycle base, Cycle end) const;
  void settle(Cycle cycle);

 private:
  void tick() override;
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace heddle
