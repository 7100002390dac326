#include "testbench/output/csv_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "models/core/error.h"

namespace heddle::output {
namespace {

// Splits CSV text. A field in quotes may hold commas, line breaks, and quotes written as "".
std::vector<std::vector<std::string>> records_of(const std::string& text, const std::string& file) {
  std::vector<std::vector<std::string>> records;
  std::vector<std::string> record(1);
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"') {
      record.back() += text[++i];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && c == ',') {
      record.emplace_back();
    } else if (!quoted && c == '\n') {
      records.push_back(std::exchange(record, std::vector<std::string>(1)));
    } else {
      record.back() += c;
    }
  }
  if (quoted) throw Error(file, "a quote without its end");
  if (record.size() > 1 || !record[0].empty()) records.push_back(std::move(record));
  return records;
}

}  // namespace

std::size_t CsvTable::column(std::string_view heading) const {
  return static_cast<std::size_t>(std::find(headings.begin(), headings.end(), heading) - headings.begin());
}

double CsvTable::number(std::size_t row, std::size_t column) const {
  if (column >= headings.size()) return 0;
  const std::string& text = rows[row][column];
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  return read.ec == std::errc{} ? value : 0;
}

CsvTable read_csv(const std::string& text, const std::string& file) {
  CsvTable table;
  table.rows = records_of(text, file);
  if (table.rows.empty()) throw Error(file, "an empty table");
  table.headings = std::move(table.rows.front());
  table.rows.erase(table.rows.begin());
  for (std::size_t i = 0; i < table.rows.size(); ++i)
    if (table.rows[i].size() != table.headings.size())
      throw Error(fmt::format("{}:{}", file, i + 2), fmt::format("{} fields", table.rows[i].size()),
                  fmt::format("{}, as in the first line", table.headings.size()));
  return table;
}

}  // namespace heddle::output
