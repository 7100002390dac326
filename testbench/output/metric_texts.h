#pragma once

// Unit and meaning of every metric, and of every other value that result tables contain. Report pages,
// tables, `heddle list metrics` and the Python package use these texts.

#include <string>
#include <vector>

namespace heddle::output {

struct MetricText {
  std::string name;  ///< name, or a pattern of names (models/core/wildcard.h), such as "stall_*"
  std::string unit;
  std::string doc;
};

/// Returns all texts. Names come before patterns that match them.
const std::vector<MetricText>& metric_texts();

/// Returns the text of a name; nullptr for a name without one.
const MetricText* find_metric_text(const std::string& name);

/// Returns the text of a name. Throws InternalError for a name without one.
const MetricText& metric_text(const std::string& name);

/// Returns "meaning [unit]", for titles that pages show on hover; empty for a name without a text.
std::string hover_text(const std::string& name);

}  // namespace heddle::output
