#pragma once

// Text of one PTX file, and the functions that report errors in it.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "models/core/error.h"

namespace heddle::ptx {

/// Error for a PTX feature that Heddle does not support.
class UnsupportedError : public Error {
 public:
  UnsupportedError(std::string feature, std::string where, std::string what)
      : Error(std::move(where), std::move(what)), feature_(std::move(feature)) {}
  const std::string& feature() const { return feature_; }  ///< such as "matrix instructions"

 private:
  std::string feature_;
};

struct Position {
  std::uint32_t line = 0;  ///< counted from 1
  std::uint32_t column = 0;
};

/// An error that is reported only if a kernel uses the item.
struct Refusal {
  Position position;
  std::string what;
  std::string allowed;
  std::string feature;  ///< unsupported PTX feature; empty for other errors
};

struct Source {
  std::string file;
  std::string text;

  /// Returns the statement at `p`, from the beginning of its line, as one line of printable characters.
  std::string excerpt(Position p) const;
  /// Returns the text "file:line:column".
  std::string where(Position p) const;
  /// Throws heddle::Error "file:line:column: WHAT in "TEXT" (allowed: ALLOWED)".
  [[noreturn]] void fail(Position p, const std::string& what, const std::string& allowed = {}) const;
  [[noreturn]] void fail(const Refusal& refusal) const;
  /// Throws UnsupportedError "file:line:column: not supported yet: FEATURE (DETAIL) in "TEXT"".
  [[noreturn]] void refuse(Position p, const std::string& feature, const std::string& detail) const;
};

}  // namespace heddle::ptx
