#pragma once

// A self-contained HTML page that needs no network and no other file. It follows the light or dark mode of
// the browser. A click on a table's heading sorts the table.

#include <string>
#include <utility>
#include <vector>

#include "testbench/output/chart.h"

namespace heddle::output {

/// Replaces the characters & < > " by HTML entities.
std::string html_text(const std::string& text);

/// Returns the CSS colours of charts on a light background.
std::string chart_colours();

struct HtmlCell {
  std::string text;
  double sort = 0;  ///< value by which a numeric column is sorted
  bool number = false;
  double heat = 0;     ///< strength of the cell's background colour, 0 to 1
  std::string colour;  ///< colour class, "s0" to "s7"; empty: no colour
  std::string hover;

  static HtmlCell of(const std::string& text) { return {text, 0, false, 0, {}, {}}; }
  /// Returns a cell with a metric's name. The metric's meaning and unit appear when the mouse is over the
  /// cell.
  static HtmlCell named(const std::string& metric);
  static HtmlCell of(double value, int digits = 3);
  static HtmlCell count(std::uint64_t value);
};

/// Heading of the section that explains a run's cycles, on every page about a run or a program.
inline constexpr const char* kWhyHeading = "Why it takes these cycles";

struct HtmlTable {
  std::vector<std::string> headings;
  /// For each heading, the text that appears when the mouse is over it. If the list is empty, headings that
  /// are names of metrics show the metrics' meanings.
  std::vector<std::string> hovers;
  std::vector<std::vector<HtmlCell>> rows;
  bool code = false;
  /// placeholder text of the input field that filters the rows; empty: the table has no such field
  std::string filter;
};

class HtmlPage {
 public:
  explicit HtmlPage(std::string title);

  void heading(const std::string& text);
  void subheading(const std::string& text);
  void paragraph(const std::string& text);
  void preformatted(const std::string& text);
  void lines(const std::string& text);
  /// Result that verdict() prints at the top of the page, in a colour: good, bad, or neutral (open).
  enum class Verdict { good, bad, open };
  void verdict(Verdict verdict, const std::string& text);
  void table(const HtmlTable& table);
  void chart(const Chart& chart, const std::string& caption = {});
  /// Adds links to other files of the page's folder. `files`: for each file, its path relative to the page,
  /// and a description.
  void links(const std::vector<std::pair<std::string, std::string>>& files);
  /// Everything added from this call to end_details() stays hidden until the reader opens it.
  void begin_details(const std::string& summary);
  void end_details();

  std::string text() const;

 private:
  std::string contents() const;

  std::string title_, contents_, body_;
  int sections_ = 0;
  bool charts_ = false;
};

}  // namespace heddle::output
