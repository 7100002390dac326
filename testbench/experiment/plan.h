#pragma once

// Plans the runs of an experiment: every variant of every kernel, and every value of every sweep. A place is
// one such combination; a point is one run. Places with equal effective configurations share a point. Energy
// prices are not part of the configuration, so places that differ only in technologies share a point and are
// priced separately. Planning is cheap enough for very many places.

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

/// A place: one combination of variant, sweep, sweep value and kernel, as positions in the lists of an
/// ExperimentFile. sweep -1: the run belongs to no sweep.
struct Place {
  int variant = 0, sweep = -1, value = -1, kernel = 0;
  auto key() const { return std::tie(sweep, value, variant, kernel); }
  bool operator<(const Place& other) const { return key() < other.key(); }
};

/// A share of the places (combinations of variant, kernel and sweep value) that figures use.
struct Share {
  int number =
      0;  ///< Number of the share, from 1. A share has every `of`-th place, beginning with place `number`. 0: all places.
  int of = 1;
};

class Plan {
 public:
  /// Plans the places that figures use. A place whose techniques refuse each other becomes a point that is
  /// not run. Throws Error, which names the line of the variant or value, for invalid configurations.
  Plan(const ExperimentFile& file, const std::vector<const Figure*>& figures, Share share = {});

  struct Planned {
    Place place;
    std::size_t point;  ///< index of the point (run), below size()
    std::size_t price;  ///< index of the price, below prices()
  };
  /// Returns the places in the order of Place.
  const std::vector<Planned>& places() const { return places_; }
  /// Returns the number of points (runs). No two points are equal. Their order is that of their first places.
  std::size_t size() const { return points_.size(); }
  /// Returns true if the plan has every place of the experiment.
  bool is_whole() const { return whole_; }
  /// Returns the number of the share that contains the first place of a point.
  int share_of(std::size_t point, int shares) const;
  /// Returns the planned point and price of a place, or nullptr.
  const Planned* find(const Place& place) const;
  /// Returns the number of sets of technologies with which places price their runs.
  std::size_t prices() const { return prices_.size(); }
  /// Returns a key of a price. Equal prices have equal keys, also in different plans.
  const std::string& price_key(std::size_t price) const { return prices_[price].key; }
  /// Returns the sorted prices of all places that share the point.
  const std::vector<std::size_t>& prices_of(std::size_t point) const;

  /// Returns a text that names the first place of the point, such as "hotspot, gates, break-even 9".
  std::string label(std::size_t point) const;
  /// Returns the name of the point's file: a hash of the effective configuration without energy prices, of
  /// the input files, and of this program.
  std::string name(std::size_t point) const;
  PointIdentity identity(std::size_t point) const;
  /// Returns the hash of the point's effective configuration.
  std::uint64_t configuration(std::size_t point) const { return points_[point].configuration; }
  /// Returns the reason why the point's techniques refuse each other; empty if the point can be run.
  const std::string& refusal(std::size_t point) const;
  /// Reads and returns the complete configuration of a point. Throws Error if one of its files has changed
  /// since planning.
  run::RunParameters parameters(std::size_t point) const;
  /// Returns the complete configuration of a point with another price. Throws Error like the function above.
  run::RunParameters parameters(std::size_t point, std::size_t price) const;
  /// Returns the point's input files with their hashes at planning time, without technologies.
  const std::vector<run::InputFile>& inputs(std::size_t point) const;
  /// Returns the paths of all input files of the points, and of the files of their configurations.
  std::vector<std::string> input_paths() const;

 private:
  struct Point {
    std::uint64_t name = 0, configuration = 0;
    std::size_t first_place = 0;  ///< position in places() of the first place that has this point
    int launch = 0;
    int refusal = 0;  ///< position in refusals_ of the reason; 0: not refused
    std::vector<std::size_t> prices;
  };
  /// Input files that several points share, and the hash over all of these files.
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
  std::vector<std::string> refusals_;  ///< distinct reasons of refusals; the first is empty
  std::vector<Files> files_;
  /// Positions in files_, by launch file and address size.
  std::map<std::vector<std::string>, int> launches_;
  struct Price {
    std::string key;
    run::PowerParameters power;
    std::vector<run::InputFile> inputs;
  };
  std::vector<Price> prices_;
  std::map<std::vector<std::string>, std::size_t> price_positions_;
  /// Technologies by path as given in the configuration.
  std::map<std::string, power::Technology> technologies_;
  std::map<std::string, std::string> technology_hashes_;  ///< hash of each technology's file
  std::string program_;                                   ///< hash of this program and its plug-ins
  bool whole_ = true;
};

}  // namespace heddle::experiment
