#pragma once

// The runs of an experiment: every variant of every kernel, and every value of every sweep, each with its
// effective configuration. Equal configurations are one run, however many places name them.

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "testbench/experiment/experiment_file.h"
#include "testbench/run/inputs.h"

namespace heddle::experiment {

/// Positions in the lists of an ExperimentFile; sweep -1: outside of all sweeps.
struct Place {
  int variant = 0, sweep = -1, value = -1, kernel = 0;
  auto key() const { return std::tie(sweep, value, variant, kernel); }
  bool operator<(const Place& other) const { return key() < other.key(); }
};

/// One run.
struct Point {
  std::string hash;   ///< of the effective configuration, the input files and this program
  std::string label;  ///< "hotspot, gates, break-even 9": the first place that names it
  run::RunParameters parameters;
  std::vector<run::InputFile> inputs;  ///< as they were when the hash was made
};

class Plan {
 public:
  /// Throws Error for configurations that are wrong, naming the variant's or value's line.
  explicit Plan(const ExperimentFile& file);

  /// Without equal ones, in the order of the file.
  const std::vector<Point>& points() const { return points_; }
  const std::map<Place, std::size_t>& places() const { return places_; }
  /// Every file that a point reads, and the files of its configuration.
  std::vector<std::string> input_paths() const;
  /// Position in points(), or -1.
  int find(const Place& place) const;
  std::string label(const Place& place) const;

  /// Positions of the points that the figure looks at.
  std::set<std::size_t> needed_by(const Figure& figure) const;

 private:
  void add(const Place& place);
  const run::RunParameters& parameters_of(const Place& place);
  const std::vector<run::InputFile>& inputs_of(const run::RunParameters& parameters);

  const ExperimentFile& file_;
  std::vector<Point> points_;
  std::map<Place, std::size_t> places_;
  std::map<std::string, std::size_t> by_hash_;
  struct Configured {
    run::RunParameters parameters;
    std::string text;
  };
  std::map<Place, Configured>
      configured_;  ///< by variant, value and kernel, where that has changes of its own
  /// By launch file and technologies.
  std::map<std::pair<std::string, std::vector<std::string>>, std::vector<run::InputFile>> inputs_;
  std::string program_;  ///< hash of this program
};

}  // namespace heddle::experiment
