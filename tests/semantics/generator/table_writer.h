#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "words.h"

namespace heddle::semantics {

/// A column: a register `%name` of PTX type b16, b32, b64, f32, f64 or pred. For the type `imm`, a text that
/// replaces `{name}` in the PTX.
struct Column {
  std::string name;
  std::string type;
};

class Expected {
 public:
  Expected(std::uint64_t bits) : low_(bits), high_(bits) {}  // NOLINT: a plain value is the usual case
  static Expected between(std::uint64_t low, std::uint64_t high);
  static Expected any();
  std::string text(const std::string& type) const;

 private:
  std::uint64_t low_;
  std::uint64_t high_;
  bool any_ = false;
};

/// Builds one entry of a table: a piece of PTX with its columns and rows.
class FormWriter {
 public:
  explicit FormWriter(std::string name) : name_(std::move(name)) {}

  FormWriter& covers(const std::string& form);
  FormWriter& ptx(const std::string& version, const std::string& target);
  FormWriter& in(const std::string& name, const std::string& type);
  FormWriter& out(const std::string& name, const std::string& type);
  /// Add a line of PTX: at module level, at the beginning of the kernel, or in its body. `$` in the line
  /// stands for the kernel's name.
  FormWriter& module(const std::string& line);
  FormWriter& declare(const std::string& line);
  FormWriter& body(const std::string& line);
  /// Adds a kernel parameter. `bytes`: bytes of the parameter at launch, in hexadecimal. `declaration`: PTX
  /// declaration of the parameter, with the name `$_x`.
  FormWriter& param(const std::string& bytes, const std::string& declaration);
  FormWriter& scratch(int bytes);
  FormWriter& shape(const std::string& grid, const std::string& block);
  FormWriter& error(const std::string& word);

  void row(const Words& inputs, const std::vector<Expected>& outputs);
  void row_text(const std::vector<std::string>& inputs, const std::vector<Expected>& outputs);

  const std::vector<Column>& inputs() const { return inputs_; }
  /// Returns the entry in the format of README.md. Throws std::logic_error if the entry contradicts itself.
  std::string text() const;

 private:
  void check() const;

  std::string name_;
  std::vector<std::string> covers_;
  std::vector<std::string> directives_;
  std::vector<std::string> code_;
  std::vector<Column> inputs_;
  std::vector<Column> outputs_;
  std::vector<std::string> rows_;
};

class TableWriter {
 public:
  TableWriter(const std::string& folder, const std::string& name, const std::string& title);
  ~TableWriter();
  TableWriter(const TableWriter&) = delete;
  TableWriter& operator=(const TableWriter&) = delete;

  void add(const FormWriter& form);

 private:
  std::string path_, text_;
};

std::string hex(std::uint64_t bits, const std::string& type);
int width_of(const std::string& type);

/// One instruction with its output column and the function that computes the expected value. By default, the
/// operands of the instruction are all inputs in order.
struct Pointwise {
  std::string form;
  std::string column;
  std::string type;
  std::function<Expected(const Words&)> value;
  std::string operands = {};
};

void add_pointwise(TableWriter& table, FormWriter form, const std::vector<Pointwise>& instructions,
                   const std::vector<Words>& rows);

}  // namespace heddle::semantics
