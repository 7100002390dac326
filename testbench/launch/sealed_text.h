#pragma once

// Text of a stored JSON object. The text contains the version of its format, and a hash over all other
// members (seal). From the seal, a reader detects a truncated or edited text.

#include <string>

#include "models/core/config_node.h"

namespace heddle::launch {

std::string sealed_text(const std::string& format_key, int format, const ConfigNode& content);

struct Unsealed {
  std::string error;
  ConfigNode content;  ///< version, hash, and the members that were passed to sealed_text
};

/// Reads a text that sealed_text() has made. `what`: kind of file for error messages, such as "a point".
/// Throws Error if a text with a valid seal is not JSON.
Unsealed unseal(const std::string& text, const std::string& format_key, int format, const std::string& what,
                const std::string& file);

}  // namespace heddle::launch
