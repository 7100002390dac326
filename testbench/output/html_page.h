#pragma once

// A page of HTML that needs nothing else: no network, no other file, light or dark as the reader's machine is.
// Its tables sort by a click, or Enter, on a heading; its charts fit the page's width.

#include <string>
#include <utility>
#include <vector>

#include "testbench/output/chart.h"

namespace heddle::output {

/// Text as HTML shows it: & < > " are written as entities.
std::string html_text(const std::string& text);

/// The colours of a page on light ground, as custom properties of CSS.
std::string chart_colours();

struct HtmlCell {
  std::string text;     ///< plain text
  double sort = 0;      ///< what a numeric column sorts by
  bool number = false;  ///< right-aligned
  double heat = 0;      ///< 0..1: how strongly the background is tinted
  std::string colour;   ///< a class of a colour: "s0" ... "s7"; or empty

  static HtmlCell of(const std::string& text) { return {text, 0, false, 0, {}}; }
  static HtmlCell of(double value, int digits = 3);
  static HtmlCell count(std::uint64_t value);
};

struct HtmlTable {
  std::vector<std::string> headings;
  std::vector<std::vector<HtmlCell>> rows;
  bool code = false;   ///< in a fixed-width font
  std::string filter;  ///< not empty: a field that filters the rows, with this as its hint
};

class HtmlPage {
 public:
  explicit HtmlPage(std::string title);

  void heading(const std::string& text);
  void subheading(const std::string& text);
  void paragraph(const std::string& text);
  void preformatted(const std::string& text);
  /// What the page comes to: good, bad or neither.
  enum class Verdict { good, bad, open };
  void verdict(Verdict verdict, const std::string& text);
  void table(const HtmlTable& table);
  void chart(const Chart& chart, const std::string& caption = {});
  /// Files beside the page: their names, relative to it, and what each is.
  void links(const std::vector<std::pair<std::string, std::string>>& files);
  /// What follows, up to end_details(), is folded away until it is asked for.
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
