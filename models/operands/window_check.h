#pragma once

// Checks at run time that instructions read and write registers and predicates in program order. A core
// without a scoreboard relies on the compiler for this order. An access out of program order ends the run
// with an error.

#include <string>
#include <vector>

#include "models/ports/in_flight.h"

namespace heddle {

class WindowCheck {
 public:
  /// Records an issued instruction. `fixed`: the instruction has a fixed latency, so its predicate operands
  /// are read together with its registers, not at issue.
  void issued(Cycle now, const InFlight& item, bool fixed);
  /// Sets the cycle in which a fixed-latency instruction will write its results.
  void writes_at(const InFlight& item, Cycle cycle);
  /// read(): checks that no earlier write to an operand is outstanding. The caller calls read() for a
  /// variable-latency instruction at its first read, and for a fixed-latency instruction in the cycle in which
  /// all its operands are merged. reads_over(): the caller calls this function when the instruction has all its
  /// operands.
  void read(Cycle now, const InFlight& item, bool fixed);
  void reads_over(Cycle now, const InFlight& item) {
    if (Pending* const p = find(item)) p->read_at = now;
  }
  void completed(Cycle now, const InFlight& item);

 private:
  struct Pending {
    std::uint64_t uid = 0;
    const isa::Instruction* instruction = nullptr;
    const InstructionFootprint* footprint = nullptr;
    LaneMask mask = 0;
    Cycle result_at = kNever;
    Cycle read_at = kNever;
    Cycle written_at = kNever;
  };
  std::vector<Pending>& of(const InFlight& item);
  Pending* find(const InFlight& item);
  void refuse_predicates(Cycle now, const InFlight& item, std::uint64_t predicates);

  std::vector<std::vector<Pending>> pending_;  ///< for each warp: instructions in flight, in issue order
};

}  // namespace heddle
