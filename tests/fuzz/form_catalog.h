#pragma once

// The catalogue of register instructions, in PTX spelling, that random programs use.

#include <vector>

namespace heddle::fuzz {

/// `mnemonic`: text with alternatives, "add(.rn|.rz|).f32"; each group is replaced by one of its members.
/// `operands`: the destination, then the sources, one letter each:
///   h, w, d, f, g, p: register of 16, 32, 64 bits, f32, f64, predicate
///   H, W, D, F, G, P: the same or a constant
///   !: predicate, possibly negated
///   |: the destination before it may have a second predicate ("w|p")
///   L: a constant of 8 bits
struct CatalogForm {
  const char* mnemonic;
  const char* operands;
};

const std::vector<CatalogForm>& form_catalog();

}  // namespace heddle::fuzz
