#pragma once

// Parameters of one run: GPU, launch, compiler pipeline, observation and outputs. The parameters come from a
// scenario file (scenario.h). Options of the command line change these parameters.

#include <memory>
#include <string>
#include <vector>

#include "models/compiler/pipeline.h"
#include "models/core/fields.h"
#include "models/gpu/gpu_parameters.h"
#include "testbench/estimate/estimate_parameters.h"
#include "testbench/run/co_simulation.h"
#include "testbench/run/output_parameters.h"

namespace heddle::run {

struct SampleParameters {
  std::uint64_t first_cta = 0;
  std::uint64_t ctas = 0;
  std::vector<int> launches;

  void fields(FieldVisitor& v) {
    v.field("first_cta", first_cta, {0, 1LL << 60}, "first timed CTA of every launch");
    v.field("ctas", ctas, {0, 1LL << 60},
            "timed CTAs of every launch (0: all); the reference computes the results of the others");
    v.field("launches", launches, {},
            "positions of the timed launches, counted from 0 ([]: all); the reference executes the others");
  }
};

struct WatchParameters {
  std::string check = "auto";
  std::vector<std::string> checks;
  std::uint64_t check_limit = 16;
  std::uint64_t check_below = 20000000;
  std::uint64_t max_cycles = 0;
  std::uint64_t deadlock_cycles = 100000;
  std::uint64_t endless_cycles = 200000000;
  std::uint64_t endless_steps = 500000000;
  std::uint64_t interval_cycles = 0;
  bool every_cycle = false;
  std::uint64_t shuffle_seed = 0;
  std::uint64_t quantum = 0;
  int threads = 1;
  std::string untimed_store;
  int untimed_threads = 1;
  SampleParameters sample;

  void fields(FieldVisitor& v) {
    v.field("check", check, {"auto", "on", "off"},
            "compare the outputs with the untimed reference; auto: if the reference executes at most "
            "check_below instructions");
    v.field("checks", checks,
            "checks of the reference run, which is then made whatever its length: memory, init, races, sync, "
            "atomics, warps (docs/reference.md)");
    v.field("check_limit", check_limit, {0, 1 << 20}, "most findings of checks that are printed");
    v.field("check_below", check_below, {0, 1LL << 60},
            "most warp-instructions of the reference for which auto compares");
    v.field("max_cycles", max_cycles, {0, 1LL << 60}, "a launch that takes longer is an error (0: no limit)");
    v.field("deadlock_cycles", deadlock_cycles, {1000, 1LL << 40},
            "cycles without any issue, while work remains, after which the run stops and reports what each "
            "warp waits for");
    v.field("endless_cycles", endless_cycles, {0, 1LL << 60},
            "cycles without the end of a CTA after which a launch counts as endless (0: no limit)");
    v.field("endless_steps", endless_steps, {0, 1LL << 60},
            "warp-instructions of the reference in which no thread ends and neither global nor shared memory "
            "changes, after which a launch counts as endless (0: no limit)");
    v.field("interval_cycles", interval_cycles, {0, 1LL << 60},
            "cycles between two interval records and conservation checks (0: none)");
    v.field("every_cycle", every_cycle, "tick in every cycle instead of sleeping (same results, slower)");
    v.field("shuffle_seed", shuffle_seed, {}, "not 0: build the modules in another order (same results)");
    v.field("quantum", quantum, {0, 1 << 20},
            "most cycles for which SMs run ahead of each other (results do not change; 0: as many as the "
            "memory allows)");
    v.field("threads", threads, {1, 256},
            "threads that run the SMs (results do not change); useful from four busy SMs per thread");
    v.field("untimed_store", untimed_store, {},
            "folder for the results of untimed executions of large launches, so that other runs of the same "
            "launches need not execute them again (results do not change; empty: none)");
    v.path("untimed_store");
    v.field("untimed_threads", untimed_threads, {1, 256},
            "threads that execute the CTAs of a launch untimed, if the CTAs are independent (same counts and "
            "values)");
    v.group("sample", sample, "time a part of a large program");
  }
};

struct PowerParameters {
  std::string account = "machine";
  std::vector<std::string> technologies = {"joint-40nm"};
  std::vector<std::string> stand_back;
  std::vector<std::string> corners;

  void fields(FieldVisitor& v) {
    v.field("account", account, {"machine", "papers"},
            "tables that price a run that names none: one table for the machine and all techniques, or those "
            "of the papers, each technique by its own paper's (docs/energy.md)");
    v.field("technologies", technologies,
            "technologies of the energy account: names in configs/technology, or files relative to the "
            "scenario ([]: no energy)");
    v.field("stand_back", stand_back,
            "those of the technologies that price only what no other one prices, whatever their ranks "
            "(docs/energy.md)");
    v.path("technologies");
    v.path("stand_back");
    v.field("corners", corners,
            "ends of their ranges that values take: low, nominal or high for all values with a range, "
            "NAME=high for one, NAME=0.5 for another number; later ones win (docs/energy.md)");
  }
};

struct RunParameters {
  std::string description;
  std::string launch;
  std::string address_size = "launch";
  GpuParameters gpu;
  compiler::CompilerParameters compiler;
  PowerParameters power;
  WatchParameters watch;
  estimate::EstimateParameters estimate;
  CoSimulationParameters cosim;
  OutputParameters output;
  std::vector<std::string> techniques;
  std::vector<std::string> technique_notes;
  /// The preset without scenario, techniques and options; nullptr: no scenario was read. Copies share it.
  std::shared_ptr<const ConfigNode> preset_alone;
  std::vector<std::string> read_from;

  void fields(FieldVisitor& v) {
    v.field("description", description, {}, "what the run shows");
    v.field("launch", launch, {}, "launch file, relative to the scenario file");
    v.path("launch");
    v.field("address_size", address_size, {"launch", "32-bit"},
            "the PTX file of the launch file, or the one in its folder that was compiled for addresses of 32 "
            "bits: kernel32.ptx for kernel.ptx");
    v.group("gpu", gpu, "the GPU: a preset and changes to it");
    v.group("compiler", compiler, "from PTX to the program that runs");
    v.group("power", power, "what energy costs");
    v.group("watch", watch, "checks, limits, intervals, samples");
    v.group("estimate", estimate, "time a part and estimate the whole");
    v.group("cosim", cosim, "Verilated RTL connected to the model");
    v.group("output", output, "which files are written, and where");
  }
};

}  // namespace heddle::run
