#pragma once

// Fragments of text for drafted launch files.

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

std::string json_string(const std::string& text);
/// Returns the element type with which the kernel accesses a buffer; if it uses several types, the narrowest
/// of them.
ElementType buffer_type(const PartFacts& part);
/// Describes how the kernel accesses a buffer, such as "read and written as f32".
std::string accesses(const PartFacts& part);

}  // namespace heddle::launch
