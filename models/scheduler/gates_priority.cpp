#include "models/scheduler/gates_priority.h"

#include <algorithm>

namespace heddle {
namespace {

class PriorityLogic : public GatesPriority {
 public:
  explicit PriorityLogic(const GatesPriorityParameters& parameters) : p_(parameters) {}

  GatesOutputs step(const GatesInputs& inputs) override {
    if (inputs.now > next_) skip(inputs.now - next_);
    before_ = inputs;
    next_ = inputs.now + 1;
    cycle();

    GatesOutputs out;
    out.highest = high_ == 0 ? isa::UnitClass::int_ : isa::UnitClass::fp;
    for (const isa::UnitClass unit : gates_order(out.highest)) {
      const auto u = static_cast<std::size_t>(unit);
      for (int n = inputs.awake[u] ? inputs.ready[u] : 0; n > 0 && out.count < inputs.slots; --n)
        out.slots[static_cast<std::size_t>(out.count++)] = unit;
    }
    return out;
  }

 private:
  bool blacked_out(std::size_t type) const { return p_.switch_on_blackout && before_.blackout[type]; }
  /// True if instruction type `type` (INT or FP) has no active warp. With switch_on_no_ready, instead: true
  /// if `type` has no ready warp, but the opposite type has one.
  bool empty(std::size_t type) const {
    return p_.switch_on_no_ready ? before_.ready[type] == 0 && before_.ready[1 - type] > 0
                                 : before_.active[type] == 0;
  }
  Cycle limit() const { return static_cast<Cycle>(p_.max_switch_cycles); }

  void cycle() {
    const std::size_t low = 1 - high_;
    if (before_.active[low] == 0) {
      waited_ = 0;
      return;
    }
    const bool forced = limit() > 0 && waited_ >= limit();
    if (empty(high_) || ((blacked_out(high_) || forced) && !blacked_out(low) && !empty(low))) {
      high_ = low;
      waited_ = before_.active[1 - high_] > 0 ? 1 : 0;
      return;
    }
    waited_ = limit() > 0 ? std::min(waited_ + 1, limit()) : 0;
  }

  /// Applies the priority rules for several cycles with unchanged inputs. In these cycles, only the limit
  /// max_switch_cycles (rule 3 in gates_priority.h) can change the priorities.
  void skip(Cycle cycles) {
    if (limit() == 0) return;
    for (; cycles > 0; --cycles) {
      const std::size_t low = 1 - high_;
      if (before_.active[low] == 0 || blacked_out(low) || empty(low)) {
        waited_ = before_.active[low] == 0 ? 0 : std::min(waited_ + cycles, limit());
        return;
      }
      const Cycle quiet = std::min(cycles, limit() - waited_);
      waited_ += quiet;
      cycles -= quiet;
      if (cycles == 0) return;
      cycle();
    }
  }

  GatesPriorityParameters p_;
  std::size_t high_ = 0;  ///< instruction type with the highest priority; 0: INT, 1: FP
  /// number of cycles with active warps of the type with the lowest priority, since this type got the lowest
  /// priority; at most limit()
  Cycle waited_ = 0;
  GatesInputs before_;
  Cycle next_ = 0;
};

}  // namespace

std::unique_ptr<GatesPriority> make_gates_priority(const GatesPriorityParameters& parameters) {
  return std::make_unique<PriorityLogic>(parameters);
}

}  // namespace heddle
