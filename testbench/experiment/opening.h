#pragma once

// The first section of a report: headlines next to published figures, and conclusions in words.

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "testbench/experiment/figure_data.h"

namespace heddle::experiment {

/// Rounds as tables do: "-" for NaN, and no minus sign before a value that rounds to zero.
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

/// The opening's paragraphs quote results of certain sizes of the experiment. For these sizes, returns an
/// empty text; for any other size, returns a sentence to print instead of the paragraphs.
std::string opening_is_of(const ExperimentFile& file);

/// Returns the opening as Markdown; empty if the experiment file has none. A headline shows "-" if its figure
/// was not computed.
std::string opening_text(const ExperimentFile& file, const std::vector<FigureData>& figures,
                         const Published& published);

}  // namespace heddle::experiment
