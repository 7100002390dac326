#pragma once

// Plans the runs of an experiment. A *place* is a combination of variant, kernel and sweep value. A *point*
// is a run. Places with equal effective configurations share one run. Energy prices are not part of the
// configuration, so places that differ only in technologies also share one run and are priced separately.
// Planning is fast enough for very many places.

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

/// A place of the plan: one combination of variant, sweep, sweep value and kernel, as indices into the lists
/// of an ExperimentFile. If sweep is -1, the run belongs to no sweep.
struct Place {
  int variant = 0, sweep = -1, value = -1, kernel = 0;
  auto key() const { return std::tie(sweep, value, variant, kernel); }
  bool operator<(const Place& other) const { return key() < other.key(); }
};

/// A share of the runs, for one of several machines.
struct Share {
  int number =
      /// Number of the share, from 1. A share contains every `of`-th place of the plan, beginning with place
      /// `number`. 0: all places.
      0;
  int of = 1;
};

class Plan {
 public:
  /// Plans all combinations of variant, kernel and sweep value that figures show. If the techniques of a
  /// combination cannot be combined, its run is planned but not executed. Throws Error for invalid
  /// configurations. The error names the line of the variant or value.
  Plan(const ExperimentFile& file, const std::vector<const Figure*>& figures, Share share = {});

  struct Planned {
    Place place;
    std::size_t point;  ///< index of the run, below size()
    std::size_t price;  ///< index of the set of energy prices, below prices()
  };
  const std::vector<Planned>& places() const { return places_; }
  /// Returns the number of different runs. Runs are numbered in the order in which the list of places first
  /// uses them.
  std::size_t size() const { return points_.size(); }
  /// Returns true if the plan has all combinations of the experiment.
  bool is_whole() const { return whole_; }
  /// Returns the number of the share that contains the first place of a run.
  int share_of(std::size_t point, int shares) const;
  /// Returns the run and the price of a place (variant, kernel, sweep value); nullptr if the place is not
  /// planned.
  const Planned* find(const Place& place) const;
  /// Returns the number of different sets of technologies (energy prices) in the plan.
  std::size_t prices() const { return prices_.size(); }
  /// Returns a key of a set of energy prices. Equal prices have equal keys, also in different plans.
  const std::string& price_key(std::size_t price) const { return prices_[price].key; }
  /// Returns, sorted, all prices by which the places of one run are priced.
  const std::vector<std::size_t>& prices_of(std::size_t point) const;

  /// Returns the name of a run for readers: its first place, such as "hotspot, gates, break-even 9".
  std::string label(std::size_t point) const;
  /// Returns the name of the file with the run's result. The name is a hash over the effective configuration
  /// without energy prices, the input files, and this program.
  std::string name(std::size_t point) const;
  PointIdentity identity(std::size_t point) const;
  /// Returns the hash of the run's effective configuration.
  std::uint64_t configuration(std::size_t point) const { return points_[point].configuration; }
  /// Returns the reason why the run's techniques cannot be combined; empty if they can.
  const std::string& refusal(std::size_t point) const;
  /// Reads and returns the complete configuration of a run. Throws Error if an input file has changed since
  /// planning.
  run::RunParameters parameters(std::size_t point) const;
  /// Returns the complete configuration of a run with other energy prices. Throws Error if an input file has
  /// changed since planning.
  run::RunParameters parameters(std::size_t point, std::size_t price) const;
  /// Returns the input files of a run with their hashes at planning time. Technologies are not included.
  const std::vector<run::InputFile>& inputs(std::size_t point) const;
  /// Returns the paths of all launch, data and configuration files of the plan's runs.
  std::vector<std::string> input_paths() const;

 private:
  struct Point {
    std::uint64_t name = 0, configuration = 0;
    /// Index in places() of the first place (variant, kernel, sweep value) of this run.
    std::size_t first_place = 0;
    int launch = 0;
    /// Index in refusals_ of the reason why the run is not executed; 0: the run is executed.
    int refusal = 0;
    std::vector<std::size_t> prices;
  };
  /// Input files that several runs share, and the hash over all of these files.
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
  /// Reasons why runs are not executed, without repetition; the first is empty.
  std::vector<std::string> refusals_;
  std::vector<Files> files_;
  /// indices in files_, by launch file and address size
  std::map<std::vector<std::string>, int> launches_;
  struct Price {
    std::string key;
    run::PowerParameters power;
    std::vector<run::InputFile> inputs;
  };
  std::vector<Price> prices_;
  std::map<std::vector<std::string>, std::size_t> price_positions_;
  /// Contents of the technology files, by path.
  std::map<std::string, power::Technology> technologies_;
  std::map<std::string, std::string> technology_hashes_;  ///< hash of each technology file, by path
  std::string program_;                                   ///< hash of this program and of its plug-ins
  bool whole_ = true;
};

}  // namespace heddle::experiment
