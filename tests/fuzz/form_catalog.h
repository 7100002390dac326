#pragma once

// Lists, in the spelling of PTX, the register instructions that random programs use.

#include <vector>

namespace heddle::fuzz {

/// An entry of the list. `mnemonic`: PTX name with alternatives, such as "add(.rn|.rz|).f32". `operands`: the
/// destination, then the sources, one letter for each:
///   h, w, d, f, g, p: register of 16, 32 or 64 bits, f32, f64, predicate
///   H, W, D, F, G, P: the same register, or a constant
///   !: predicate, possibly negated
///   |: the destination before the | may have a second predicate ("w|p")
///   L: a constant of 8 bits
struct CatalogForm {
  const char* mnemonic;
  const char* operands;
};

const std::vector<CatalogForm>& form_catalog();

}  // namespace heddle::fuzz
