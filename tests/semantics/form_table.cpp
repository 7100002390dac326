#include "form_table.h"

#include <algorithm>
#include <fstream>
#include <regex>
#include <sstream>
#include <stdexcept>

namespace heddle::semantics {

namespace {

class Reader {
 public:
  explicit Reader(const std::filesystem::path& path) : file_(path.string()) {}

  std::vector<TableForm> read() {
    std::ifstream stream(file_);
    if (!stream) fail("cannot be read");
    for (std::string text; std::getline(stream, text);) {
      ++line_;
      if (!text.empty() && text[0] != '#') read_line(text);
    }
    for (TableForm& form : forms_) finish(form);
    return std::move(forms_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error(file_ + ":" + std::to_string(line_) + ": " + what);
  }

  void read_line(const std::string& text) {
    std::istringstream words(text);
    std::string keyword;
    words >> keyword;
    if (keyword == "form") {
      forms_.emplace_back();
      forms_.back().file = file_;
      forms_.back().line = line_;
      words >> forms_.back().name;
      return;
    }
    if (forms_.empty()) fail("expected `form`");
    TableForm& form = forms_.back();
    const std::string rest = text.size() > keyword.size() ? text.substr(keyword.size() + 1) : "";
    if (keyword == "covers") {
      for (std::string word; words >> word;) form.covers.push_back(word);
    } else if (keyword == "ptx") {
      words >> form.version >> form.target;
    } else if (keyword == "module") {
      form.module_lines.push_back(rest);
    } else if (keyword == "declare") {
      form.declarations.push_back(rest);
    } else if (keyword == "body") {
      form.body.push_back(rest);
    } else if (keyword == "in" || keyword == "out") {
      read_columns(words, keyword == "in");
    } else {
      read_setting(form, keyword, words, text);
    }
  }

  void read_setting(TableForm& form, const std::string& keyword, std::istringstream& words,
                    const std::string& text) {
    if (keyword == "param") {
      form.parameters.push_back(read_parameter(words));
    } else if (keyword == "address") {
      words >> form.address_bits;
    } else if (keyword == "scratch") {
      words >> form.scratch_bytes;
    } else if (keyword == "grid") {
      words >> form.grid[0] >> form.grid[1] >> form.grid[2];
    } else if (keyword == "block") {
      words >> form.block[0] >> form.block[1] >> form.block[2];
    } else if (keyword == "error") {
      words >> form.error;
    } else {
      read_row(form, text);
    }
  }

  void read_columns(std::istringstream& words, bool are_inputs) {
    TableForm& form = forms_.back();
    columns_ = are_inputs ? std::vector<TableColumn>{} : columns_;
    for (std::string word; words >> word;) {
      const std::size_t colon = word.find(':');
      if (colon == std::string::npos) fail("expected name:type");
      const TableColumn column{word.substr(0, colon), word.substr(colon + 1)};
      if (are_inputs) columns_.push_back(column);
      (!are_inputs ? form.outputs : column.is_immediate() ? form.immediates : form.inputs).push_back(column);
    }
  }

  TableParameter read_parameter(std::istringstream& words) {
    TableParameter parameter;
    std::string bytes;
    words >> bytes;
    for (std::size_t i = 0; i + 1 < bytes.size(); i += 2)
      parameter.bytes.push_back(static_cast<std::uint8_t>(read_hex(bytes.substr(i, 2))));
    std::getline(words >> std::ws, parameter.declaration);
    return parameter;
  }

  std::uint64_t read_hex(const std::string& word) const {
    std::size_t used = 0;
    try {
      const std::uint64_t value = std::stoull(word, &used, 16);
      if (used == word.size()) return value;
    } catch (const std::exception&) {
    }
    fail("`" + word + "` is no hexadecimal number");
  }

  void read_row(TableForm& form, const std::string& text) {
    std::istringstream words(text);
    TableRow row;
    row.line = line_;
    bool after_equals = false;
    std::size_t column = 0;
    const std::size_t inputs = form.inputs.size() + form.immediates.size();
    for (std::string word; words >> word;) {
      if (word == "=") {
        if (after_equals || column != inputs) fail("wrong number of inputs");
        after_equals = true;
      } else if (after_equals) {
        row.outputs.push_back(read_expected(word));
      } else {
        if (column >= inputs) fail("wrong number of inputs, or an unknown keyword");
        if (columns_[column++].is_immediate()) {
          row.immediates.push_back(word);
        } else {
          row.inputs.push_back(read_hex(word));
        }
      }
    }
    if (!after_equals || row.outputs.size() != form.outputs.size()) fail("wrong number of outputs");
    form.rows.push_back(std::move(row));
  }

  ExpectedValue read_expected(const std::string& word) const {
    ExpectedValue value;
    value.any = word == "*";
    if (value.any) return value;
    const std::size_t dots = word.find("..");
    value.low = read_hex(word.substr(0, dots));
    value.high = dots == std::string::npos ? value.low : read_hex(word.substr(dots + 2));
    return value;
  }

  void finish(TableForm& form) {
    line_ = form.line;
    if (form.rows.empty()) fail(form.name + " has no rows");
    if (form.block[0] == 0) form.block[0] = form.error.empty() ? static_cast<unsigned>(form.rows.size()) : 1;
    const std::size_t threads = std::size_t{form.grid[0]} * form.grid[1] * form.grid[2] * form.block[0] *
                                form.block[1] * form.block[2];
    if (threads != (form.error.empty() ? form.rows.size() : 1)) fail(form.name + " needs a thread a row");
  }

  std::string file_;
  int line_ = 0;
  std::vector<TableColumn> columns_;
  std::vector<TableForm> forms_;
};

/// Maps floating-point bit patterns to integers that have the same order as the values. Both zeros map to the
/// same integer.
std::int64_t ordered(std::uint64_t bits, int width) {
  const std::uint64_t sign = 1ULL << (width - 1);
  const auto magnitude = static_cast<std::int64_t>(bits & (sign - 1));
  return (bits & sign) != 0 ? -magnitude : magnitude;
}

// Changes an entry from 64-bit to 32-bit addresses. Finds addresses by two conventions: address registers
// have the same names in all entries, and a text in brackets is a memory access. Returns false if the entry
// has no addresses.
bool narrow(TableForm& form) {
  static const std::regex access("\\[[^\\]]*\\]"), width("\\.([bus])64\\b"),
      product("\\b(mul|mad)\\.wide\\b"), address("%(base|offset|generic|back|address|in|out|scratch)\\b");
  bool any = false;
  std::string code;
  for (auto* const lines : {&form.module_lines, &form.declarations, &form.body}) {
    for (std::string& line : *lines) {
      any |= lines == &form.body && std::regex_search(line, access);
      if (std::regex_search(std::regex_replace(line, access, ""), address)) {
        any = true;
        line = std::regex_replace(std::regex_replace(line, product, "$1.lo"), width, ".$0132");
      }
      code += line + "\n";
    }
  }
  for (std::string& covered : form.covers)
    if (code.find(covered + " ") == std::string::npos && covered.ends_with("64"))
      covered.replace(covered.size() - 2, 2, "32");
  form.address_bits = 32;
  return any;
}

}  // namespace

int TableColumn::bytes() const {
  if (type == "pred" || type == "b32" || type == "f32") return 4;
  if (type == "b64" || type == "f64") return 8;
  if (type == "b16") return 2;
  throw std::runtime_error("no column type " + type);
}

bool ExpectedValue::admits(std::uint64_t bits, const std::string& type) const {
  if (any) return true;
  if (low == high) return bits == low;
  const int width = type == "f64" ? 64 : 32;
  const std::uint64_t infinity = width == 64 ? 0x7ff0000000000000ULL : 0x7f800000ULL;
  if ((bits & ((1ULL << (width - 1)) - 1)) > infinity) return false;
  return ordered(low, width) <= ordered(bits, width) && ordered(bits, width) <= ordered(high, width);
}

std::string ExpectedValue::text() const {
  if (any) return "*";
  std::ostringstream stream;
  stream << std::hex << low;
  if (low != high) stream << ".." << high;
  return stream.str();
}

std::string Table::name() const { return file.stem().string() + (narrow ? "_32" : ""); }

std::vector<TableForm> read_table(const Table& table) {
  std::vector<TableForm> forms = Reader(table.file).read();
  if (table.narrow) std::erase_if(forms, [](TableForm& form) { return !narrow(form); });
  return forms;
}

std::vector<Table> tables_of(const std::filesystem::path& folder) {
  std::vector<Table> tables;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".tbl") continue;
    tables.push_back({entry.path()});
    for (const char* with_addresses : {"atomics", "loads", "moves", "stores"})
      if (entry.path().stem() == with_addresses) tables.push_back({entry.path(), true});
  }
  std::sort(tables.begin(), tables.end(), [](const Table& a, const Table& b) { return a.name() < b.name(); });
  return tables;
}

std::vector<std::string> read_lines(const std::filesystem::path& path) {
  std::ifstream stream(path);
  if (!stream) throw std::runtime_error(path.string() + ": cannot be read");
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) {
    if (!line.empty() && line[0] != '#') lines.push_back(line);
  }
  return lines;
}

}  // namespace heddle::semantics
