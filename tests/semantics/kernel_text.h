#pragma once

// Turns an entry of a table into a PTX module with one kernel, a thread a row.

#include <cstdint>
#include <string>
#include <vector>

#include "form_table.h"

namespace heddle::semantics {

/// Initial value of every output, so that a missing store shows.
inline constexpr std::uint8_t kUntouchedByte = 0xa5;

/// Offsets of columns in a row's record: natural alignment, in order; the record's size is a multiple of 16.
struct RecordLayout {
  std::vector<int> offsets;
  int bytes = 0;
};

RecordLayout layout_of(const std::vector<TableColumn>& columns);

/// The module: `.version`, `.target`, the entry's module lines, and `kernel` with the parameters `in`, `out`
/// and `scratch` (addresses, u64) and then the entry's own. `first` and `count` choose the rows that run, so
/// that one can run alone.
std::string module_text(const TableForm& form, const std::string& kernel, std::size_t first,
                        std::size_t count);

/// The inputs of these rows as the kernel reads them.
std::vector<std::uint8_t> input_bytes(const TableForm& form, std::size_t first, std::size_t count);

/// An output column's bits in the record of a row.
std::uint64_t output_bits(const TableForm& form, const std::vector<std::uint8_t>& memory, std::size_t row,
                          std::size_t column);

}  // namespace heddle::semantics
