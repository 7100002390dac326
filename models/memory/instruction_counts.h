#pragma once

// Counts the instructions that entered and left a load/store unit.

#include "models/core/stats.h"
#include "models/isa/instruction.h"

namespace heddle {

class InstructionCounts {
 public:
  explicit InstructionCounts(const StatsScope& s)
      : loads_(s.add("loads", "warp-instructions", "ld taken")),
        stores_(s.add("stores", "warp-instructions", "st taken")),
        atomics_(s.add("atomics", "warp-instructions", "atom and red taken")),
        look_ups_(s.add("look_ups", "warp-instructions", "tex and tld4 taken")),
        fences_(s.add("fences", "warp-instructions", "membar and fence taken")),
        prefetches_(s.add("prefetches", "warp-instructions", "prefetch taken: no effect")),
        copies_(s.add("copies", "warp-instructions", "cp.async taken")),
        completed_(s.add("completed", "warp-instructions",
                         "left the unit: loads + stores + atomics + look_ups + fences + prefetches + "
                         "copies - those inside")) {}

  void take(const isa::Instruction& instruction) {
    using isa::Opcode;
    const Opcode op = instruction.op;
    Counter& kind = op == Opcode::ld         ? loads_
                    : op == Opcode::st       ? stores_
                    : op == Opcode::tex      ? look_ups_
                    : op == Opcode::membar   ? fences_
                    : op == Opcode::prefetch ? prefetches_
                    : op == Opcode::copy     ? copies_
                                             : atomics_;
    ++kind;
  }
  void complete() { ++completed_; }
  std::uint64_t inside() const {
    return loads_.value() + stores_.value() + atomics_.value() + look_ups_.value() + fences_.value() +
           prefetches_.value() + copies_.value() - completed_.value();
  }

 private:
  Counter &loads_, &stores_, &atomics_, &look_ups_, &fences_, &prefetches_, &copies_, &completed_;
};

}  // namespace heddle
