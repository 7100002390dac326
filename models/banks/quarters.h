#pragma once

// Quarters of a row. If the port of a collector is divided into slices, each slice receives one quarter
// (Radaideh 2021, IV-B4).

namespace heddle {

/// Returns the quarters of a row (bits 0 to 3) that the sub-banks `sub_banks` overlap. `count`: number of
/// sub-banks of a row: 2, 4 or 8.
constexpr unsigned quarters_of(unsigned sub_banks, int count) {
  unsigned quarters = 0;
  for (int eighth = 0; eighth < 8; ++eighth)
    if (sub_banks >> eighth * count / 8 & 1) quarters |= 1u << eighth / 2;
  return quarters;
}

}  // namespace heddle
