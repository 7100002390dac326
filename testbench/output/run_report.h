#pragma once

// Writes report.html of a run: verdict, tables, energy and activity over time, warps over time, and the
// profile next to the listing and the source.

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

/// Observers of the run whose data the page shows. If one is nullptr, the page lacks its part.
struct RunObservers {
  const IntervalRecorder* intervals = nullptr;
  const TimelineRecorder* timeline = nullptr;
  const Profiler* profiler = nullptr;
};

/// `files`: names and descriptions of the other files of the run's folder. `more` adds sections after the
/// heading. `more` may be empty.
std::string make_run_report(run::RunSession& session, const RunObservers& observers,
                            const std::vector<std::pair<std::string, std::string>>& files,
                            const std::function<void(HtmlPage&)>& more = {});

}  // namespace heddle::output
