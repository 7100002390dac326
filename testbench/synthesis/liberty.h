#pragma once

// Reads the cell areas of a Liberty library. If a LEF file of the same name in the same folder gives another
// outline of a cell, the area of this outline is used, because chips are made from the outlines in the LEF
// file. In the Liberty file of the OSU 180 nm library, three cells have wrong areas.

#include <map>
#include <string>
#include <vector>

namespace heddle::synthesis {

struct Cell {
  double area_um2 = 0;
  bool sequential = false;
};

struct AreaCorrection {
  std::string cell;
  double stated_um2 = 0, outline_um2 = 0;
};

class Liberty {
 public:
  /// Reads a Liberty file. Throws Error if the file cannot be read or has no cell.
  explicit Liberty(const std::string& file);

  const std::string& file() const { return file_; }
  const std::map<std::string, Cell>& cells() const { return cells_; }
  const std::vector<AreaCorrection>& corrections() const { return corrections_; }
  void write(const std::string& file) const;

 private:
  void read_cells();
  void correct(const std::string& lef);

  std::string file_, text_;
  std::map<std::string, Cell> cells_;
  std::vector<AreaCorrection> corrections_;
};

}  // namespace heddle::synthesis
