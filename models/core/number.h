#pragma once

// Value of an expression: an exact integer or a floating-point number.

namespace heddle {

/// Integer type that can represent all values of u64 and s64.
__extension__ using WideInteger = __int128;

struct Number {
  bool integral = true;
  WideInteger integer = 0;
  double real = 0;
  static Number of(WideInteger i) { return {true, i, static_cast<double>(i)}; }
  static Number of(double r) { return {false, 0, r}; }
};

}  // namespace heddle
