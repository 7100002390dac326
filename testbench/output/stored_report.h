#pragma once

// Makes an HTML or Markdown page about a stored result. The page is made from result.json or program.json,
// and from the tables in its folder.

#include <optional>
#include <string>
#include <vector>

#include "models/core/config_node.h"
#include "testbench/output/html_page.h"

namespace heddle::output {

/// A page as a list of elements. HTML pages and Markdown pages show the elements in this order.
struct StoredReport {
  struct Part {
    enum class Kind { heading, paragraph, good, bad, open, table, chart };
    Kind kind = Kind::paragraph;
    std::string text;
    HtmlTable table;
    Chart chart;  ///< the chart; Markdown pages leave it out
  };
  std::string title;
  std::vector<Part> parts;
};

/// Returns the page of a result.json or program.json. `folder`: the folder of the file; its tables
/// (intervals.csv, profile.csv) are read if they exist. `why`: reasons of the cycles, one in each line, for
/// the beginning of the page; may be empty. Throws Error, which names `where`, if the result is of another
/// kind.
StoredReport stored_report(const ConfigNode& result, const std::string& folder, const std::string& where,
                           const std::string& why = {});

/// Returns a text about failed launches of a program.json, such as "1 of 4 launches failed, and 2 were not
/// run after them". Empty if no launch failed.
std::string failures_of(const ConfigNode& result);

std::string html_text_of(const StoredReport& report);
std::string markdown_text_of(const StoredReport& report);

}  // namespace heddle::output
