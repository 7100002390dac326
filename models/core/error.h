#pragma once

// The one way in which Heddle refuses bad input.

#include <stdexcept>
#include <string>
#include <utility>

namespace heddle {

/// An error that a user can act on. `where` is a file with line (and column), or a configuration key;
/// `what` says what is wrong; `allowed` what would be right (may be empty). The program prints
/// `error: WHERE: WHAT (allowed: ALLOWED)` on one line and exits with status 1.
class Error : public std::runtime_error {
 public:
  Error(std::string where, std::string what, std::string allowed = {})
      : std::runtime_error((where.empty() ? "" : where + ": ") + what +
                           (allowed.empty() ? "" : " (allowed: " + allowed + ")")),
        where_(std::move(where)) {}
  const std::string& where() const { return where_; }

 private:
  std::string where_;
};

/// A broken promise of our own code (never of the input): an invariant that a checked run found violated.
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

}  // namespace heddle
