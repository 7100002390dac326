#pragma once

// Makes a SQLite 3 database in memory and returns it as the bytes of a file.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace heddle::experiment {

class SqliteMemory {
 public:
  /// Every function of this class throws InternalError if SQLite returns an error.
  SqliteMemory();
  ~SqliteMemory();
  SqliteMemory(const SqliteMemory&) = delete;
  SqliteMemory& operator=(const SqliteMemory&) = delete;

  void execute(const std::string& sql);
  std::string bytes();

  /// Inserts rows into a table. text(), integer(), real() and null() set the next column of the current row,
  /// and insert() adds the row to the table.
  class Rows {
   public:
    Rows(SqliteMemory& database, const std::string& table, int columns);
    ~Rows();
    Rows(const Rows&) = delete;
    Rows& operator=(const Rows&) = delete;

    Rows& text(std::string_view value);
    Rows& text_or_null(std::string_view value);
    Rows& integer(long long value);
    /// Sets the next column to NULL if `value` is empty or NaN, otherwise to `value`.
    Rows& real(std::optional<double> value);
    Rows& null();
    void insert();

   private:
    void check(int status) const;
    SqliteMemory& database_;
    sqlite3_stmt* statement_ = nullptr;
    int at_ = 0;
  };

 private:
  void check(int status) const;
  sqlite3* database_ = nullptr;
};

std::string sql_name(std::string_view name);
std::string sql_text(std::string_view text);

}  // namespace heddle::experiment
