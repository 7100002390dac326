#pragma once

// report.html of a run: what it comes to, tables, energy and activity over time, warps over time, and the
// profile beside the listing and the source.

#include <string>

#include "testbench/run/run_session.h"

namespace heddle::output {

class IntervalRecorder;
class Profiler;
class TimelineRecorder;

/// The observers may be nullptr: their part of the page is missing then.
std::string make_run_report(run::RunSession& session, const IntervalRecorder* intervals,
                            const TimelineRecorder* timeline, const Profiler* profiler);

}  // namespace heddle::output
