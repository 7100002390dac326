#pragma once

// The opening of a report: headlines next to published figures, and conclusions in words.

#include <string>
#include <vector>

#include "testbench/experiment/figure_data.h"

namespace heddle::experiment {

/// A headline as a report shows it.
struct OpeningRow {
  std::string label, published;  ///< published value with its unit; empty if there is none
  struct Measured {
    std::string text, figure;  ///< measured values with units; "-" without a value
  };
  std::vector<Measured> measured;  ///< texts of the measured values, by column
};

std::vector<OpeningRow> opening_rows(const ExperimentFile& file, const std::vector<FigureData>& figures,
                                     const Published& published);

enum class NumberForm {
  text,
  link
};  ///< `link`: Markdown in which each number links to its figure. `text`: no links.
/// Returns a paragraph with its placeholders replaced: [[figure|variant|value|metric|kernel]] by the value,
/// or "-" if there is none, and [[published:id|item]].
std::string with_numbers(const std::string& paragraph, const std::vector<FigureData>& figures,
                         const Published& published, NumberForm form);

/// Returns a replacement for the paragraphs if the report shows another size than the paragraphs quote.
/// Returns an empty text if the paragraphs apply.
std::string opening_is_of(const ExperimentFile& file);

/// Returns Markdown, or an empty text if the file has no opening. Headlines of figures that were not
/// evaluated show "-".
std::string opening_text(const ExperimentFile& file, const std::vector<FigureData>& figures,
                         const Published& published);

}  // namespace heddle::experiment
