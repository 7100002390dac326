#pragma once

// The sentences of `heddle why` at the beginning of a report page.

#include <string>
#include <vector>

#include "models/core/config_node.h"
#include "testbench/comparison/comparison.h"
#include "testbench/output/html_page.h"
#include "testbench/why/places.h"

namespace heddle::cli {

/// Returns the sentences about the cycles of a result.json or program.json, by the rules of configs/rules.
/// `places`: the run's profile, from which the sentences take source lines. Returns an empty text if nothing
/// was timed.
std::string why_text_of(const ConfigNode& result, const why::Places& places);

/// Adds the sentences about each run to the page of a comparison: why the first run takes its cycles, and why
/// each other run takes more or fewer. `results`: the result.json of each run of `runs`.
void add_why(output::HtmlPage& page, const comparison::Runs& runs, const std::vector<ConfigNode>& results);

}  // namespace heddle::cli
