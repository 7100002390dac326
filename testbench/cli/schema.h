#pragma once

// Makes the JSON Schema of scenarios, and the table of all parameters. Both are made from the declarations of
// the parameters (fields()).

#include <string>

namespace heddle::cli {

/// Returns the text of docs/formats/scenario.schema.json.
std::string scenario_schema();

/// Returns the schema of a GPU preset, which is the "gpu" part of a scenario.
std::string preset_schema();

std::string parameters_page();

/// Returns all parameters as a JSON list. Each entry has path, family, implementation, key, type, default,
/// allowed values and meaning.
std::string parameters_json();

}  // namespace heddle::cli
