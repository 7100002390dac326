#pragma once

// The text of one PTX file and the one way in which the front end refuses it.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "models/core/error.h"

namespace heddle::ptx {

/// Something of PTX that Heddle has not.
class UnsupportedError : public Error {
 public:
  UnsupportedError(std::string feature, std::string where, std::string what)
      : Error(std::move(where), std::move(what)), feature_(std::move(feature)) {}
  const std::string& feature() const { return feature_; }  ///< "matrix instructions"

 private:
  std::string feature_;
};

struct Position {
  std::uint32_t line = 0;  ///< from 1
  std::uint32_t column = 0;
};

/// Something that is refused only when a kernel uses it.
struct Refusal {
  Position position;
  std::string what;
  std::string allowed;
  std::string feature;  ///< what of PTX is missing; empty: it is an error of the text
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
  [[noreturn]] void fail(const Refusal& refusal) const;
  /// Throws UnsupportedError "file:line:column: not supported yet: FEATURE (DETAIL) in "TEXT"".
  [[noreturn]] void refuse(Position p, const std::string& feature, const std::string& detail) const;
};

}  // namespace heddle::ptx
