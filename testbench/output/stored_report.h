#pragma once

// Makes a page about a stored result, as HTML or Markdown. The page uses result.json or program.json and the
// tables in the same folder. No program is run and no energy is computed.

#include <optional>
#include <string>
#include <vector>

#include "models/core/config_node.h"
#include "testbench/output/html_page.h"

namespace heddle::output {

/// A page as a list of parts, which both formats show in this order.
struct StoredReport {
  struct Part {
    enum class Kind { heading, paragraph, good, bad, open, table, chart };
    Kind kind = Kind::paragraph;
    std::string text;  ///< text of the part; for a chart, its caption
    HtmlTable table;
    Chart chart;  ///< the chart; Markdown pages leave it out
  };
  std::string title;
  std::vector<Part> parts;
};

/// Returns the page of a result.json or program.json. `folder` is the folder of the file, whose tables
/// (intervals.csv, profile.csv) are read if they are there. Throws Error, which names `where`, for other contents.
StoredReport stored_report(const ConfigNode& result, const std::string& folder, const std::string& where);

std::string html_text_of(const StoredReport& report);
std::string markdown_text_of(const StoredReport& report);

}  // namespace heddle::output
