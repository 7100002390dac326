#pragma once

// Result bus of one partition: takes finished instructions from the units, writes their results through the
// register port and reports completion. A two-phase object stepped by the register port.

#include <deque>
#include <vector>

#include "models/core/cycle_queue.h"
#include "models/core/stats.h"
#include "models/ports/in_flight.h"
#include "models/ports/issue_inbox.h"
#include "models/ports/register_access.h"

namespace heddle {

class RegisterPort;

class ResultBus {
 public:
  ResultBus(int width_words, RegisterPort& port, IssueInbox& inbox, const StatsScope& stats);

  /// Units are served in the order in which they were added, starting one further each cycle.
  void add_source(CycleQueue<InFlight*>& results) { sources_.push_back(&results); }
  void step(Cycle now);
  void on_response(Cycle now, RegisterAccess& access);
  bool idle() const { return pending_.empty(); }

 private:
  void write_back(Cycle now, InFlight* item);
  void send_pending();
  RegisterAccess* take_access();

  int width_;
  RegisterPort* port_;
  IssueInbox* inbox_;
  std::vector<CycleQueue<InFlight*>*> sources_;
  int owed_ = 0;  ///< words beyond the width that an instruction of several words took in advance
  std::deque<RegisterAccess*> pending_;  ///< writes that the path has not taken yet, in order
  std::deque<RegisterAccess> storage_;
  std::vector<RegisterAccess*> free_;
  Counter &words_, &instructions_;
  Cycle last_step_ = 0;
};

}  // namespace heddle
