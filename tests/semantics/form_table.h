#pragma once

// Reads the tables of PTX semantics (format: README.md in this folder).

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace heddle::semantics {

/// A register `%name` that holds an input or output. For the type `imm`, the input is text that replaces
/// `{name}`.
struct TableColumn {
  std::string name;
  std::string type;  ///< b16, b32, b64, f32, f64, pred or imm

  bool is_immediate() const { return type == "imm"; }
  /// bytes in the record of a row; a predicate is a 32-bit word
  int bytes() const;
};

/// The value that a row expects of an output.
struct ExpectedValue {
  bool any = false;
  std::uint64_t low = 0;
  std::uint64_t high = 0;  ///< equal to `low` unless the row expects an interval of floating-point values

  bool admits(std::uint64_t bits, const std::string& type) const;
  std::string text() const;
};

struct TableRow {
  int line = 0;
  std::vector<std::uint64_t> inputs;    ///< one for each column that is not an immediate
  std::vector<std::string> immediates;  ///< one for each `imm` column
  std::vector<ExpectedValue> outputs;
};

/// An additional kernel parameter: its bytes at launch and its declaration.
struct TableParameter {
  std::vector<std::uint8_t> bytes;
  std::string declaration;
};

/// One entry: a snippet of PTX, its columns and its rows.
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
  std::vector<TableColumn> inputs;  ///< immediates excluded
  std::vector<TableColumn> immediates;
  std::vector<TableColumn> outputs;
  std::vector<TableParameter> parameters;
  int address_bits = 64;
  int scratch_bytes = 0;
  std::array<unsigned, 3> grid{1, 1, 1};
  std::array<unsigned, 3> block{0, 1, 1};  ///< x = 0 until the rows are known
  std::string error;  ///< if not empty, every row must end in an error whose text contains this word
  std::vector<TableRow> rows;
};

/// A file of entries. If `narrow`, only its entries with addresses, changed to 32-bit addresses: the
/// registers of addresses and the instructions that compute them have 32 bits.
struct Table {
  std::filesystem::path file;
  bool narrow = false;
  /// name of the file, with "_32" if narrow
  std::string name() const;
};

/// Throws std::runtime_error with file and line if the text breaks the format.
std::vector<TableForm> read_table(const Table& table);

/// Returns all .tbl files of a folder, sorted by name. The narrow form of a table with addresses follows the
/// table.
std::vector<Table> tables_of(const std::filesystem::path& folder);

/// Returns the lines that are neither empty nor comments.
std::vector<std::string> read_lines(const std::filesystem::path& path);

}  // namespace heddle::semantics
