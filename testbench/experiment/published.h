#pragma once

// Numbers that the papers print (configs/published.json). Reports show them next to measured values. No model
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
  /// For a share of energy, power or area, the whole to which it refers: "gpu", "sm", "register file" or
  /// "units". If the value is a list: one whole for each item, or a single one for all items. Empty if the
  /// value is no such share.
  std::vector<std::string> of;
  ConfigNode value;

  std::size_t items() const { return value.is_array() ? value.items.size() : 1; }
  /// Returns one number of a published list; with item -1, the whole list.
  std::string text(int item) const;
  /// Returns the whole to which number `item` of the list refers, such as "gpu". Empty if the number is no
  /// share of energy, power or area. Item -1: the whole of all numbers; empty if each has its own.
  std::string share_of(int item) const;
  /// Returns a number with its unit and, if it is a share, with the whole, such as "31.1 % (of the GPU)".
  std::string with_unit(int item) const;
};

/// Returns true if numbers in units `a` and `b` may be subtracted. Shares ("% of reads", "points") may be
/// subtracted from shares, but not from counts.
bool in_one_unit(const std::string& a, const std::string& b);

/// Type of JSON keys that name the whole to which a share of energy, power or area refers.
std::string whole_type();
/// Reads such a whole, for example "gpu" or "units". Returns an empty text for null. Throws Error for a whole
/// that is not allowed.
std::string read_whole(const ConfigNode& node);

class Published {
 public:
  static Published read();
  /// Reads the text of a file like configs/published.json.
  static Published read_text(const std::string& text);

  /// Returns a published figure. Throws Error, which names `where`, for an unknown id.
  const PublishedFigure& get(const std::string& id, const std::string& where) const;

  /// Checks the published figures that an experiment shows. Throws Error in three cases: the experiment shows
  /// an unknown id; the experiment does not show an id that its key "covers" names; a figure shows a share of
  /// one whole next to a published share of another whole.
  void check(const ExperimentFile& file) const;

 private:
  explicit Published(const ConfigNode& root);
  void check_place(const PublishedPlace& place) const;
  void check_shares(const ExperimentFile& file) const;

  std::map<std::string, PublishedFigure> figures_;
};

}  // namespace heddle::experiment
