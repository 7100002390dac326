#pragma once

// A self-contained HTML page, which needs no network and no other file. It is light or dark as the reader's
// system prefers. Clicking a heading, or pressing Enter on it, sorts a table. Charts fit the page's width.

#include <string>
#include <utility>
#include <vector>

#include "testbench/output/chart.h"

namespace heddle::output {

/// Returns text for HTML, with & < > " as entities.
std::string html_text(const std::string& text);

/// Colours of a page on light background, as CSS custom properties.
std::string chart_colours();

struct HtmlCell {
  std::string text;     ///< plain text
  double sort = 0;      ///< number by which a numeric column is sorted
  bool number = false;  ///< right-aligned
  double heat = 0;      ///< 0 to 1: strength of the background's tint
  std::string colour;   ///< class of a colour, "s0" to "s7"; empty: none
  std::string hover;    ///< text that the page shows while the pointer is on the cell; empty: none

  static HtmlCell of(const std::string& text) { return {text, 0, false, 0, {}, {}}; }
  /// Returns a cell with the name of a metric, whose meaning and unit (metric_texts.h) show on hover.
  static HtmlCell named(const std::string& metric);
  static HtmlCell of(double value, int digits = 3);
  static HtmlCell count(std::uint64_t value);
};

struct HtmlTable {
  std::vector<std::string> headings;
  /// Texts that the page shows while the pointer is on a heading; by default those of metrics that headings name.
  std::vector<std::string> hovers;
  std::vector<std::vector<HtmlCell>> rows;
  bool code = false;  ///< true: fixed-width font
  /// Placeholder text of the field that filters the rows; empty: the table has no such field.
  std::string filter;
};

class HtmlPage {
 public:
  explicit HtmlPage(std::string title);

  void heading(const std::string& text);
  void subheading(const std::string& text);
  void paragraph(const std::string& text);
  void preformatted(const std::string& text);
  /// Verdict of the page: good, bad or neutral.
  enum class Verdict { good, bad, open };
  void verdict(Verdict verdict, const std::string& text);
  void table(const HtmlTable& table);
  void chart(const Chart& chart, const std::string& caption = {});
  /// Lists the other files of the folder, each with its name, relative to the page, and its description.
  void links(const std::vector<std::pair<std::string, std::string>>& files);
  /// Folds the following content, up to end_details(), until the reader opens it.
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
