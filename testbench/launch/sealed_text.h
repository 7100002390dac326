#pragma once

// Text of a stored JSON object. The text begins with the object's format and its seal, a hash over all other
// members. A truncated or edited text does not match its seal.

#include <string>

#include "models/core/config_node.h"

namespace heddle::launch {

/// Returns the text of an object with version and hash. `format_key` is the key of the version
/// ("point_format").
std::string sealed_text(const std::string& format_key, int format, const ConfigNode& content);

struct Unsealed {
  std::string error;   ///< reason why the text is refused; empty: the text is valid
  ConfigNode content;  ///< the whole object: version, hash, and the members that were passed to sealed_text
};

/// Reads a sealed text. `what` names the kind of file in errors ("a point"), `file` names the file. Throws
/// Error if a text with a valid seal is no JSON.
Unsealed unseal(const std::string& text, const std::string& format_key, int format, const std::string& what,
                const std::string& file);

}  // namespace heddle::launch
