#pragma once

// Text of a stored JSON object with its format's version and its seal, a hash over all other members. A
// truncated or edited text does not match its seal.

#include <string>

#include "models/core/config_node.h"

namespace heddle::launch {

std::string sealed_text(const std::string& format_key, int format, const ConfigNode& content);

struct Unsealed {
  std::string error;
  ConfigNode content;  ///< version, hash, and the members that were passed to sealed_text
};

/// `what` names the kind of file in errors, such as "a point". Throws Error if a text with a valid seal is no
/// JSON.
Unsealed unseal(const std::string& text, const std::string& format_key, int format, const std::string& what,
                const std::string& file);

}  // namespace heddle::launch
