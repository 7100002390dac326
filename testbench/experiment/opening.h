#pragma once

// The opening of a report: headlines next to published figures, and conclusions in words.

#include <string>
#include <vector>

#include "testbench/experiment/figure_data.h"

namespace heddle::experiment {

/// A headline as a report shows it.
struct OpeningRow {
  std::string label, published;  ///< `published`: value with its unit; empty if nothing is published
  struct Measured {
    std::string text,
        figure;  ///< `text`: value with its unit, "-" if there is none; `figure`: id of its figure
  };
  std::vector<Measured> measured;  ///< the headline's measured values, one per column of the opening
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

/// Returns a sentence that replaces the paragraphs if the paragraphs quote results of another size of the
/// experiment than the report shows. Otherwise returns an empty text.
std::string opening_is_of(const ExperimentFile& file);

/// Returns the opening as Markdown; empty if the experiment file has none. A headline shows "-" if its figure
/// was not computed.
std::string opening_text(const ExperimentFile& file, const std::vector<FigureData>& figures,
                         const Published& published);

}  // namespace heddle::experiment
