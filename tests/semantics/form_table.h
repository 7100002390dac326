#pragma once

// Reads the tables with expected results of PTX instructions (format: README.md in this folder).

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace heddle::semantics {

/// One column of a table: a PTX register `%name` that holds an input or output. For the type `imm`, the input
/// is text that replaces `{name}`.
struct TableColumn {
  std::string name;
  std::string type;  ///< PTX type: b16, b32, b64, f32, f64, pred, or imm for an immediate

  bool is_immediate() const { return type == "imm"; }
  /// returns the bytes of the column in the record of a row; a predicate takes a 32-bit word
  int bytes() const;
};

/// The value that a table row expects of an output.
struct ExpectedValue {
  bool any = false;
  std::uint64_t low = 0;
  /// upper end of the expected interval of floating-point values; equal to `low` for a single value
  std::uint64_t high = 0;

  bool admits(std::uint64_t bits, const std::string& type) const;
  std::string text() const;
};

struct TableRow {
  int line = 0;
  /// input values of the row, one for each column that is not an immediate
  std::vector<std::uint64_t> inputs;
  std::vector<std::string> immediates;  ///< texts of the row, one for each `imm` column
  std::vector<ExpectedValue> outputs;
};

/// An additional kernel parameter of a table entry: its bytes at launch, and its PTX declaration.
struct TableParameter {
  std::vector<std::uint8_t> bytes;
  std::string declaration;
};

/// One entry of a table: a piece of PTX, its columns and its rows.
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
  std::vector<TableColumn> inputs;  ///< input columns without immediates
  std::vector<TableColumn> immediates;
  std::vector<TableColumn> outputs;
  std::vector<TableParameter> parameters;
  int address_bits = 64;
  int scratch_bytes = 0;
  std::array<unsigned, 3> grid{1, 1, 1};
  std::array<unsigned, 3> block{0, 1, 1};  ///< threads per block; x is 0 until the number of rows is known
  /// if not empty, every row of the entry must end in an error whose text contains this word
  std::string error;
  std::vector<TableRow> rows;
};

/// A file of table entries. If `narrow` is true, only its entries with addresses count. They are changed to
/// 32-bit addresses: address registers, and the instructions that compute addresses, have 32 bits.
struct Table {
  std::filesystem::path file;
  bool narrow = false;
  /// returns the name of the table file, with "_32" if `narrow` is true
  std::string name() const;
};

/// Reads a table. Throws std::runtime_error with file and line if the text violates the format.
std::vector<TableForm> read_table(const Table& table);

/// Returns all .tbl files of a folder, sorted by name. If a table uses addresses, its narrow form follows the
/// table.
std::vector<Table> tables_of(const std::filesystem::path& folder);

/// Returns the lines of a file that are neither empty nor comments.
std::vector<std::string> read_lines(const std::filesystem::path& path);

}  // namespace heddle::semantics
