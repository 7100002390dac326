#pragma once

// Writes report.html of a run: verdict, tables, energy and activity over time, and the profile next to
// listing and source.

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

/// nullptr leaves a section of the page out.
struct RunObservers {
  const IntervalRecorder* intervals = nullptr;
  const TimelineRecorder* timeline = nullptr;
  const Profiler* profiler = nullptr;
  std::string why;  ///< reasons of the run's cycles, one in each line; may be empty
};

/// `files`: names and descriptions of the run's other files. `more` adds sections after the heading and may
/// be empty.
std::string make_run_report(run::RunSession& session, const RunObservers& observers,
                            const std::vector<std::pair<std::string, std::string>>& files,
                            const std::function<void(HtmlPage&)>& more = {});

}  // namespace heddle::output
