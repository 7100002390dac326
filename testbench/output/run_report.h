#pragma once

// report.html of a run: what it comes to, tables, energy and activity over time, warps over time, and the
// profile beside the listing and the source.

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

/// What has watched the run; each may be nullptr: its part of the page is missing then.
struct RunObservers {
  const IntervalRecorder* intervals = nullptr;
  const TimelineRecorder* timeline = nullptr;
  const Profiler* profiler = nullptr;
};

/// `files`: names of the other files of the run's folder, and what each is. `more` adds sections after the heading; it
/// may be empty.
std::string make_run_report(run::RunSession& session, const RunObservers& observers,
                            const std::vector<std::pair<std::string, std::string>>& files,
                            const std::function<void(HtmlPage&)>& more = {});

}  // namespace heddle::output
