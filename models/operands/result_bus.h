#pragma once

// Models the result bus of one partition. The bus takes finished instructions from the execution units,
// writes their results through the register port, and reports their completion.

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "models/core/growing_array.h"
#include "models/core/stats.h"
#include "models/operands/register_path.h"
#include "models/ports/instruction_path.h"

namespace heddle {

struct ResultSource {
  std::string name;
  int depth = 2;
  bool fixed = false;  ///< true: this source delivers fixed-latency results and must never wait
};

class ResultBus : public sc_core::sc_module {
 public:
  /// `width_words`: 32-bit result words per cycle. The bus serves the execution units round-robin, and begins
  /// one unit further in each cycle.
  ResultBus(const sc_core::sc_module_name& name, ClockedModule& port, int width_words,
            const std::vector<ResultSource>& sources, LifeChannel& life, RegisterPath& path,
            const StatsScope& stats);

  InstructionTargetSocket& input(std::size_t source) { return sources_[source]->socket; }
  bool step(Cycle now);
  void on_response(RegisterAccess& access) {
    free_.push_back(&access);
    became_visible(*static_cast<InFlight*>(access.owner), 1);
  }
  bool idle() const { return pending_.empty(); }

 protected:
  /// Takes finished instructions. `budget`: result words that the bus can still take in this cycle. Returns the
  /// remaining budget. If an instruction has more result words than the budget, the remaining budget is
  /// negative. The excess words count against the next cycles.
  virtual int take_results(int budget);
  /// filled(): bit mask of the execution units that offer a finished instruction. first(): the unit that the
  /// bus serves first in this cycle.
  std::uint64_t filled() const { return filled_; }
  std::size_t first() const { return first_; }
  Cycle now() const { return last_step_; }
  const InFlight* front(std::size_t source) const {
    return sources_[source]->can_pop() ? sources_[source]->front() : nullptr;
  }
  int take_one(std::size_t number, int budget) {
    InstructionInlet& source = *sources_[number];
    InFlight& item = *source.pop();
    item.result_source = static_cast<std::uint16_t>(number);
    ++instructions_;
    budget -= item.writes_left;
    became_visible(item, item.writes_left == 0 ? 0u : send_words(item));
    if (source.empty()) filled_ &= ~(std::uint64_t{1} << number);
    return budget;
  }
  const RegisterPath& path() const { return *path_; }

 private:
  inline int take_from(std::size_t number, int budget);
  std::uint8_t send_words(InFlight& item);
  bool may_send() const { return path_->may_send(RegisterPath::Sender::result_bus); }
  void send_pending();
  void became_visible(InFlight& item, unsigned words) {
    item.writes_left = static_cast<std::uint8_t>(item.writes_left - words);
    if (item.writes_left == 0) life_->completed(item);
  }
  void next_access();

  int width_;
  LifeChannel* life_;
  RegisterPath* path_;
  std::vector<std::unique_ptr<InstructionInlet>> sources_;
  std::uint64_t filled_ = 0;
  std::size_t first_ = 0;
  /// number of result words that earlier cycles sent in excess of the bus width; subtracted from the width of
  /// the next cycles
  int advance_words_ = 0;
  std::deque<RegisterAccess*> pending_;
  std::deque<RegisterAccess> storage_;
  GrowingArray<RegisterAccess*> free_;
  RegisterAccess* next_ = nullptr;
  Counter &words_, &instructions_;
  Cycle last_step_ = 0;
};

}  // namespace heddle
