#pragma once

// Turns an entry of a table into a PTX module with one kernel, one thread for each row.

#include <cstdint>
#include <string>
#include <vector>

#include "form_table.h"

namespace heddle::semantics {

/// Initial value of every output byte, so that a missing store is found.
inline constexpr std::uint8_t kUntouchedByte = 0xa5;

/// Offsets of columns in a row's record: natural alignment, in order; the record's size is a multiple of 16.
struct RecordLayout {
  std::vector<int> offsets;
  int bytes = 0;
};

RecordLayout layout_of(const std::vector<TableColumn>& columns);

/// Returns the module: `.version`, `.target`, the entry's module lines, and `kernel`. The kernel has the
/// parameters `in`, `out` and `scratch` (addresses, u64), then the entry's own. Rows `first` to `first +
/// count - 1` run, so that one row can run alone.
std::string module_text(const TableForm& form, const std::string& kernel, std::size_t first,
                        std::size_t count);

/// Returns the inputs of these rows in the layout that the kernel reads.
std::vector<std::uint8_t> input_bytes(const TableForm& form, std::size_t first, std::size_t count);

/// Returns the bits of an output column from the record of a row.
std::uint64_t output_bits(const TableForm& form, const std::vector<std::uint8_t>& memory, std::size_t row,
                          std::size_t column);

}  // namespace heddle::semantics
