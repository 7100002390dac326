#pragma once

// Reader of the tables of PTX semantics (format: README.md in this folder).

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace heddle::semantics {

/// A register `%name` that holds an input or output; `imm` inputs are text put in place of `{name}`.
struct TableColumn {
  std::string name;
  std::string type;  ///< b16, b32, b64, f32, f64, pred or imm

  bool is_immediate() const { return type == "imm"; }
  /// Bytes it takes in the record of a row: a predicate is a 32-bit word.
  int bytes() const;
};

/// Promise of a row for an output.
struct ExpectedValue {
  bool any = false;
  std::uint64_t low = 0;
  std::uint64_t high = 0;  ///< differs from `low` for an interval of floating-point values

  bool admits(std::uint64_t bits, const std::string& type) const;
  std::string text() const;
};

struct TableRow {
  int line = 0;
  std::vector<std::uint64_t> inputs;    ///< one a column that is no immediate
  std::vector<std::string> immediates;  ///< one an `imm` column
  std::vector<ExpectedValue> outputs;
};

/// An extra kernel parameter: bytes at launch and declaration.
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
  std::string error;  ///< not empty: every row must end in an error whose text has this word
  std::vector<TableRow> rows;
};

/// A file of entries as they stand there; or, `narrow`, its entries with addresses, for 32-bit addresses: registers of
/// addresses and what computes them have 32 bits.
struct Table {
  std::filesystem::path file;
  bool narrow = false;
  /// That of the file, with "_32" if narrow.
  std::string name() const;
};

/// Throws std::runtime_error with file and line where the text breaks the format.
std::vector<TableForm> read_table(const Table& table);

/// All .tbl files of a folder, sorted by name; a table that depends on addresses is followed by its narrow
/// one.
std::vector<Table> tables_of(const std::filesystem::path& folder);

/// Lines that are neither empty nor comments.
std::vector<std::string> read_lines(const std::filesystem::path& path);

}  // namespace heddle::semantics
