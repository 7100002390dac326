#pragma once

// Text of the files from which a program was made: the CUDA sources that the PTX names, and the PTX itself.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "models/isa/program.h"

namespace heddle::output {

/// Returns the path of the source file of a location, as the PTX states it.
std::string source_name(const isa::Program& program, const isa::SourceLocation& location);
/// Returns the name of the source file without its folder, and the line, such as "bfs.cu:12". Empty if the
/// location has no line.
std::string short_place(const isa::Program& program, const isa::SourceLocation& location);

class SourceText {
 public:
  explicit SourceText(const isa::Program& program) : program_(program) {}

  /// Returns a line of a source file; empty if the file cannot be read. A relative path is relative to the
  /// folder of the PTX file.
  const std::string& source(std::uint32_t file, std::uint32_t line);
  const std::string& ptx(std::uint32_t line) { return line_of(program_.file, line); }
  /// Returns the number of lines of a source file; 0 if the file cannot be read.
  std::size_t lines(std::uint32_t file);

 private:
  std::string path_of(std::uint32_t file) const;
  const std::vector<std::string>& file_at(const std::string& path);
  const std::string& line_of(const std::string& path, std::uint32_t line);

  const isa::Program& program_;
  std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace heddle::output
