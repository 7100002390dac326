#pragma once

// A self-contained HTML page. The page needs no network and no other file, and is light or dark as the
// reader's system prefers. Clicking a heading, or pressing Enter on a heading, sorts a table. Charts fit the
// page's width.

#include <string>
#include <utility>
#include <vector>

#include "testbench/output/chart.h"

namespace heddle::output {

/// Returns text for HTML, with & < > " as entities.
std::string html_text(const std::string& text);

/// CSS definitions of the page's colours on a light background.
std::string chart_colours();

struct HtmlCell {
  std::string text;
  double sort = 0;      ///< value by which the reader may sort a numeric column
  bool number = false;  ///< True: the cell is right-aligned.
  double heat = 0;      ///< strength of the cell's background colour, 0 to 1
  std::string colour;   ///< colour class of the cell, "s0" to "s7"; empty: no colour
  std::string hover;    ///< text that the page shows while the pointer is on the cell; empty: none

  static HtmlCell of(const std::string& text) { return {text, 0, false, 0, {}, {}}; }
  /// Returns a cell with the name of a metric. The page shows the metric's meaning and unit (metric_texts.h)
  /// on hover.
  static HtmlCell named(const std::string& metric);
  static HtmlCell of(double value, int digits = 3);
  static HtmlCell count(std::uint64_t value);
};

struct HtmlTable {
  std::vector<std::string> headings;
  /// Texts that the page shows while the pointer is on a heading. By default these are the meanings of
  /// metrics that headings name.
  std::vector<std::string> hovers;
  std::vector<std::vector<HtmlCell>> rows;
  bool code = false;  ///< True: the column has a fixed-width font.
  /// placeholder of the input field that filters the rows; empty: the table has no such field
  std::string filter;
};

class HtmlPage {
 public:
  explicit HtmlPage(std::string title);

  void heading(const std::string& text);
  void subheading(const std::string& text);
  void paragraph(const std::string& text);
  void preformatted(const std::string& text);
  /// Prints a coloured verdict at the top of the page: good, bad or neutral.
  enum class Verdict { good, bad, open };
  void verdict(Verdict verdict, const std::string& text);
  void table(const HtmlTable& table);
  void chart(const Chart& chart, const std::string& caption = {});
  /// Lists the other files of the page's folder: for each file its path relative to the page, and its
  /// description.
  void links(const std::vector<std::pair<std::string, std::string>>& files);
  /// Hides the following content, up to end_details(), until the reader opens it.
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
