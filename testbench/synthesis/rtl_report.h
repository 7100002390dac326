#pragma once

// heddle rtl: the blocks of rtl/ through synthesis, as a Markdown page.

#include <string>
#include <vector>

namespace heddle::synthesis {

struct RtlReportRequest {
  std::string liberty;               ///< library; the file that OSU 180 nm has on Debian
  std::string rtl_folder;            ///< where the Verilog is
  std::string folder;                ///< scripts, netlists, logs, and report.md
  int jobs = 1;                      ///< blocks at one time
  std::vector<std::string> stimuli;  ///< folders of recordings of runs; none: netlists are not replayed
};

struct RtlReport {
  std::string text;
  long differences = 0;  ///< between netlists and recordings
};

/// Throws Error if a tool is missing or fails, or a netlist is not equivalent to its Verilog.
RtlReport make_rtl_report(const RtlReportRequest& request);

}  // namespace heddle::synthesis
