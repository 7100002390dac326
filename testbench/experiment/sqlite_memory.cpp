#include "testbench/experiment/sqlite_memory.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <cmath>

#include "models/core/error.h"

namespace heddle::experiment {
namespace {

std::string quoted(std::string_view text, char quote) {
  std::string out(1, quote);
  for (const char c : text) out.append(c == quote ? 2 : 1, c);
  return out + quote;
}

}  // namespace

std::string sql_name(std::string_view name) { return quoted(name, '"'); }
std::string sql_text(std::string_view text) { return quoted(text, '\''); }

SqliteMemory::SqliteMemory() {
  check(sqlite3_open(":memory:", &database_));
  execute("begin");
}

SqliteMemory::~SqliteMemory() { sqlite3_close(database_); }

void SqliteMemory::check(int status) const {
  if (status == SQLITE_OK || status == SQLITE_DONE) return;
  throw InternalError(
      fmt::format("SQLite: {}", database_ ? sqlite3_errmsg(database_) : sqlite3_errstr(status)));
}

void SqliteMemory::execute(const std::string& sql) {
  check(sqlite3_exec(database_, sql.c_str(), nullptr, nullptr, nullptr));
}

std::string SqliteMemory::bytes() {
  execute("commit");
  sqlite3_int64 size = 0;
  const std::unique_ptr<unsigned char, decltype(&sqlite3_free)> copy(
      sqlite3_serialize(database_, "main", &size, 0), &sqlite3_free);
  execute("begin");
  if (!copy) throw InternalError("SQLite: no memory for the database");
  return {reinterpret_cast<const char*>(copy.get()), static_cast<std::size_t>(size)};
}

SqliteMemory::Rows::Rows(SqliteMemory& database, const std::string& table, int columns)
    : database_(database) {
  std::string places = "?";
  for (int i = 1; i < columns; ++i) places += ", ?";
  const std::string sql = fmt::format("insert into {} values ({})", sql_name(table), places);
  check(sqlite3_prepare_v2(database_.database_, sql.c_str(), -1, &statement_, nullptr));
}

SqliteMemory::Rows::~Rows() { sqlite3_finalize(statement_); }

void SqliteMemory::Rows::check(int status) const { database_.check(status); }

SqliteMemory::Rows& SqliteMemory::Rows::text(std::string_view value) {
  check(sqlite3_bind_text(statement_, ++at_, value.data(), static_cast<int>(value.size()), SQLITE_TRANSIENT));
  return *this;
}
SqliteMemory::Rows& SqliteMemory::Rows::text_or_null(std::string_view value) {
  return value.empty() ? null() : text(value);
}
SqliteMemory::Rows& SqliteMemory::Rows::integer(long long value) {
  check(sqlite3_bind_int64(statement_, ++at_, value));
  return *this;
}
SqliteMemory::Rows& SqliteMemory::Rows::real(std::optional<double> value) {
  if (!value || std::isnan(*value)) return null();
  check(sqlite3_bind_double(statement_, ++at_, *value));
  return *this;
}
SqliteMemory::Rows& SqliteMemory::Rows::null() {
  check(sqlite3_bind_null(statement_, ++at_));
  return *this;
}

void SqliteMemory::Rows::insert() {
  check(sqlite3_step(statement_));
  check(sqlite3_reset(statement_));
  at_ = 0;
}

}  // namespace heddle::experiment
