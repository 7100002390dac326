#pragma once

// heddle rtl: synthesises the blocks of rtl/ and reports area and timing as a Markdown page.

#include <string>
#include <vector>

namespace heddle::synthesis {

struct RtlReportRequest {
  std::string liberty;               ///< path of the library; the default is Debian's OSU 180 nm file
  std::string rtl_folder;            ///< folder with the Verilog of the blocks
  std::string folder;                ///< folder for scripts, netlists, logs, and report.md
  int jobs = 1;                      ///< number of blocks that are synthesised in parallel
  std::vector<std::string> stimuli;  ///< folders with recordings of blocks; empty: netlists are not replayed
};

struct RtlReport {
  std::string text;
  long differences = 0;  ///< number of differences between netlists and recordings
};

/// Throws Error if a tool is missing or fails, or if a netlist is not equivalent to its Verilog.
RtlReport make_rtl_report(const RtlReportRequest& request);

}  // namespace heddle::synthesis
