#include "testbench/cosim/stimuli.h"

#include <fmt/format.h>

#include <iterator>

#include "models/core/error.h"

namespace heddle::cosim {

StimulusFile::StimulusFile(const std::string& path, const std::string& module,
                           const std::vector<Column>& columns, std::uint64_t max_lines)
    : path_(path), file_(path, std::ios::binary), lines_left_(max_lines) {
  if (!file_) throw Error(path, "cannot write this file");
  text_ = module;
  for (const Column& column : columns) text_ += fmt::format(" {}{}", column.output ? "=" : "", column.name);
  text_ += '\n';
}

void StimulusFile::line(std::span<const std::uint64_t> values) {
  if (lines_left_ == 0) return;
  --lines_left_;
  for (std::size_t i = 0; i < values.size(); ++i)
    fmt::format_to(std::back_inserter(text_), "{}{:x}", i ? " " : "", values[i]);
  text_ += '\n';
  if (text_.size() < (1 << 16)) return;
  file_ << text_;
  text_.clear();
}

void StimulusFile::finish() {
  file_ << text_;
  text_.clear();
  file_.close();
  if (!file_) throw Error(path_, "cannot write this file");
}

}  // namespace heddle::cosim
