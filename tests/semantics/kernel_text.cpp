#include "kernel_text.h"

#include <sstream>

namespace heddle::semantics {

namespace {

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
  return text;
}

std::string load_text(const TableColumn& column, int offset) {
  const std::string address = ", [%in+" + std::to_string(offset) + "];\n";
  if (column.type != "pred") return "ld.global." + column.type + " %" + column.name + address;
  return "ld.global.b32 %harness_word" + address + "setp.ne.b32 %" + column.name + ", %harness_word, 0;\n";
}

std::string store_text(const TableColumn& column, int offset) {
  const std::string address = "[%out+" + std::to_string(offset) + "], ";
  if (column.type != "pred") return "st.global." + column.type + " " + address + "%" + column.name + ";\n";
  return "selp.b32 %harness_word, 1, 0, %" + column.name + ";\nst.global.b32 " + address + "%harness_word;\n";
}

/// Sets %row to the thread's index in the grid: first the threads of the first block in order, then the
/// threads of the second block, and so on.
const char* const kRowText =
    "mov.u32 %harness_word, %ctaid.z;\nmov.u32 %harness_size, %nctaid.y;\nmov.u32 %harness_part, %ctaid.y;\n"
    "mad.lo.u32 %row, %harness_word, %harness_size, %harness_part;\n"
    "mov.u32 %harness_size, %nctaid.x;\nmov.u32 %harness_part, %ctaid.x;\n"
    "mad.lo.u32 %row, %row, %harness_size, %harness_part;\n"
    "mov.u32 %harness_size, %ntid.z;\nmov.u32 %harness_part, %tid.z;\n"
    "mad.lo.u32 %row, %row, %harness_size, %harness_part;\n"
    "mov.u32 %harness_size, %ntid.y;\nmov.u32 %harness_part, %tid.y;\n"
    "mad.lo.u32 %row, %row, %harness_size, %harness_part;\n"
    "mov.u32 %harness_size, %ntid.x;\nmov.u32 %harness_part, %tid.x;\n"
    "mad.lo.u32 %row, %row, %harness_size, %harness_part;\n";

class KernelWriter {
 public:
  KernelWriter(const TableForm& form, std::string kernel, std::size_t first, std::size_t count)
      : form_(form), kernel_(std::move(kernel)), first_(first), count_(count) {}

  std::string text() {
    text_ << ".version " << form_.version << "\n.target " << form_.target << "\n.address_size "
          << form_.address_bits << "\n";
    for (const std::string& line : form_.module_lines) text_ << named(line) << "\n";
    write_head();
    write_set_up();
    write_body();
    const RecordLayout layout = layout_of(form_.outputs);
    for (std::size_t i = 0; i < form_.outputs.size(); ++i)
      text_ << store_text(form_.outputs[i], layout.offsets[i]);
    text_ << "ret;\n}\n";
    return text_.str();
  }

 private:
  std::string bits() const { return std::to_string(form_.address_bits); }
  std::string named(const std::string& line) const { return replaced(line, "$", kernel_); }

  void write_head() {
    const std::string pointer = ".param .u" + bits() + " " + kernel_;
    text_ << ".visible .entry " << kernel_ << "(" << pointer << "_in, " << pointer << "_out, " << pointer
          << "_scratch";
    for (const TableParameter& parameter : form_.parameters) text_ << ",\n" << named(parameter.declaration);
    text_ << ")\n{\n.reg .b" << bits()
          << " %in, %out, %scratch;\n.reg .b32 %row, %harness_word, %harness_size, "
             "%harness_part;\n";
    if (!form_.immediates.empty()) text_ << ".reg .pred %harness_outside;\n";
    for (const auto* columns : {&form_.inputs, &form_.outputs}) {
      for (const TableColumn& column : *columns)
        text_ << ".reg ." << column.type << " %" << column.name << ";\n";
    }
    for (const std::string& line : form_.declarations) text_ << named(line) << "\n";
  }

  void write_set_up() {
    text_ << kRowText;
    const RecordLayout inputs = layout_of(form_.inputs);
    write_pointer("in", inputs.bytes);
    write_pointer("out", layout_of(form_.outputs).bytes);
    write_pointer("scratch", form_.scratch_bytes);
    for (std::size_t i = 0; i < form_.inputs.size(); ++i)
      text_ << load_text(form_.inputs[i], inputs.offsets[i]);
  }

  void write_pointer(const std::string& name, int stride) {
    const char* const product = form_.address_bits == 32 ? "mad.lo.u32 %" : "mad.wide.u32 %";
    text_ << "ld.param.u" << bits() << " %" << name << ", [" << kernel_ << "_" << name << "];\n"
          << "cvta.to.global.u" << bits() << " %" << name << ", %" << name << ";\n"
          << product << name << ", %row, " << stride << ", %" << name << ";\n";
  }

  /// Writes a copy of the body for each group of consecutive rows with the same immediates. Only the rows of
  /// the group execute the copy.
  void write_body() {
    if (form_.immediates.empty()) return write_copy({}, 0);
    std::size_t begin = first_;
    for (std::size_t number = 0; begin < first_ + count_; ++number) {
      const std::vector<std::string>& immediates = form_.rows[begin].immediates;
      std::size_t end = begin + 1;
      while (end < first_ + count_ && form_.rows[end].immediates == immediates) ++end;
      const std::string skip = kernel_ + "_skip_" + std::to_string(number);
      text_ << "sub.u32 %harness_word, %row, " << begin - first_
            << ";\nsetp.ge.u32 %harness_outside, %harness_word, " << end - begin
            << ";\n@%harness_outside bra " << skip << ";\n";
      write_copy(immediates, number);
      text_ << skip << ":\n";
      begin = end;
    }
  }

  void write_copy(const std::vector<std::string>& immediates, std::size_t number) {
    for (std::string line : form_.body) {
      for (std::size_t i = 0; i < immediates.size(); ++i)
        line = replaced(line, "{" + form_.immediates[i].name + "}", immediates[i]);
      text_ << named(replaced(line, "{#}", std::to_string(number))) << "\n";
    }
  }

  const TableForm& form_;
  std::string kernel_;
  std::size_t first_;
  std::size_t count_;
  std::ostringstream text_;
};

}  // namespace

RecordLayout layout_of(const std::vector<TableColumn>& columns) {
  RecordLayout layout;
  for (const TableColumn& column : columns) {
    const int bytes = column.bytes();
    layout.bytes = (layout.bytes + bytes - 1) / bytes * bytes;
    layout.offsets.push_back(layout.bytes);
    layout.bytes += bytes;
  }
  layout.bytes = (layout.bytes + 15) / 16 * 16;
  return layout;
}

std::string module_text(const TableForm& form, const std::string& kernel, std::size_t first,
                        std::size_t count) {
  return KernelWriter(form, kernel, first, count).text();
}

std::vector<std::uint8_t> input_bytes(const TableForm& form, std::size_t first, std::size_t count) {
  const RecordLayout layout = layout_of(form.inputs);
  std::vector<std::uint8_t> memory(count * static_cast<std::size_t>(layout.bytes));
  for (std::size_t row = 0; row < count; ++row) {
    for (std::size_t i = 0; i < form.inputs.size(); ++i) {
      const std::size_t base =
          row * static_cast<std::size_t>(layout.bytes) + static_cast<std::size_t>(layout.offsets[i]);
      for (int k = 0; k < form.inputs[i].bytes(); ++k)
        memory[base + static_cast<std::size_t>(k)] =
            static_cast<std::uint8_t>(form.rows[first + row].inputs[i] >> (8 * k));
    }
  }
  return memory;
}

std::uint64_t output_bits(const TableForm& form, const std::vector<std::uint8_t>& memory, std::size_t row,
                          std::size_t column) {
  const RecordLayout layout = layout_of(form.outputs);
  const std::size_t base =
      row * static_cast<std::size_t>(layout.bytes) + static_cast<std::size_t>(layout.offsets[column]);
  std::uint64_t bits = 0;
  for (int k = 0; k < form.outputs[column].bytes(); ++k)
    bits |= static_cast<std::uint64_t>(memory[base + static_cast<std::size_t>(k)]) << (8 * k);
  return bits;
}

}  // namespace heddle::semantics
