#pragma once

// Figures printed in the papers (configs/published.json). Reports show them next to measured values. No model
// parameter is fitted to them.

#include <map>
#include <string>
#include <vector>

#include "models/core/config_node.h"
#include "testbench/experiment/experiment_file.h"

namespace heddle::experiment {

struct PublishedFigure {
  std::string id;
  std::string paper;  ///< short name of the paper, such as "Abdel-Majeed 2016"
  std::string where;  ///< place in the paper, such as "3.6.3, Fig. 3.8"
  std::string metric, unit, note;
  ConfigNode value;

  std::size_t items() const { return value.is_array() ? value.items.size() : 1; }
  /// Returns one number of a published list, or the whole list (item -1).
  std::string text(int item) const;
};

/// Returns true if a number in unit `a` may be subtracted from a number in unit `b`. Shares ("% of reads",
/// "points") may be subtracted from shares, not from counts.
bool in_one_unit(const std::string& a, const std::string& b);

class Published {
 public:
  static Published read();

  /// Throws Error, which names `where`, for an unknown id.
  const PublishedFigure& get(const std::string& id, const std::string& where) const;

  /// Throws Error if the experiment shows an unknown id, or does not show an id that its key "covers" names.
  void check(const ExperimentFile& file) const;

 private:
  void check_place(const PublishedPlace& place) const;

  std::string file_;
  std::map<std::string, PublishedFigure> figures_;
};

}  // namespace heddle::experiment
