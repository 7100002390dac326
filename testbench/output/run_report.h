#pragma once

// report.html of a run: what it comes to, tables, energy and activity over time, warps over time, and the
// profile beside the listing and the source.

#include <functional>
#include <string>

#include "testbench/run/run_session.h"

namespace heddle::output {

class HtmlPage;
class IntervalRecorder;
class Profiler;
class TimelineRecorder;

/// The observers may be nullptr: their part of the page is missing then. `more` adds sections after the heading; it may
/// be empty.
std::string make_run_report(run::RunSession& session, const IntervalRecorder* intervals,
                            const TimelineRecorder* timeline, const Profiler* profiler,
                            const std::function<void(HtmlPage&)>& more = {});

}  // namespace heddle::output
