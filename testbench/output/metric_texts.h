#pragma once

// Unit and meaning of every metric, and of the other values in result tables. Pages, tables, `heddle list
// metrics` and the Python package use these texts.

#include <string>
#include <vector>

namespace heddle::output {

struct MetricText {
  std::string name;  ///< name or pattern (models/core/wildcard.h), such as "stall_*"
  std::string unit;
  std::string doc;
};

/// Returns the texts of all metrics. Each text belongs to the name of a metric, or to a pattern of names. A
/// name stands before all patterns that match it. Therefore the first entry that matches a metric is the
/// right one.
const std::vector<MetricText>& metric_texts();

const MetricText* find_metric_text(const std::string& name);

/// Returns the text of the metric with this name. Throws InternalError if there is none.
const MetricText& metric_text(const std::string& name);

std::string hover_text(const std::string& name);

}  // namespace heddle::output
