#include "testbench/output/source_text.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

namespace heddle::output {

std::string source_name(const isa::Program& program, const isa::SourceLocation& location) {
  return location.file < program.files.size() && !program.files[location.file].empty()
             ? program.files[location.file]
             : fmt::format("file {}", location.file);
}

std::string short_place(const isa::Program& program, const isa::SourceLocation& location) {
  if (location.line == 0) return "";
  const std::string name = source_name(program, location);
  return fmt::format("{}:{}", name.substr(name.rfind('/') + 1), location.line);
}

const std::string& SourceText::source(std::uint32_t file, std::uint32_t line) {
  return line_of(path_of(file), line);
}

std::size_t SourceText::lines(std::uint32_t file) { return file_at(path_of(file)).size(); }

std::string SourceText::path_of(std::uint32_t file) const {
  if (file >= program_.files.size()) return {};
  const std::filesystem::path path = program_.files[file];
  return path.is_relative() ? (std::filesystem::path(program_.file).parent_path() / path).string()
                            : path.string();
}

const std::vector<std::string>& SourceText::file_at(const std::string& path) {
  const auto [known, is_new] = files_.try_emplace(path);
  if (!is_new) return known->second;
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return known->second;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) known->second.push_back(line);
  return known->second;
}

const std::string& SourceText::line_of(const std::string& path, std::uint32_t line) {
  static const std::string none;
  const std::vector<std::string>& lines = file_at(path);
  return line == 0 || line > lines.size() ? none : lines[line - 1];
}

}  // namespace heddle::output
