#pragma once

// Reports the first kWatchedRows rows of the tri-modal banks to probe points. A report contains the events of
// a row in one cycle, and the row's state after this cycle.

#include <memory>
#include <string>
#include <vector>

#include "models/banks/tri_modal_point.h"

namespace heddle {

class RowWatch {
 public:
  explicit RowWatch(const TricSettings& settings) : settings_(settings) {}

  bool any() const { return any_; }
  void add_probes(const ProbeScope& scope, std::size_t rows) {
    for (std::size_t i = rows_.size(); i < std::min(rows, kWatchedRows); ++i)
      rows_.push_back(std::make_unique<Row>(settings_));
    any_ = !rows_.empty();
    for (std::size_t i = 0; i < rows_.size(); ++i) scope.part("row" + std::to_string(i)).add(rows_[i]->probe);
    if (rows_.size() == kWatchedRows) scope.part("rows").add(all_);
  }

  /// Records an event of row `number`. `change(view)` must add the event to `view`, which counts the row's
  /// events of this cycle. `state_of(row, cycle)` must return the row's power state. At the first event of
  /// a cycle, this function first reports the previous cycle to the probe points.
  template <class State, class Change>
  void note(Cycle now, std::size_t number, State&& state_of, Change&& change) {
    if (number >= rows_.size()) return;
    if (seen_.now != now) {
      TricRowsPoint::Answer states{};
      for (std::size_t i = 0; i < rows_.size(); ++i) states[i] = state_of(i, seen_.now + 1);
      all_.answered(seen_, states);
      seen_ = {now, {}};
    }
    change(seen_.rows[number]);
    Row& row = *rows_[number];
    if (row.seen.now != now) {
      TricState state = state_of(number, row.seen.now + 1);
      row.probe.answered(row.seen, state);
      row.seen = {};
      row.seen.now = now;
    }
    change(row.seen);
  }

 private:
  struct Row {
    explicit Row(const TricSettings& settings) : probe(settings) {}
    Probe<TricPoint> probe;
    TricView seen;
  };

  TricSettings settings_;
  bool any_ = false;
  std::vector<std::unique_ptr<Row>> rows_;
  Probe<TricRowsPoint> all_{settings_};
  TricRowsView seen_;
};

}  // namespace heddle
