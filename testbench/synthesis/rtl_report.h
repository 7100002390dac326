#pragma once

// heddle rtl: synthesises the blocks of rtl/ and reports area and timing as a Markdown page.

#include <string>
#include <vector>

namespace heddle::synthesis {

struct RtlReportRequest {
  std::string liberty;
  std::string rtl_folder;
  std::string folder;
  int jobs = 1;
  std::vector<std::string> stimuli;  ///< folders with recordings of blocks; empty: netlists are not replayed
};

struct RtlReport {
  std::string text;
  long differences = 0;
};

/// Makes the report. Throws Error if a tool is missing or fails, or if a netlist is not equivalent to its
/// Verilog.
RtlReport make_rtl_report(const RtlReportRequest& request);

}  // namespace heddle::synthesis
