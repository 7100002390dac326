#pragma once

// result.json and stats.csv (docs/formats/result.md). Nothing in them depends on the host or on the time of
// day.

#include <string>

#include "models/core/config_node.h"
#include "testbench/run/run_session.h"

namespace heddle::output {

/// The whole of result.json. Paths in it are relative to `folder`.
ConfigNode make_result(run::RunSession& session, const std::string& folder);

/// One row a counter: owner, name, unit, description, the total, and one column a launch.
std::string make_stats_csv(run::RunSession& session);

}  // namespace heddle::output
