#pragma once

// Plans the runs of an experiment: every variant of every kernel, and every value of every sweep. Places with
// equal effective configurations share a run. Energy prices are not part of the configuration, so places that
// differ only in technologies share a run and are priced separately. Planning is cheap enough for very many
// places.

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

/// Positions in the lists of an ExperimentFile. sweep -1: outside of all sweeps.
struct Place {
  int variant = 0, sweep = -1, value = -1, kernel = 0;
  auto key() const { return std::tie(sweep, value, variant, kernel); }
  bool operator<(const Place& other) const { return key() < other.key(); }
};

/// A share of the places that figures use.
struct Share {
  int number =
      0;  ///< number of the share from 1: it has every `of`-th place, beginning with this one; 0: all places
  int of = 1;
};

class Plan {
 public:
  /// Plans the places that figures use. Techniques that refuse each other make a point that is not run.
  /// Throws Error, which names the line of the variant or value, for invalid configurations.
  Plan(const ExperimentFile& file, const std::vector<const Figure*>& figures, Share share = {});

  struct Planned {
    Place place;
    std::size_t point;  ///< index below size()
    std::size_t price;  ///< index below prices()
  };
  /// Returns the places in the order of Place.
  const std::vector<Planned>& places() const { return places_; }
  /// Returns the number of points. Points are distinct and in the order of their first places.
  std::size_t size() const { return points_.size(); }
  /// Returns true if every place of the experiment is planned.
  bool is_whole() const { return whole_; }
  /// Returns the share that contains the first place of a point.
  int share_of(std::size_t point, int shares) const;
  /// Returns the entry of a place, or nullptr.
  const Planned* find(const Place& place) const;
  /// Returns the number of sets of technologies with which places price their runs.
  std::size_t prices() const { return prices_.size(); }
  /// Returns a key that is equal for equal prices, also of several plans.
  const std::string& price_key(std::size_t price) const { return prices_[price].key; }
  /// Returns the prices of a point's places, sorted.
  const std::vector<std::size_t>& prices_of(std::size_t point) const;

  /// Returns the first place of the point, such as "hotspot, gates, break-even 9".
  std::string label(std::size_t point) const;
  /// Returns the name of the point's file: a hash of the effective configuration without energy prices, of
  /// the input files, and of this program.
  std::string name(std::size_t point) const;
  PointIdentity identity(std::size_t point) const;
  /// Returns the hash of the effective configuration.
  std::uint64_t configuration(std::size_t point) const { return points_[point].configuration; }
  /// Returns the reason why the point's techniques refuse each other; empty if the point can be run.
  const std::string& refusal(std::size_t point) const;
  /// Reads and returns the complete configuration. Throws Error if one of its files has changed since
  /// planning.
  run::RunParameters parameters(std::size_t point) const;
  /// Does the same with another price.
  run::RunParameters parameters(std::size_t point, std::size_t price) const;
  /// Returns the point's input files with their hashes at planning time, without technologies.
  const std::vector<run::InputFile>& inputs(std::size_t point) const;
  /// Returns the files that points read, and the files of their configurations.
  std::vector<std::string> input_paths() const;

 private:
  struct Point {
    std::uint64_t name = 0, configuration = 0;
    std::size_t first_place = 0;  ///< in places()
    int launch = 0;
    int refusal = 0;  ///< in refusals_
    std::vector<std::size_t> prices;
  };
  /// Files that points share, and the hash over them.
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
  std::vector<std::string> refusals_;  ///< distinct reasons; the first is empty
  std::vector<Files> files_;
  std::map<std::vector<std::string>, int> launches_;  ///< positions in files_
  struct Price {
    std::string key;
    run::PowerParameters power;
    std::vector<run::InputFile> inputs;
  };
  std::vector<Price> prices_;
  std::map<std::vector<std::string>, std::size_t> price_positions_;
  std::map<std::string, power::Technology> technologies_;  ///< by path as given in the configuration
  std::map<std::string, std::string> technology_hashes_;   ///< by file
  std::string program_;                                    ///< hash of this program and its plug-ins
  bool whole_ = true;
};

}  // namespace heddle::experiment
