// Finds changes of prices (energies per event) that turn an energy saving into a loss, or the reverse.
// Computes the energies of both runs again with every other account (named list of technologies) than that of
// the second run. Also computes both energies with the low and the high end of every price that has a range.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>

#include "models/core/error.h"
#include "power/sensitivity.h"
#include "testbench/comparison/comparison.h"
#include "testbench/output/pricing.h"
#include "testbench/run/account_tables.h"
#include "testbench/run/energy_setup.h"
#include "testbench/run/scenario.h"

namespace heddle::comparison {
namespace {

class Priceable {
 public:
  explicit Priceable(const ComparedRun& run)
      : counters_(*run.counted.find("counters")),
        cycles_(static_cast<Cycle>(run.counted.find("cycles")->integer)) {
    // Paths in the configuration are relative to the folder of the run's result.json.
    const std::string file = (run.folder.empty() ? "" : run.folder + "/") + "result.json";
    parameters_ = run::read_scenario_tree(parse_config_text(to_json(run.configuration), file), {});
    configuration_ = run::energy_configuration(parameters_);
  }

  const run::PowerParameters& power() const { return parameters_.power; }
  /// Computes the run's energy with its own technologies and its own value of power.corners (which chooses
  /// low or high ends of price ranges).
  std::unique_ptr<power::Sensitivity> by_own() const { return by(parameters_); }
  std::unique_ptr<power::Sensitivity> by_tables(const std::vector<std::string>& tables) const {
    run::RunParameters other;
    other.power.technologies = tables;
    return by(other);
  }

 private:
  std::unique_ptr<power::Sensitivity> by(const run::RunParameters& priced) const {
    return std::make_unique<power::Sensitivity>(run::read_technologies(priced), configuration_,
                                                counters_.registry(), counters_.values(), cycles_);
  }

  output::StoredCounters counters_;
  Cycle cycles_;
  run::RunParameters parameters_;
  ConfigNode configuration_;
};

// Returns the sign of a saved share. Returns 0 for a share so small that it could be a rounding error.
int sign_of(double saved) {
  constexpr double kNothing = 1e-9;
  return saved > kNothing ? 1 : saved < -kNothing ? -1 : 0;
}

std::string change_text(double saved) {
  return fmt::format("{:.1f} % {}", std::abs(100 * saved), saved < 0 ? "more" : "less");
}

std::set<std::string> files_of(const std::vector<std::string>& tables) {
  std::set<std::string> files;
  for (const std::string& table : tables) files.insert(run::find_technology(table, "power.technologies"));
  return files;
}

class Signs {
 public:
  Signs(const ComparedRun& first, const ComparedRun& run) : runs_{&first, &run}, first_(first), run_(run) {
    const auto first_pays = first_.by_own(), run_pays = run_.by_own();
    saved_ = saved(*first_pays, *run_pays);
    add_accounts();
    for (const auto& [name, of] : run_pays->ranges())
      for (const char* end : {"low", "high"}) {
        const double at_end = 1 - run_pays->total_at(name, end) / first_pays->total_at(name, end);
        if (sign_of(at_end) == sign_of(saved_)) continue;
        items_.push_back(fmt::format("{} ({}={}: {})", of, name, end, change_text(at_end)));
        break;
      }
  }
  const std::vector<std::string>& items() const { return items_; }

 private:
  static double saved(power::Sensitivity& first, power::Sensitivity& run) {
    return 1 - run.total() / first.total();
  }

  void add_accounts() {
    std::vector<ConfigNode> names;
    for (const ComparedRun* run : runs_)
      for (const std::string& name : run->techniques) names.push_back(ConfigNode::make_string(name));
    const run::Techniques techniques(names, {});
    for (const std::string& account : run::account_names()) {
      const std::vector<std::string> tables = run::account_tables(account, techniques);
      if (files_of(tables) == files_of(run_.power().technologies)) continue;
      try {
        const double other = saved(*first_.by_tables(tables), *run_.by_tables(tables));
        if (sign_of(other) != sign_of(saved_))
          items_.push_back(fmt::format("account ({}: {})", account, change_text(other)));
      } catch (const Error&) {
        // Two tables of this account state an energy of the same event, so the account cannot price both
        // runs: leave it out.
      }
    }
  }

  std::vector<const ComparedRun*> runs_;
  Priceable first_, run_;
  double saved_ = 0;
  std::vector<std::string> items_;
};

}  // namespace

std::vector<std::string> sign_depends_on(const Runs& runs, std::size_t run) {
  if (run == 0 || !same_account(runs, run) || !runs[0].counted.is_object() ||
      !runs[run].counted.is_object() || !runs[0].energy.is_object())
    return {};
  try {
    return Signs(runs[0], runs[run]).items();
  } catch (const Error&) {
    return {};  // This version of Heddle lacks technologies or parts that the stored run names.
  }
}

}  // namespace heddle::comparison
