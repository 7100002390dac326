#pragma once

// A number of an expression: an integer that stays exact, or a number with a fraction.

namespace heddle {

/// Wide enough for every u64 and s64.
__extension__ using WideInteger = __int128;

struct Number {
  bool integral = true;
  WideInteger integer = 0;
  double real = 0;  ///< valid for both
  static Number of(WideInteger i) { return {true, i, static_cast<double>(i)}; }
  static Number of(double r) { return {false, 0, r}; }
};

}  // namespace heddle
