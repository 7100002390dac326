#pragma once

// The rows of the area report (heddle rtl), told by the blocks' own files: a size each in which a module of
// rtl/ is synthesised, and areas that papers state.

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace heddle::cosim {

/// A module of rtl/ in one size.
struct ReportRow {
  std::string name;  ///< of its netlist
  std::string module;
  std::vector<std::pair<std::string, int>> parameters;
  std::string what;
};

/// What a paper states about the area of one of the rows.
struct PublishedArea {
  std::string row;              ///< ReportRow::name
  std::string text;             ///< where it stands, and what is not known about it
  std::string name;             ///< what was measured
  double um2 = 0;               ///< at 45 nm; 0: the paper has no number
  double whole_mm2 = 0;         ///< what shares are of
  std::string whole = "an SM";  ///< its name
};

struct ReportSection {
  std::vector<ReportRow> rows;
  std::vector<PublishedArea> published;
};

/// Sections by name: one a block file.
inline std::map<std::string, ReportSection>& report_sections() {
  static std::map<std::string, ReportSection> sections;
  return sections;
}

struct ReportRegistration {
  ReportRegistration(const char* section, std::vector<ReportRow> rows,
                     std::vector<PublishedArea> published = {}) {
    report_sections()[section] = {std::move(rows), std::move(published)};
  }
};

}  // namespace heddle::cosim
