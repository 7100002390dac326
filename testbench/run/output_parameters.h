#pragma once

// Parameters of a run's outputs (docs/formats/result.md).

#include <cstdint>
#include <string>

#include "models/core/fields.h"

namespace heddle {

struct VcdParameters {
  bool enabled = false;
  std::string file = "waves.vcd";
  std::string select;
  std::uint64_t from_cycle = 0;
  std::uint64_t to_cycle = 0;

  void fields(FieldVisitor& v) {
    v.field("enabled", enabled, "write a waveform, and a .gtkw file that opens it in GTKWave");
    v.field("file", file, {}, "file in the output folder");
    v.field("select", select, {},
            "signals by name: patterns separated by commas (empty: all), such as "
            "\"sm0.warp*.state,**bank**\"; * matches within a part of a name, ** any parts");
    v.field("from_cycle", from_cycle, {0, 1LL << 60}, "first cycle that is recorded");
    v.field("to_cycle", to_cycle, {0, 1LL << 60}, "last cycle that is recorded (0: to the end)");
  }
};

struct TimelineParameters {
  std::uint64_t from_cycle = 0;
  std::uint64_t to_cycle = 0;
  std::uint64_t max_slices = 200000;

  void fields(FieldVisitor& v) {
    v.field("from_cycle", from_cycle, {0, 1LL << 60}, "slices that end before this cycle are left out");
    v.field("to_cycle", to_cycle, {0, 1LL << 60},
            "slices that begin after this cycle are left out (0: none)");
    v.field("max_slices", max_slices, {1, 100000000},
            "most slices in the file, about 100 bytes each; the file names the cycle from which some are "
            "missing");
  }
};

struct PipelineParameters {
  std::string file;
  std::vector<int> sms;
  std::uint64_t from_cycle = 0;
  std::uint64_t to_cycle = 0;
  std::uint64_t max_instructions = 200000;

  void fields(FieldVisitor& v) {
    v.field("file", file, {},
            "log of the pipeline in the Kanata format for the viewer Konata, relative to the working folder; "
            "compressed if the name ends in .gz (empty: none)");
    v.path("file");
    v.field("sms", sms, {0, 65535}, "SMs that are recorded (empty: all)");
    v.field("from_cycle", from_cycle, {0, 1LL << 60},
            "instructions that issue before this cycle are left out");
    v.field("to_cycle", to_cycle, {0, 1LL << 60},
            "instructions that issue after this cycle are left out (0: none)");
    v.field("max_instructions", max_instructions, {1, 100000000},
            "most instructions in the log: the first of the window; the log says where it stops");
  }
};

struct OutputParameters {
  std::string folder;
  bool npy = true;
  bool profile = false;
  std::vector<std::string> profile_columns;
  bool timeline = false;
  std::string timeline_format = "perfetto";
  bool report = false;
  std::uint64_t launches_in_full = 100;
  bool intervals = true;
  std::vector<std::string> interval_counters;
  std::vector<ConfigNode> analyses;
  TimelineParameters timeline_limits;
  VcdParameters vcd;
  PipelineParameters pipeline;

  std::string timeline_file() const {
    return timeline_format == "json" ? "timeline.json" : "timeline.pftrace";
  }
  /// Returns true if some output shows values over time. This does not depend on watch.interval_cycles.
  bool over_time() const { return !folder.empty() && (timeline || report); }

  void fields(FieldVisitor& v) {
    v.field("folder", folder, {},
            "folder of result.json, stats.csv and other files, relative to the working folder (empty: "
            "nothing is written)");
    v.path("folder");
    v.field("npy", npy, "write the output buffers as .npy files");
    v.field("profile", profile,
            "write profile.txt and profile.csv: issues, waits, conflicts, energy by instruction");
    v.field(
        "profile_columns", profile_columns,
        "columns of profile.txt and of the page's profile, of: issues, lanes, waited, mostly, operand, unit, "
        "segments, passes, energy (empty: the usual ones)");
    v.field("timeline", timeline, "write a timeline for Perfetto");
    v.field("timeline_format", timeline_format, {"perfetto", "json"},
            "perfetto: timeline.pftrace, with instructions; json: timeline.json, also for chrome://tracing");
    v.field("report", report,
            "write report.html: tables, plots, warps over time, the profile next to listing and source");
    v.field("launches_in_full", launches_in_full, {0, 1000000},
            "number of first timed launches with every counter in result.json, stats.csv and energy.csv; for "
            "further launches result.json has cycles, IPC and energy");
    v.field("intervals", intervals, "write intervals.csv if watch.interval_cycles is set");
    v.field("interval_counters", interval_counters,
            "counters with a column in intervals.csv, summed over like units: sm.partition.banks.reads");
    v.choices("analyses", analyses, "run analysis",
              "tables of what the program does: analysis.csv and analysis.md");
    v.group("timeline_limits", timeline_limits, "contents of the timeline");
    v.group("vcd", vcd, "waveform");
    v.group("pipeline", pipeline, "log of the pipeline");
  }
};

}  // namespace heddle
