#pragma once

// What drafts of launch files are made of.

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
/// The type of a buffer's elements: that of the accesses, or where they differ in size the narrowest.
ElementType buffer_type(const PartFacts& part);
/// "read and written as f32".
std::string accesses(const PartFacts& part);

}  // namespace heddle::launch
