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
    std::string text, figure;  ///< "-" without a value
  };
  std::vector<Measured> measured;  ///< by column
};

std::vector<OpeningRow> opening_rows(const ExperimentFile& file, const std::vector<FigureData>& figures,
                                     const Published& published);

enum class NumberForm {
  text,
  link
};  ///< link: Markdown with links to the figures of the numbers; text: no links
/// Returns a paragraph with its placeholders replaced: [[figure|variant|value|metric|kernel]] by the value,
/// or "-" if there is none, and [[published:id|item]].
std::string with_numbers(const std::string& paragraph, const std::vector<FigureData>& figures,
                         const Published& published, NumberForm form);

/// Returns a text that replaces the paragraphs if the report shows another size than they quote; otherwise
/// empty.
std::string opening_is_of(const ExperimentFile& file);

/// Returns Markdown; empty if the file has no opening. Headlines of figures that were not evaluated show "-".
std::string opening_text(const ExperimentFile& file, const std::vector<FigureData>& figures,
                         const Published& published);

}  // namespace heddle::experiment
