#pragma once

// Makes the sentences of `heddle why` at the beginning of a report page.

#include <string>
#include <vector>

#include "models/core/config_node.h"
#include "testbench/comparison/comparison.h"
#include "testbench/output/html_page.h"
#include "testbench/why/places.h"

namespace heddle::cli {

/// Returns sentences that explain the cycles of a result.json or program.json, by the rules of configs/rules.
/// `places`: the run's profile, which gives the source lines in the sentences. Returns an empty text if no
/// launch was timed.
std::string why_text_of(const ConfigNode& result, const why::Places& places);

/// Adds sentences about each run to the page of a comparison. For the first run, the sentences state what the
/// run's cycles are spent on. For each other run, they state why the run takes more or fewer cycles than the
/// first run. `results`: the result.json of each run of `runs`.
void add_why(output::HtmlPage& page, const comparison::Runs& runs, const std::vector<ConfigNode>& results);

}  // namespace heddle::cli
