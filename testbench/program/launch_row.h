#pragma once

// A row of the table of launches: what happened in one launch of a program. The CUDA runtime appends the row
// as a line of JSON when the launch ends, so the table is complete even if the program crashes.

#include <optional>
#include <string>
#include <vector>

#include "models/core/config_node.h"
#include "models/isa/launch.h"
#include "testbench/estimate/launch_estimate.h"

namespace heddle::program {

struct LaunchRow {
  std::uint64_t launch = 0;  ///< position of the launch in the program, from 0
  std::string kernel;        ///< name of the kernel without mangling
  std::string mangled;
  isa::Dim3 grid, block;
  std::uint64_t shared_bytes = 0;  ///< bytes of static and dynamic shared memory per block
  std::uint64_t instructions =
      0;  ///< number of warp-instructions; counted in the PTX as parsed if the launch was not timed
  bool timed = false;
  std::uint64_t registers = 0;   ///< registers per thread; 0 if the kernel was not compiled
  std::uint64_t ctas_timed = 0;  ///< number of timed CTAs; smaller than the grid if only a sample was timed
  std::uint64_t cycles = 0;
  double time_us = 0;
  std::optional<double> energy_pj, dynamic_pj, baseline_pj;
  bool checked = false, equal = true;
  std::uint64_t outside_reads = 0;  ///< reads that threads made just outside of an allocation (--lenient)
  std::string difference;           ///< first difference between the timed launch and the reference
  /// For a launch that differs from the reference: data races of the kernel that may cause the difference.
  std::vector<std::string> races;
  /// Number of findings of the checks (watch.checks) in this launch that no earlier launch had.
  std::uint64_t findings = 0;
  std::vector<std::string> finding_lines;  ///< the findings that are printed, one line each
  /// Estimate, if only some CTAs of this launch, or of a similar launch, were timed.
  std::optional<estimate::LaunchEstimate> estimate;
  /// Only with --launches representatives: the position of the launch that represents this launch (possibly
  /// this launch itself). `represents`: number of launches that this launch represents.
  std::optional<std::uint64_t> representative;
  std::uint64_t represents = 0;
  std::string captured;  ///< folder into which the launch was captured; empty: not captured
  std::string waves;     ///< folder of the launch's waveform; empty: none
  std::string error;     ///< reason why the launch failed; empty if it did not
  /// True: this launch did not run, because an earlier launch had failed. `error` is the error of the earlier
  /// launch.
  bool not_run = false;

  /// Stores an estimate in the row. Cycles, time, energies and instructions are then the estimated values.
  void take(estimate::LaunchEstimate launch_estimate, double core_clock_mhz);
  /// Returns true if outputs differ in values that depend on the order of threads (run::why_incomparable).
  bool is_incomparable() const { return timed && !checked && !difference.empty(); }
  bool is_estimated() const { return estimate && !estimate->whole; }
  /// Returns how the launch was estimated: "whole", "places" (some CTAs were timed) or "like 7" (launch 7 was
  /// timed instead); empty without an estimate.
  std::string estimated_by() const;

  /// Returns "failed", "not run", "not comparable", "different" or "equal"; empty if the launch was not compared.
  std::string outcome() const;

  std::string to_line() const;
  static LaunchRow from_line(const std::string& line, const std::string& where);
  /// These functions write a line that replaces the estimate of an earlier launch, and recognise such a line.
  static std::string refined_line(const estimate::LaunchEstimate& estimate, double core_clock_mhz);
  static bool is_refined_line(const std::string& line);
};

/// Returns the findings of the checks in all launches, one per line.
std::string findings_text(const std::vector<LaunchRow>& rows);

/// Returns the row as a JSON object, as in the line and in program.json.
ConfigNode to_node(const LaunchRow& row);

/// Reads the rows of a file, each with its last estimate and the number of launches that it represents. An
/// incomplete last line is ignored.
std::vector<LaunchRow> read_rows(const std::string& file);

}  // namespace heddle::program
