#pragma once

// Reads the tables with expected results of PTX instructions (format: README.md).

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace heddle::semantics {

/// A column of a table entry. A column is a PTX register `%name` for an input or output. A column of the type
/// `imm` is a text that replaces `{name}` in the PTX.
struct TableColumn {
  std::string name;
  std::string type;

  bool is_immediate() const { return type == "imm"; }
  int bytes() const;
};

struct ExpectedValue {
  bool any = false;
  std::uint64_t low = 0;
  /// upper end of an interval; equal to `low` for a single value
  std::uint64_t high = 0;

  bool admits(std::uint64_t bits, const std::string& type) const;
  std::string text() const;
};

struct TableRow {
  int line = 0;
  std::vector<std::uint64_t> inputs;
  std::vector<std::string> immediates;
  std::vector<ExpectedValue> outputs;
};

struct TableParameter {
  std::vector<std::uint8_t> bytes;
  std::string declaration;
};

struct TableForm {
  std::string file;
  int line = 0;
  std::string name;
  std::vector<std::string> covers;
  std::string version = "7.8";
  std::string target = "sm_75";
  std::vector<std::string> module_lines;
  std::vector<std::string> declarations;
  std::vector<std::string> body;
  std::vector<TableColumn> inputs;
  std::vector<TableColumn> immediates;
  std::vector<TableColumn> outputs;
  std::vector<TableParameter> parameters;
  int address_bits = 64;
  int scratch_bytes = 0;
  std::array<unsigned, 3> grid{1, 1, 1};
  std::array<unsigned, 3> block{0, 1, 1};  ///< threads per block; x is 0 until the number of rows is known
  /// if not empty, every row ends in an error that contains this word
  std::string error;
  std::vector<TableRow> rows;
};

/// A file of table entries. If `narrow` is true, the table has only those entries of the file that use
/// addresses, changed to 32-bit addresses.
struct Table {
  std::filesystem::path file;
  bool narrow = false;
  std::string name() const;
};

/// Reads a table. Throws std::runtime_error with file and line if the text violates the format.
std::vector<TableForm> read_table(const Table& table);

/// Returns all .tbl files, sorted by name. If a table has addresses, its version with 32-bit addresses
/// (narrow) comes after it.
std::vector<Table> tables_of(const std::filesystem::path& folder);

std::vector<std::string> read_lines(const std::filesystem::path& path);

}  // namespace heddle::semantics
