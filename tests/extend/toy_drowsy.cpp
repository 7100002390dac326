// A plug-in register power policy. A row is drowsy unless an instruction has announced the row or an access
// waits for the row. An access to a drowsy row loses the row's value.

#include "models/banks/i_register_power.h"
#include "models/core/registry.h"

namespace heddle {
namespace {

struct DrowsyParameters {
  int wake_up_cycles = 2;
  bool wakes = true;
  void fields(FieldVisitor& v) {
    v.field("wake_up_cycles", wake_up_cycles, {0, 100}, "cycles from drowsy to on");
    v.field("wakes", wakes, "false: rows are left drowsy, which loses values");
  }
};

class Drowsy : public RegisterPower {
 public:
  Drowsy(const DrowsyParameters& p, Context& context)
      : wakes_(p.wakes),
        wake_up_(static_cast<Cycle>(p.wake_up_cycles)),
        on_(context.stats.add("on_entry_cycles", "entry-cycles", "rows that were on or waking")),
        drowsy_(context.stats.add("drowsy_entry_cycles", "entry-cycles", "rows that were drowsy")),
        wake_ups_(context.stats.add("wake_ups", "events", "rows that woke")) {
    for (const int depth : context.depths) {
      rows_.emplace_back(static_cast<std::size_t>(depth));
      count_ += static_cast<std::uint64_t>(depth);
    }
  }

  Cycle announced(Cycle now, const RegisterPlace& place, bool) override { return use(now, place); }
  void dropped(Cycle now, const RegisterPlace& place, bool) override { unuse(now, place); }
  Cycle arrives(Cycle now, const RegisterPlace& place, bool) override { return use(now, place); }
  LaneMask served(Cycle now, const RegisterPlace& place, bool) override {
    const bool asleep = !wakes_ || row(place).on_from > now;
    unuse(now, place);
    return asleep ? kAllLanes : 0;
  }
  void settle(Cycle cycle) override {
    on_ += (cycle - settled_) * awake_;
    drowsy_ += (cycle - settled_) * (count_ - awake_);
    settled_ = cycle;
  }
  void begins(Cycle cycle) override { settled_ = cycle; }

 private:
  struct Row {
    int uses = 0;
    Cycle on_from = 0;
  };
  Row& row(const RegisterPlace& place) { return rows_[place.bank.value][place.entry]; }
  Cycle use(Cycle now, const RegisterPlace& place) {
    Row& r = row(place);
    if (r.uses++ != 0) return r.on_from;
    settle(now);
    ++awake_;
    ++wake_ups_;
    return r.on_from = now + wake_up_;
  }
  void unuse(Cycle now, const RegisterPlace& place) {
    if (--row(place).uses != 0) return;
    settle(now);
    --awake_;
  }

  bool wakes_;
  Cycle wake_up_;
  std::vector<std::vector<Row>> rows_;
  std::uint64_t count_ = 0, awake_ = 0;
  Cycle settled_ = 0;
  Counter &on_, &drowsy_, &wake_ups_;
};

const Registration<RegisterPower, Drowsy, DrowsyParameters> toy_drowsy_entry{"toy-drowsy",
                                                                             "rows sleep between their uses"};

}  // namespace
}  // namespace heddle
