#pragma once

// Turns an entry of a semantics table into a PTX module with one kernel, which has one thread for each row.

#include <cstdint>
#include <string>
#include <vector>

#include "form_table.h"

namespace heddle::semantics {

/// Initial value of every output byte, so that a test finds a missing store.
inline constexpr std::uint8_t kUntouchedByte = 0xa5;

/// Byte offsets of the columns in the record of a row. Columns have natural alignment and keep their order.
/// The size of a record is a multiple of 16.
struct RecordLayout {
  std::vector<int> offsets;
  int bytes = 0;
};

RecordLayout layout_of(const std::vector<TableColumn>& columns);

/// Returns the PTX module: `.version`, `.target`, the module lines of the entry, and the kernel. The kernel
/// has the parameters `in`, `out` and `scratch` (64-bit addresses), then the parameters of the entry. The
/// kernel runs the rows `first` to `first + count - 1`, so that one row can also run alone.
std::string module_text(const TableForm& form, const std::string& kernel, std::size_t first,
                        std::size_t count);

/// Returns the input bytes of these rows in the layout that the kernel reads.
std::vector<std::uint8_t> input_bytes(const TableForm& form, std::size_t first, std::size_t count);

/// Returns the bits of an output column from the record of a row.
std::uint64_t output_bits(const TableForm& form, const std::vector<std::uint8_t>& memory, std::size_t row,
                          std::size_t column);

}  // namespace heddle::semantics
