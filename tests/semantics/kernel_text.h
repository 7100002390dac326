#pragma once

// Turns an entry of a semantics table into a PTX kernel. The kernel has one thread for each row of the entry.

#include <cstdint>
#include <string>
#include <vector>

#include "form_table.h"

namespace heddle::semantics {

/// Initial value of every output byte. From it, a test detects that a store is missing.
inline constexpr std::uint8_t kUntouchedByte = 0xa5;

/// Layout of a row's inputs or outputs in memory (its record): the byte offset of each column. Columns are in
/// order and naturally aligned. The size of a record is a multiple of 16.
struct RecordLayout {
  std::vector<int> offsets;
  int bytes = 0;
};

RecordLayout layout_of(const std::vector<TableColumn>& columns);

/// Returns a PTX module for a table entry (`form`): `.version`, `.target`, the entry's module lines, and the
/// kernel. The kernel's parameters are `in`, `out`, `scratch` (64-bit addresses) and the parameters of the
/// entry. The kernel runs the entry's rows `first` to `first + count - 1`.
std::string module_text(const TableForm& form, const std::string& kernel, std::size_t first,
                        std::size_t count);

std::vector<std::uint8_t> input_bytes(const TableForm& form, std::size_t first, std::size_t count);

std::uint64_t output_bits(const TableForm& form, const std::vector<std::uint8_t>& memory, std::size_t row,
                          std::size_t column);

}  // namespace heddle::semantics
