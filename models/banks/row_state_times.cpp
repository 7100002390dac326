#include "models/banks/row_state_times.h"

#include <bit>

namespace heddle {

RowStateTimes::RowStateTimes(std::uint64_t rows, bool off, Cycle wake_up_cycles, const StatsScope& stats)
    : rows_(rows),
      becoming_on_(std::bit_ceil(wake_up_cycles + 1)),
      on_(stats.add("on_entry_cycles", "entry-cycles", "rows that were on")),
      wake_(stats.add("wake_entry_cycles", "entry-cycles", "rows that were waking")),
      drowsy_(stats.add("drowsy_entry_cycles", "entry-cycles", "rows that were drowsy")),
      off_(stats.add("off_entry_cycles", "entry-cycles", "rows that were off")) {
  (off ? off_rows_ : drowsy_rows_).rows = rows;
}

std::uint64_t RowStateTimes::still_waking(Cycle cycle) const {
  std::uint64_t sum = 0;
  for (const BecomingOn& slot : becoming_on_)
    if (slot.from > cycle) sum += slot.rows * (slot.from - cycle);
  return sum;
}

void RowStateTimes::settle(Cycle cycle) {
  const auto publish = [](Counter& counter, std::uint64_t sum, std::uint64_t& reported) {
    counter += sum - reported;
    reported = sum;
  };
  const std::uint64_t wake = wake_sum_ - still_waking(cycle);
  publish(wake_, wake, wake_reported_);
  publish(on_, awake_rows_.until(cycle) - wake, awake_rows_.reported);
  publish(drowsy_, drowsy_rows_.until(cycle), drowsy_rows_.reported);
  publish(off_, off_rows_.until(cycle), off_rows_.reported);
  time_.reported = time_.until(cycle);
}

void RowStateTimes::begin(Cycle cycle) {
  wake_sum_ = wake_reported_ + still_waking(cycle);
  awake_rows_.begin(cycle, awake_rows_.reported + wake_reported_);
  for (StateTime* time : {&drowsy_rows_, &off_rows_, &time_}) time->begin(cycle, time->reported);
}

RegisterPower::Rule RowStateTimes::rule() const {
  return {"entry-cycles of all states, rows x cycles",
          on_.value() + wake_.value() + drowsy_.value() + off_.value(), rows_ * time_.reported};
}

}  // namespace heddle
