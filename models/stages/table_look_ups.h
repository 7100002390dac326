#pragma once

// Models the ports of a table that maps registers to entries (Jeon 2015, 7.1, Fig. 6). The table is divided into
// banks. Each bank serves one look-up per cycle, in order of arrival.

#include <algorithm>
#include <vector>

#include "models/core/stats.h"
#include "models/ports/register_access.h"
#include "models/ports/register_stage.h"

namespace heddle {

class TableLookUps {
 public:
  /// A look-up in the table. `at`: cycle in which the table bank serves the look-up. `earliest`: value of the
  /// access's earliest_service before the look-up; undo() restores this value.
  struct Taken {
    Cycle at, earliest;
  };

  TableLookUps(int banks, Cycle latency, const StatsScope& stats)
      : free_at_(static_cast<std::size_t>(banks)),
        latency_(latency),
        count_(stats.add("look_ups", "accesses", "look-ups of reads and writes in the renaming table")),
        conflicts_(stats.add("conflict_cycles", "access-cycles",
                             "cycles that look-ups waited for a bank of the table")) {}

  Cycle latency() const { return latency_; }
  std::uint64_t count() const { return count_.value(); }

  /// Looks up the register of the access. The access can be served `latency` cycles after the look-up.
  Taken take(Cycle now, RegisterAccess& access) {
    const Cycle earliest = access.earliest_service, at = take_port(now, access.home);
    access.earliest_service = std::max(earliest, now + 1) + (at - now) + latency_;
    ++count_;
    return {at, earliest};
  }
  /// Looks up the register of the access and calls forward(access). If the stage below refuses the access, undoes
  /// the look-up.
  template <class Forward>
  RegisterAnswer take_through(Cycle now, RegisterAccess& access, Forward forward) {
    const Taken taken = take(now, access);
    const RegisterAnswer answer = forward(access);
    if (answer == RegisterAnswer::refused) undo(now, access, taken);
    return answer;
  }
  /// Undoes a look-up. Several look-ups must be undone in reverse order.
  void undo(Cycle now, RegisterAccess& access, const Taken& taken) {
    free_at_[bank_of(access.home)] = taken.at;
    access.earliest_service = taken.earliest;
    conflicts_ -= taken.at - now;
    count_ -= 1;
    --ports_;
  }
  /// Takes a table port for the look-up of a result when its instruction is announced (command prepare), so
  /// that the later write needs no look-up.
  void take_for_result(Cycle now, RegId reg) {
    ++for_results_;
    take_port(now, reg);
  }
  /// Counts the write of an instruction's result. The write takes no table port, because the announcement has
  /// already taken a port. The result of bar.red is not announced; its write is assumed to take no port either.
  void note_taken_along(const RegisterAccess& write) {
    ++count_;
    ++taken_along_;
    if (write.instruction && write.instruction->op == isa::Opcode::bar) ++of_barriers_;
  }

  /// Adds equations that must hold at the end of a run: each look-up has occupied one port of the table,
  /// either at the access or, for a result, at the announcement of the instruction. An announced result need
  /// not be written later.
  void add_rules(StageBalance& balance) const {
    balance.rules.push_back({"ports of the table, those of look-ups and of announced results", ports_,
                             count() - taken_along_ + for_results_});
    balance.rules.push_back({"results written without a port of their own, at most those announced with one",
                             std::max(taken_along_ - of_barriers_, for_results_), for_results_});
  }

 private:
  std::size_t bank_of(RegId reg) const { return reg.value % free_at_.size(); }
  Cycle take_port(Cycle now, RegId reg) {
    Cycle& free = free_at_[bank_of(reg)];
    const Cycle at = std::max(now, free);
    free = at + 1;
    conflicts_ += at - now;
    ++ports_;
    return at;
  }

  std::vector<Cycle> free_at_;
  Cycle latency_;
  std::uint64_t ports_ = 0, for_results_ = 0, taken_along_ = 0, of_barriers_ = 0;
  Counter &count_, &conflicts_;
};

}  // namespace heddle
