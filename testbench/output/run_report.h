#pragma once

// Writes report.html of a run: verdict, tables, energy and activity over time, and the profile. The profile's
// numbers stand next to the program's listing and source.

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "testbench/run/run_session.h"

namespace heddle::output {

class HtmlPage;
class IntervalRecorder;
class Profiler;
class TimelineRecorder;

/// Data of the page's sections. If a pointer is nullptr, its section is left out.
struct RunObservers {
  const IntervalRecorder* intervals = nullptr;
  const TimelineRecorder* timeline = nullptr;
  const Profiler* profiler = nullptr;
  std::string why;  ///< reasons of the run's cycles, one in each line; may be empty
};

/// Returns the text of report.html. `files`: names and descriptions of the run's other files. `more`:
/// function that adds sections after the page's heading; may be empty.
std::string make_run_report(run::RunSession& session, const RunObservers& observers,
                            const std::vector<std::pair<std::string, std::string>>& files,
                            const std::function<void(HtmlPage&)>& more = {});

}  // namespace heddle::output
