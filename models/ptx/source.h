#pragma once

// The text of one PTX file and the one way in which the front end refuses it.

#include <cstdint>
#include <string>
#include <string_view>

namespace heddle::ptx {

struct Position {
  std::uint32_t line = 0;  ///< from 1
  std::uint32_t column = 0;
};

struct Source {
  std::string file;
  std::string text;

  /// The line at `p`, and the rest of its statement if that goes on, in one line of printable characters.
  std::string excerpt(Position p) const;
  /// "file:line:column".
  std::string where(Position p) const;
  /// Throws heddle::Error "file:line:column: WHAT in "TEXT" (allowed: ALLOWED)".
  [[noreturn]] void fail(Position p, const std::string& what, const std::string& allowed = {}) const;
};

}  // namespace heddle::ptx
