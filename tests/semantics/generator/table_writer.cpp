#include "table_writer.h"

#include <cstdio>
#include <fstream>
#include <stdexcept>

namespace heddle::semantics {

namespace {

std::string joined(const std::vector<std::string>& words, const std::string& separator) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : separator) + word;
  return text;
}

std::string columns_text(const std::string& keyword, const std::vector<Column>& columns) {
  std::string text = keyword;
  for (const Column& column : columns) text += " " + column.name + ":" + column.type;
  return text + "\n";
}

}  // namespace

int width_of(const std::string& type) {
  if (type == "pred") return 1;
  if (type == "b16") return 16;
  if (type == "b32" || type == "f32") return 32;
  if (type == "b64" || type == "f64") return 64;
  throw std::logic_error("no width for type " + type);
}

std::string hex(std::uint64_t bits, const std::string& type) {
  const int width = width_of(type);
  if (width < 64 && (bits >> width) != 0) throw std::logic_error("value too wide for " + type);
  char text[24];
  std::snprintf(text, sizeof text, "%0*llx", (width + 3) / 4, static_cast<unsigned long long>(bits));
  return text;
}

Expected Expected::between(std::uint64_t low, std::uint64_t high) {
  Expected expected(low);
  expected.high_ = high;
  return expected;
}

Expected Expected::any() {
  Expected expected(0);
  expected.any_ = true;
  return expected;
}

std::string Expected::text(const std::string& type) const {
  if (any_) return "*";
  return low_ == high_ ? hex(low_, type) : hex(low_, type) + ".." + hex(high_, type);
}

FormWriter& FormWriter::covers(const std::string& form) {
  covers_.push_back(form);
  return *this;
}

FormWriter& FormWriter::ptx(const std::string& version, const std::string& target) {
  directives_.push_back("ptx " + version + " " + target);
  return *this;
}

FormWriter& FormWriter::in(const std::string& name, const std::string& type) {
  inputs_.push_back({name, type});
  return *this;
}

FormWriter& FormWriter::out(const std::string& name, const std::string& type) {
  outputs_.push_back({name, type});
  return *this;
}

FormWriter& FormWriter::module(const std::string& line) {
  code_.push_back("module " + line);
  return *this;
}

FormWriter& FormWriter::declare(const std::string& line) {
  code_.push_back("declare " + line);
  return *this;
}

FormWriter& FormWriter::body(const std::string& line) {
  code_.push_back("body " + line);
  return *this;
}

FormWriter& FormWriter::param(const std::string& bytes, const std::string& declaration) {
  directives_.push_back("param " + bytes + " " + declaration);
  return *this;
}

FormWriter& FormWriter::scratch(int bytes) {
  directives_.push_back("scratch " + std::to_string(bytes));
  return *this;
}

FormWriter& FormWriter::shape(const std::string& grid, const std::string& block) {
  directives_.push_back("grid " + grid);
  directives_.push_back("block " + block);
  return *this;
}

FormWriter& FormWriter::error(const std::string& word) {
  directives_.push_back("error " + word);
  return *this;
}

void FormWriter::row(const Words& inputs, const std::vector<Expected>& outputs) {
  std::vector<std::string> texts;
  if (inputs.size() != inputs_.size()) throw std::logic_error(name_ + ": row with wrong number of inputs");
  for (std::size_t i = 0; i < inputs.size(); ++i) texts.push_back(hex(inputs[i], inputs_[i].type));
  row_text(texts, outputs);
}

void FormWriter::row_text(const std::vector<std::string>& inputs, const std::vector<Expected>& outputs) {
  if (inputs.size() != inputs_.size() || outputs.size() != outputs_.size())
    throw std::logic_error(name_ + ": row with wrong number of columns");
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < outputs.size(); ++i) texts.push_back(outputs[i].text(outputs_[i].type));
  rows_.push_back(joined(inputs, " ") + (inputs.empty() ? "= " : " = ") + joined(texts, " "));
}

void FormWriter::check() const {
  const std::string code = joined(code_, "\n");
  for (const std::string& form : covers_) {
    if (code.find(form + " ") == std::string::npos && code.find(form + ";") == std::string::npos)
      throw std::logic_error(name_ + " says it covers " + form + " but its code lacks it");
  }
  if (rows_.empty()) throw std::logic_error(name_ + " has no rows");
}

std::string FormWriter::text() const {
  check();
  std::string text = "form " + name_ + "\n";
  if (!covers_.empty()) text += "covers " + joined(covers_, " ") + "\n";
  for (const std::string& line : directives_) text += line + "\n";
  if (!inputs_.empty()) text += columns_text("in", inputs_);
  if (!outputs_.empty()) text += columns_text("out", outputs_);
  for (const std::string& line : code_) text += line + "\n";
  for (const std::string& line : rows_) text += line + "\n";
  return text + "\n";
}

TableWriter::TableWriter(const std::string& folder, const std::string& name, const std::string& title)
    : path_(folder + "/" + name + ".tbl"),
      text_("# " + title + ". Written by semantics-generator; the format is described in ../README.md.\n\n") {
}

void TableWriter::add(const FormWriter& form) { text_ += form.text(); }

TableWriter::~TableWriter() {
  std::ofstream file(path_);
  file << text_;
  if (!file.flush()) std::fprintf(stderr, "cannot write %s\n", path_.c_str());
}

void add_pointwise(TableWriter& table, FormWriter form, const std::vector<Pointwise>& instructions,
                   const std::vector<Words>& rows) {
  std::string all_inputs;
  for (const Column& column : form.inputs()) all_inputs += ", %" + column.name;
  for (const Pointwise& instruction : instructions) {
    const std::string operands = instruction.operands.empty() ? all_inputs : ", " + instruction.operands;
    form.covers(instruction.form).out(instruction.column, instruction.type);
    form.body(instruction.form + " %" + instruction.column + operands + ";");
  }
  for (const Words& row : rows) {
    std::vector<Expected> outputs;
    for (const Pointwise& instruction : instructions) outputs.push_back(instruction.value(row));
    form.row(row, outputs);
  }
  table.add(form);
}

}  // namespace heddle::semantics
