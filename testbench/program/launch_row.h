#pragma once

// A row of the table of launches. The CUDA runtime appends the row as a line of JSON when the launch ends, so
// that the table has all rows even if the program crashes later.

#include <optional>
#include <string>
#include <vector>

#include "models/core/config_node.h"
#include "models/isa/launch.h"
#include "testbench/estimate/launch_estimate.h"

namespace heddle::program {

struct LaunchRow {
  std::uint64_t launch = 0;
  std::string kernel;
  std::string mangled;
  isa::Dim3 grid, block;
  std::uint64_t shared_bytes = 0;  ///< static and dynamic shared memory per block in bytes
  std::uint64_t instructions =
      0;  ///< warp-instructions: of the machine program if timed, otherwise of the PTX before all passes
  bool timed = false;
  std::uint64_t registers = 0;
  std::uint64_t ctas_timed = 0;  ///< timed CTAs; fewer than the CTAs of the grid if only a sample was timed
  std::uint64_t cycles = 0;
  double time_us = 0;
  std::optional<double> energy_pj, dynamic_pj, baseline_pj;
  bool checked = false, equal = true;
  std::uint64_t outside_reads = 0;  ///< reads just outside of an allocation (--lenient)
  std::string difference;
  std::vector<std::string> races;
  /// Number of new findings: errors that the checks (watch.checks) found in this launch, but in no earlier
  /// launch.
  std::uint64_t findings = 0;
  std::vector<std::string> finding_lines;
  /// The launch's estimate, if this launch was estimated. For an estimate, some CTAs of this launch, or of a
  /// similar launch, were timed.
  std::optional<estimate::LaunchEstimate> estimate;
  /// Only with --launches representatives. `representative`: position of the launch that was timed in place
  /// of this launch. `represents`: number of launches that this launch represents.
  std::optional<std::uint64_t> representative;
  std::uint64_t represents = 0;
  std::string captured;
  std::string waves;  ///< folder of the waveform; empty: none
  std::string error;
  /// True if the launch did not run, because an earlier launch had failed with `error`.
  bool not_run = false;

  /// Stores an estimate in this row. Cycles, time, energies and instructions of the row are then estimates.
  void take(estimate::LaunchEstimate launch_estimate, double core_clock_mhz);
  /// Returns true if outputs cannot be compared, because the values that differ depend on the order of
  /// threads (run::why_incomparable).
  bool is_incomparable() const { return timed && !checked && !difference.empty(); }
  bool is_estimated() const { return estimate && !estimate->whole; }
  /// Returns how the launch was estimated: "whole" (all CTAs were timed), "places" (some CTAs), "like 7"
  /// (launch 7 was timed in its place). Empty without an estimate.
  std::string estimated_by() const;

  /// Returns "failed", "not run", "not comparable", "different" or "equal"; empty if nothing was compared.
  std::string outcome() const;

  std::string to_line() const;
  static LaunchRow from_line(const std::string& line, const std::string& where);
  /// refined_line() makes a line of the table with a better estimate of an earlier launch; is_refined_line()
  /// recognises such a line.
  static std::string refined_line(const estimate::LaunchEstimate& estimate, double core_clock_mhz);
  static bool is_refined_line(const std::string& line);
};

std::string findings_text(const std::vector<LaunchRow>& rows);

ConfigNode to_node(const LaunchRow& row);

/// Reads the rows of a table of launches. If the table has several estimates of a launch, the launch's row
/// has the last of these estimates. Ignores an incomplete last line.
std::vector<LaunchRow> read_rows(const std::string& file);

}  // namespace heddle::program
