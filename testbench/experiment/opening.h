#pragma once

// The first section of a report: headlines next to published figures, and conclusions in words.

#include <string>
#include <vector>

#include "testbench/experiment/figure_data.h"

namespace heddle::experiment {

struct OpeningRow {
  std::string label, published;
  struct Measured {
    std::string text,
        figure;  ///< `text`: value with unit, or "-"; `figure`: id of its figure
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

/// Returns a sentence that replaces the paragraphs if they quote results of another size of the experiment;
/// otherwise an empty text.
std::string opening_is_of(const ExperimentFile& file);

/// Returns the section as Markdown; empty if the experiment file has none. A headline shows "-" if its figure
/// was not computed.
std::string opening_text(const ExperimentFile& file, const std::vector<FigureData>& figures,
                         const Published& published);

}  // namespace heddle::experiment
