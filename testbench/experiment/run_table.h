#pragma once

// Makes the table of an experiment's runs: one row for each combination of variant, kernel and sweep value.
// Columns are the settings that vary, and the most used metrics. results.csv, sweeps.csv and results.sqlite
// are written from this table.

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "testbench/experiment/experiment_file.h"
#include "testbench/experiment/plan.h"
#include "testbench/experiment/results.h"
#include "testbench/output/described_values.h"

namespace heddle::experiment {

struct TableColumn {
  std::string name, unit, doc;
};

class RunTable {
 public:
  /// A metric with base(...) gets a column only if all figures that show the metric are relative to the same
  /// variant.
  RunTable(const ExperimentFile& file, const Plan& plan, const Results& results);

  struct Row {
    /// `sweep` and `sweep_value` are empty for a run that belongs to no sweep.
    std::string kernel, variant, sweep, sweep_value;
    std::vector<std::string> settings;
    std::string state;
    std::vector<std::optional<double>> metrics;
  };
  const std::vector<Row>& rows() const { return rows_; }
  /// Returns the settings whose values differ between rows: techniques, and parameters that a variant, kernel
  /// or sweep sets.
  const std::vector<TableColumn>& settings() const { return settings_; }
  /// Returns cycles, ipc, energy_nj and the metrics of the experiment file.
  const std::vector<TableColumn>& metrics() const { return metrics_; }
  std::vector<TableColumn> columns() const;

 private:
  using Effective = std::map<std::string, std::string>;

  std::vector<std::string> set_paths() const;
  void fill_places();
  Effective effective(std::size_t point, std::size_t price, const std::vector<std::string>& paths) const;
  void add_settings(const std::vector<std::string>& paths,
                    const std::map<std::pair<std::uint64_t, std::size_t>, Effective>& known);
  void keep_varying();
  void add_metrics();
  void add_metric(const Metric& metric);
  const PointValues* base_of(const Place& place, const std::string& base) const;
  std::optional<std::string> base_for(const Metric& metric) const;
  std::string unit_of(const Metric& metric) const;

  const ExperimentFile& file_;
  const Plan& plan_;
  const Results& results_;
  std::vector<TableColumn> settings_, metrics_;
  std::vector<Row> rows_;
};

output::DescribedValues describe_counters(const Plan& plan, const Results& results);

/// Returns the text of sweeps.csv, or with `of_sweeps` false, of results.csv (the runs that belong to no
/// sweep).
std::string run_table_csv(const RunTable& table, bool of_sweeps);

/// Returns columns.csv: name, unit and meaning of every column of results.csv and sweeps.csv, of every metric
/// and of every counter.
std::string columns_csv(const RunTable& table, const Results& results,
                        const output::DescribedValues& described);

}  // namespace heddle::experiment
