#pragma once

// The sentences of `heddle why` for the head of a report page.

#include <string>

#include "models/core/config_node.h"

namespace heddle::cli {

/// Returns the sentences about the cycles of a result.json or program.json, by the rules of configs/rules.
/// `profile_csv`: text of the run's profile.csv, from which the sentences take source lines; may be empty. Returns an
/// empty text if nothing was timed.
std::string why_text_of(const ConfigNode& result, const std::string& profile_csv);

}  // namespace heddle::cli
