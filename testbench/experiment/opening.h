#pragma once

// The first section of a report (headlines next to published figures, and a summary), and its last one, the
// conclusions.

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "testbench/experiment/figure_data.h"

namespace heddle::experiment {

/// Returns a number as tables show it: with `digits` digits after the decimal point, "-" for NaN, and no
/// minus sign before a value that rounds to zero.
std::string rounded(double value, int digits);
/// Returns a range in the form "7.1 to 9.0".
std::string range_text(const LeaveOneOut& range, int digits);

/// A value of a figure, with the number of digits that the figure prints; NaN without data.
struct MeasuredValue {
  double number = std::numeric_limits<double>::quiet_NaN();
  int digits = 1;
  std::optional<LeaveOneOut> range;
  const FigureData* data = nullptr;  ///< the figure; nullptr if it was not computed

  std::string text() const;  ///< the rounded number, or "-"
};
MeasuredValue measured_at(const FigurePlace& place, const std::vector<FigureData>& figures);

struct OpeningRow {
  std::string label, published;
  struct Measured {
    std::string text;    ///< value, or "-"
    std::string range;   ///< lowest and highest mean if one kernel is left out; empty for other values
    std::string figure;  ///< id of the value's figure
  };
  std::vector<Measured> measured;
};

std::vector<OpeningRow> opening_rows(const ExperimentFile& file, const std::vector<FigureData>& figures,
                                     const Published& published);

enum class NumberForm {
  text,
  link
};  ///< `link`: Markdown in which each number links to its figure. `text`: no links.
/// Replaces the placeholders of a paragraph by numbers, or by "-": [[figure|variant|value|metric|kernel]] and
/// [[published:id|item]].
std::string with_numbers(const std::string& paragraph, const std::vector<FigureData>& figures,
                         const Published& published, NumberForm form);

struct ConclusionList {
  enum class Kind { holds, differs, decides, open };  ///< as the keys of `opening`
  Kind kind;
  const char* title;
  std::vector<std::string> claims;  ///< with placeholders
};
/// Returns the conclusions, without claims that quote a number which `figures` lack. Empty if the conclusions
/// are not about the chosen size (set of kernels) of the experiment, if the command line chose kernels or
/// sweeps, or if the summary of this size lacks a number.
std::vector<ConclusionList> conclusions(const ExperimentFile& file, const std::vector<FigureData>& figures);

/// Returns paragraphs: the summary for the chosen size of the experiment, if all its numbers are available;
/// and where readers find the conclusions, if the experiment has any. If neither this summary nor conclusions
/// for this size exist, a sentence states which figures the report shows.
std::vector<std::string> summary_texts(const ExperimentFile& file, const std::vector<FigureData>& figures,
                                       const Published& published, NumberForm form);

/// Returns the report's first section, with headlines and summary, as Markdown; empty if the experiment file
/// has neither. Leaves out headlines of which no figure was computed.
std::string opening_text(const ExperimentFile& file, const std::vector<FigureData>& figures,
                         const Published& published);

/// Returns the section "Conclusions" as Markdown; empty without conclusions.
std::string conclusions_text(const ExperimentFile& file, const std::vector<FigureData>& figures,
                             const Published& published);

}  // namespace heddle::experiment
