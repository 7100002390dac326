#pragma once

// Error types of Heddle: for errors in the user's input and for errors in Heddle's own code.

#include <stdexcept>
#include <string>
#include <utility>

namespace heddle {

/// An error in the user's input. `where`: file with line (and column), or configuration key. `what`: the
/// problem. `allowed`: what is allowed instead; may be empty. The program prints `error: WHERE: WHAT
/// (allowed: ALLOWED)` on one line and exits with status 1.
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

/// An error in Heddle's own code: a check found that an invariant does not hold.
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

}  // namespace heddle
