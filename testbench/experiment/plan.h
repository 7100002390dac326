#pragma once

// Plans the runs of an experiment. A Place is a combination of variant, kernel and sweep value. `point` is
// the index of a run, and `price` is the index of a set of energy prices. Places with equal effective
// configurations share one run. The configuration does not include energy prices. Places that differ only in
// technologies therefore share a run, but their energies are computed separately.

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "power/technology.h"
#include "testbench/experiment/configurations.h"
#include "testbench/experiment/experiment_file.h"
#include "testbench/experiment/point_file.h"
#include "testbench/run/inputs.h"

namespace heddle::experiment {

/// A combination of variant, sweep, sweep value and kernel, as indices into the lists of an ExperimentFile.
/// Sweep -1: the run belongs to no sweep.
struct Place {
  int variant = 0, sweep = -1, value = -1, kernel = 0;
  auto key() const { return std::tie(sweep, value, variant, kernel); }
  bool operator<(const Place& other) const { return key() < other.key(); }
};

struct Share {
  int number =
      /// The plan's combinations (variant, kernel, sweep value) are divided into `of` shares. This is the
      /// number of the share to execute, from 1; 0: all combinations. The share has every `of`-th
      /// combination, beginning with combination `number`.
      0;
  int of = 1;
};

class Plan {
 public:
  /// Plans all combinations of variant, kernel and sweep value that figures show. If techniques cannot be
  /// combined, the run is planned but not executed. Throws Error for invalid configurations, with the line of
  /// the variant or value.
  Plan(const ExperimentFile& file, const std::vector<const Figure*>& figures, Share share = {});

  struct Planned {
    Place place;
    std::size_t point;
    std::size_t price;
  };
  const std::vector<Planned>& places() const { return places_; }
  /// Returns the number of different runs. Runs are numbered in the order of their first use in places().
  std::size_t size() const { return points_.size(); }
  bool is_whole() const { return whole_; }
  /// Returns the number of the share that executes a run, if the runs are divided into `shares` shares. This
  /// share contains the first Place (combination of variant, kernel and sweep value) that uses the run.
  int share_of(std::size_t point, int shares) const;
  /// Returns the run and the set of energy prices of a Place (combination of variant, kernel and sweep
  /// value); nullptr if the Place is not planned.
  const Planned* find(const Place& place) const;
  std::size_t prices() const { return prices_.size(); }
  /// Returns the key of a set of energy prices. Equal prices have equal keys, also in different plans.
  const std::string& price_key(std::size_t price) const { return prices_[price].key; }
  const std::vector<std::size_t>& prices_of(std::size_t point) const;

  /// Returns a run's name for readers: the first combination that uses it, such as "hotspot, gates,
  /// break-even 9".
  std::string label(std::size_t point) const;
  /// Returns the name of the run's result file: a hash over the effective configuration without energy
  /// prices, the input files, and this program.
  std::string name(std::size_t point) const;
  PointIdentity identity(std::size_t point) const;
  std::uint64_t configuration(std::size_t point) const { return points_[point].configuration; }
  /// Returns why the run's techniques cannot be combined; an empty text if they can be.
  const std::string& refusal(std::size_t point) const;
  /// Returns the complete configuration of a run. Throws Error if an input file has changed since planning.
  run::RunParameters parameters(std::size_t point) const;
  /// Returns the configuration of a run with the set of energy prices `price`. Throws Error if an input file
  /// has changed since planning.
  run::RunParameters parameters(std::size_t point, std::size_t price) const;
  /// Returns a run's input files, without technologies, with their hashes at planning time.
  const std::vector<run::InputFile>& inputs(std::size_t point) const;
  std::vector<std::string> input_paths() const;

 private:
  struct Point {
    std::uint64_t name = 0, configuration = 0;
    std::size_t first_place = 0;
    int launch = 0;
    /// 0: the run is executed; otherwise the index in refusals_ of the reason why it is not
    int refusal = 0;
    std::vector<std::size_t> prices;
  };
  /// Input files that several runs share, and a hash over these files.
  struct Files {
    std::vector<run::InputFile> inputs;
    std::string hashes;
  };

  std::vector<Place> all_places() const;
  void keep_wanted(std::vector<Place>& places, const std::vector<const Figure*>& figures) const;
  void add(const Place& place, const Configured& configured);
  std::vector<std::string> sets_of(const Place& place) const;
  void check_kept(const std::string& path, const std::string& where) const;
  const Kernel& kernel_of(const Place& place) const;
  const Variant& variant_of(const Place& place) const;
  Configured configure(const Place& place);
  int launch_files(const std::string& launch, const std::string& address_size);
  std::size_t price_of(const run::PowerParameters& power);
  std::string label(const Place& place) const;

  const ExperimentFile& file_;
  Configurations configurations_;
  std::vector<Planned> places_;
  std::vector<Point> points_;
  std::unordered_map<std::uint64_t, std::size_t> by_name_;
  std::vector<std::string> refusals_;
  std::vector<Files> files_;
  std::map<std::vector<std::string>, int> launches_;
  struct Price {
    std::string key;
    run::PowerParameters power;
    std::vector<run::InputFile> inputs;
  };
  std::vector<Price> prices_;
  std::map<std::vector<std::string>, std::size_t> price_positions_;
  std::map<std::string, power::Technology> technologies_;
  std::map<std::string, std::string> technology_hashes_;
  std::string program_;
  bool whole_ = true;
};

}  // namespace heddle::experiment
