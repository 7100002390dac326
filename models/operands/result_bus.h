#pragma once

// Models the result bus of one partition. The bus takes finished instructions from the execution units,
// writes their results through the register port, and reports their completion. The register port calls
// step().

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "models/core/growing_array.h"
#include "models/core/stats.h"
#include "models/operands/register_path.h"
#include "models/ports/instruction_path.h"

namespace heddle {

/// An execution unit that sends results to the bus.
struct ResultSource {
  std::string name;
  int depth = 2;  ///< number of finished instructions that can wait at the unit for the bus
};

class ResultBus : public sc_core::sc_module {
 public:
  /// `width_words`: result words per cycle. The sources are served round-robin: the unit that is served first
  /// advances by one each cycle.
  ResultBus(const sc_core::sc_module_name& name, ClockedModule& port, int width_words,
            const std::vector<ResultSource>& sources, LifeChannel& life, RegisterPath& path,
            const StatsScope& stats);

  InstructionTargetSocket& input(std::size_t source) { return sources_[source]->socket; }
  /// Runs one cycle. Returns true if the bus has work in the next cycle.
  bool step(Cycle now);
  void on_response(RegisterAccess& access) {
    free_.push_back(&access);
    became_visible(*static_cast<InFlight*>(access.owner), 1);
  }
  bool idle() const { return pending_.empty(); }

 private:
  inline int take_results(int budget);
  inline int take_from(std::size_t number, int budget);
  inline std::uint8_t send_words(InFlight& item);
  bool may_send() const { return path_->may_send(RegisterPath::Sender::result_bus); }
  void send_pending();
  void became_visible(InFlight& item, unsigned words) {
    item.writes_left = static_cast<std::uint8_t>(item.writes_left - words);
    if (item.writes_left == 0) life_->completed(item);
  }
  /// Gets a new spare access after the old one was sent.
  void next_access();

  int width_;
  LifeChannel* life_;
  RegisterPath* path_;
  std::vector<std::unique_ptr<InstructionInlet>> sources_;
  std::uint64_t filled_ = 0;  ///< bit n: source n may hold a finished instruction
  std::size_t first_ = 0;     ///< number of the source that is served first: cycle modulo number of sources
  /// words of following cycles that an instruction with several result words has already used
  int advance_words_ = 0;
  std::deque<RegisterAccess*> pending_;  ///< writes that the register path has not accepted, oldest first
  std::deque<RegisterAccess> storage_;
  GrowingArray<RegisterAccess*> free_;
  RegisterAccess* next_ = nullptr;  ///< spare access, used for the next result word
  Counter &words_, &instructions_;
  Cycle last_step_ = 0;
};

}  // namespace heddle
