#pragma once

// Text of one PTX file, and the functions that report errors in this text.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "models/core/error.h"

namespace heddle::ptx {

class UnsupportedError : public Error {
 public:
  UnsupportedError(std::string feature, std::string where, std::string what)
      : Error(std::move(where), std::move(what)), feature_(std::move(feature)) {}
  const std::string& feature() const { return feature_; }

 private:
  std::string feature_;
};

struct Position {
  std::uint32_t line = 0;  ///< line and column in the PTX text, counted from 1
  std::uint32_t column = 0;
};

/// An error in a declaration or statement. The error is reported only if a kernel uses this declaration or
/// statement.
struct Refusal {
  Position position;
  std::string what;
  std::string allowed;
  std::string feature;
};

struct Source {
  std::string file;
  std::string text;

  std::string excerpt(Position p) const;
  std::string where(Position p) const;
  /// Throws heddle::Error with the text "file:line:column: WHAT in "TEXT" (allowed: ALLOWED)", where TEXT is
  /// the statement at `p`.
  [[noreturn]] void fail(Position p, const std::string& what, const std::string& allowed = {}) const;
  [[noreturn]] void fail(const Refusal& refusal) const;
  /// Throws UnsupportedError with the text "file:line:column: not supported yet: FEATURE (DETAIL) in "TEXT"".
  [[noreturn]] void refuse(Position p, const std::string& feature, const std::string& detail) const;
};

}  // namespace heddle::ptx
