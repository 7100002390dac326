#pragma once

// Figures that the papers publish (configs/published.json). Reports show them next to measured values. No
// model parameter is fitted to these figures.

#include <map>
#include <string>
#include <vector>

#include "models/core/config_node.h"
#include "testbench/experiment/experiment_file.h"

namespace heddle::experiment {

struct PublishedFigure {
  std::string id;
  std::string paper;  ///< "Abdel-Majeed 2016"
  std::string where;  ///< "3.6.3, Fig. 3.8"
  std::string metric, unit, note;
  ConfigNode value;  ///< a number, or a list

  std::size_t items() const { return value.is_array() ? value.items.size() : 1; }
  /// Returns one item of a list as text, or all items (item -1).
  std::string text(int item) const;
};

/// Returns true if numbers in these two units may be subtracted. Shares ("% of reads", "points") may be
/// subtracted from shares, but not from counts.
bool in_one_unit(const std::string& a, const std::string& b);

class Published {
 public:
  /// Reads configs/published.json. Throws Error.
  static Published read();

  /// Throws Error, which names `where`, for an unknown id.
  const PublishedFigure& get(const std::string& id, const std::string& where) const;

  /// Throws Error if a place in the experiment file names an id that is not published. Also throws Error if
  /// the file covers an id but gives it no place.
  void check(const ExperimentFile& file) const;

 private:
  void check_place(const PublishedPlace& place) const;

  std::string file_;
  std::map<std::string, PublishedFigure> figures_;
};

}  // namespace heddle::experiment
