#pragma once

// JSON Schema of the scenario format and the table of all parameters, both from the parameters' fields().

#include <string>

namespace heddle::cli {

/// docs/formats/scenario.schema.json.
std::string scenario_schema();

/// Of a GPU preset: what a scenario has under "gpu".
std::string preset_schema();

/// docs/parameters.md.
std::string parameters_page();

}  // namespace heddle::cli
