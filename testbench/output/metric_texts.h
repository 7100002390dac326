#pragma once

// Unit and meaning of every metric and other value in result tables. Pages, tables, `heddle list metrics` and
// the Python package use these texts.

#include <string>
#include <vector>

namespace heddle::output {

struct MetricText {
  std::string name;  ///< name or pattern (models/core/wildcard.h), such as "stall_*"
  std::string unit;
  std::string doc;
};

/// Names come before patterns that match them.
const std::vector<MetricText>& metric_texts();

const MetricText* find_metric_text(const std::string& name);

/// Throws InternalError for a name without a text.
const MetricText& metric_text(const std::string& name);

std::string hover_text(const std::string& name);

}  // namespace heddle::output
