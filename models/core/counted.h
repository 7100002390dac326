#pragma once

// Writes counts with their nouns for output to the user.

#include <cstdint>
#include <string>

namespace heddle {

/// Returns a count with its noun, such as "1 launch" or "2 launches".
inline std::string counted(std::uint64_t count, const std::string& noun) {
  const char* const ending = count == 1 ? "" : noun.ends_with("ch") ? "es" : "s";
  return std::to_string(count) + " " + noun + ending;
}

}  // namespace heddle
