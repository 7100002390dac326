#pragma once

// A comparison for readers and for programs.

#include <string>

#include "testbench/comparison/comparison.h"

namespace heddle::output {
class HtmlPage;
}

namespace heddle::comparison {

/// Which metrics are printed: cycles, speed-up, IPC and power, or all.
enum class Detail { brief, all };

/// For the terminal: parameters that differ, what has to be known, metrics, energies with each saving, conclusions.
std::string comparison_text(const Runs& runs, Detail detail);

/// comparison.json (docs/formats/result.md); paths relative to `folder`.
ConfigNode comparison_json(const Runs& runs, const std::string& folder);

/// One row a metric, one column a run; energies as `energy_nj.STRUCTURE`, savings against the first run as
/// `saved.STRUCTURE`.
std::string comparison_csv(const Runs& runs);

/// Sections of a page: tables, and pictures of all runs beside each other.
void add_comparison(output::HtmlPage& page, const Runs& runs);

}  // namespace heddle::comparison
