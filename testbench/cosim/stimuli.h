#pragma once

// Records a block's inputs and outputs in every cycle. `heddle rtl` replays them on the block's gate-level
// netlist. The file is text; its columns have names and hexadecimal values.

#include <cstdint>
#include <fstream>
#include <span>
#include <string>
#include <vector>

namespace heddle::cosim {

struct Column {
  std::string name;
  bool output = false;
};

class StimulusFile {
 public:
  /// Creates the file. Throws Error if this fails.
  StimulusFile(const std::string& path, const std::string& module, const std::vector<Column>& columns,
               std::uint64_t max_lines);
  void line(std::span<const std::uint64_t> values);
  void finish();

 private:
  std::string path_;
  std::ofstream file_;
  std::string text_;
  std::uint64_t lines_left_;
};

}  // namespace heddle::cosim
