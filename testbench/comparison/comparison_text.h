#pragma once

// Writes a comparison as text, JSON, CSV, and sections of a page.

#include <string>

#include "testbench/comparison/comparison.h"

namespace heddle::output {
class HtmlPage;
}

namespace heddle::comparison {

enum class Detail { brief, all };

/// Returns the text for the terminal: differing parameters, remarks, metrics, energies with savings, and
/// conclusions.
std::string comparison_text(const Runs& runs, Detail detail);

/// Returns comparison.json (docs/formats/result.md). Its paths are relative to `folder`.
ConfigNode comparison_json(const Runs& runs, const std::string& folder);

/// Returns a table with one row for each metric and one column for each run. Rows of energies are named
/// `energy_nj.STRUCTURE`, rows of savings `saved.STRUCTURE`.
std::string comparison_csv(const Runs& runs);

void add_comparison(output::HtmlPage& page, const Runs& runs);

}  // namespace heddle::comparison
