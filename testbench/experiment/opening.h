#pragma once

// The head of a report: headlines with their published neighbours, and what follows from them in words.

#include <string>
#include <vector>

#include "testbench/experiment/figure_data.h"

namespace heddle::experiment {

/// A headline as a report shows it.
struct OpeningRow {
  std::string label, published;  ///< published with its unit; empty if there is none
  struct Measured {
    std::string text, figure;  ///< "-" without a value
  };
  std::vector<Measured> measured;  ///< by column
};

std::vector<OpeningRow> opening_rows(const ExperimentFile& file, const std::vector<FigureData>& figures,
                                     const Published& published);

enum class NumberForm {
  text,
  link
};  ///< link: Markdown, to the figure that a number is of; text: no links at all
/// A paragraph with numbers where it names their places: the figures', [[figure|variant|value|metric|kernel]], "-" without a value,
/// and published ones, [[published:id|item]].
std::string with_numbers(const std::string& paragraph, const std::vector<FigureData>& figures,
                         const Published& published, NumberForm form);

/// Instead of the paragraphs, where another size is shown than they were written from.
std::string opening_is_of(const ExperimentFile& file);

/// Markdown; empty if the file has no opening. Headlines whose figures were not evaluated show "-".
std::string opening_text(const ExperimentFile& file, const std::vector<FigureData>& figures,
                         const Published& published);

}  // namespace heddle::experiment
