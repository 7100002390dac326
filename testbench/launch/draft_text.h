#pragma once

// Text fragments of drafted launch files.

#include <string>
#include <vector>

#include "testbench/launch/parameter_facts.h"

namespace heddle::launch {

struct DraftEntry {
  std::string key, value, note;
};
struct DraftSections {
  std::vector<DraftEntry> values, buffers, symbols;
  std::vector<std::string> outputs;
};

/// With quotation marks.
std::string json_string(const std::string& text);
/// Element type of a buffer: that of the accesses, or the narrowest if their sizes differ.
ElementType buffer_type(const PartFacts& part);
/// "read and written as f32".
std::string accesses(const PartFacts& part);

}  // namespace heddle::launch
