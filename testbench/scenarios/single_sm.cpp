// Example of a SystemC program that uses Heddle as a library: a single SM runs the CTAs of a launch file.
// When a CTA ends, the program starts the next one. Events of warps and instructions drive signals of a
// waveform. The outputs are compared with the untimed reference.
//
//   single_sm [LAUNCH.json [WAVES.vcd]]

#include <fmt/format.h>

#include "models/compiler/pipeline.h"
#include "models/core/error.h"
#include "models/memory/i_memory_model.h"
#include "models/memory/local_memory.h"
#include "models/sm/sm.h"
#include "testbench/launch/output_compare.h"
#include "testbench/launch/program_provider.h"
#include "testbench/launch/reference_executor.h"
#include "testbench/run/data_files.h"
#include "testbench/run/scenario.h"

using namespace heddle;

namespace {

// Receives life events and sets signals of the waveform from them.
class Watch : public sc_core::sc_module, public tlm::tlm_analysis_if<LifeEvent> {
 public:
  explicit Watch(const sc_core::sc_module_name& name) : sc_module(name) {}

  void write(const LifeEvent& event) override {
    switch (event.what) {
      case Life::warp_begins:
        resident_warps = ++warps_;
        break;
      case Life::warp_ends:
        resident_warps = --warps_;
        break;
      case Life::issued:
        issued = ++count_;
        last_warp = event.warp.value;
        last_pc = event.pc;
        break;
      default:
        break;
    }
  }

  void trace(sc_core::sc_trace_file* file) {
    sc_core::sc_trace(file, resident_warps, "resident_warps");
    sc_core::sc_trace(file, issued, "issued");
    sc_core::sc_trace(file, last_warp, "last_warp");
    sc_core::sc_trace(file, last_pc, "last_pc");
  }
  std::uint64_t count() const { return count_; }

 private:
  std::uint32_t warps_ = 0;
  std::uint64_t count_ = 0;
  sc_core::sc_signal<std::uint32_t, sc_core::SC_MANY_WRITERS> resident_warps{"resident_warps"},
      last_warp{"last_warp"}, last_pc{"last_pc"};
  sc_core::sc_signal<std::uint64_t, sc_core::SC_MANY_WRITERS> issued{"issued"};
};

// The host: starts a CTA whenever another one ends, and simulates until the SM is idle.
class OneSm : public launch::LaunchExecutor {
 public:
  OneSm(Sm& sm, IMemoryModel& memory, RunStatus& status) : sm_(sm), memory_(memory), status_(status) {
    sm_.cta_changed = [this](SmId, std::uint32_t, bool ended, const SmResources&) {
      if (ended) ++ended_;
      if (ended && next_ < ctas_) sm_.place_cta(next_++);
    };
  }

  void launch(const isa::KernelLaunch& launch, MemoryImage& image) override {
    allocate_local_memory(image, sm_.local_bytes(launch),
                          static_cast<std::uint64_t>(sm_.parameters().max_warps));
    memory_.begin_kernel();
    ctas_ = static_cast<std::uint32_t>(launch.grid.count());
    next_ = ended_ = 0;
    const Cycle begin = sm_.clock().last_work() + 8;
    memory_.clock().start(begin);
    sm_.begin_kernel(launch, begin);
    // At most two CTAs run at the same time in this example; any number that fits the SM is possible.
    while (next_ < std::min<std::uint32_t>(2, ctas_)) sm_.place_cta(next_++);
    sc_core::sc_start();
    status_.rethrow();
    if (ended_ != ctas_) throw Error("single_sm", fmt::format("{} of {} CTAs ended", ended_, ctas_));
    memory_.drain();
    sm_.settle(sm_.clock().last_work() + 1);
    cycles += sm_.clock().last_work() - begin;
  }
  Cycle cycles = 0;

 private:
  Sm& sm_;
  IMemoryModel& memory_;
  RunStatus& status_;
  std::uint32_t ctas_ = 0, next_ = 0, ended_ = 0;
};

int simulate(const std::string& launch_name, const std::string& waves) {
  // 1. Read the parameters of an SM from a preset.
  run::ScenarioRequest request;
  request.gpu = "fermi-gtx480";
  const run::RunParameters parameters = run::read_scenario(request);

  // 2. Build the platform: SM, memory, and the object that writes the waveform.
  MemoryImage image;
  StatsRegistry stats;
  RunStatus status;
  Sm::Context context;
  context.core_clock_mhz = parameters.gpu.core_clock_mhz;
  context.stats = &stats;
  context.status = &status;
  context.image = &image;
  Sm sm("sm", parameters.gpu.sm, context);
  Clock clock("memory_clock", sm.clock().period(), status);
  IMemoryModel::Context memory_context{"memory", clock, StatsScope(stats, "memory"),
                                       image,    1,     sm.pipeline_overhead()};
  const auto memory =
      Registry<IMemoryModel>::instance().make(ConfigNode::make_string("fixed-latency"), memory_context);
  sm.memory().bind(memory->socket());
  Watch watch("watch");
  sm.events.bind(watch);
  sm.observe_events();
  sc_core::sc_trace_file* file = sc_core::sc_create_vcd_trace_file(waves.c_str());
  file->set_time_unit(1, sc_core::SC_PS);
  watch.trace(file);

  // 3. Run the launch, timed and untimed.
  const launch::LaunchFile launch_file = launch::read_launch_file(launch_name);
  launch::PtxPrograms parsed(launch_file);
  launch::PtxPrograms compiled(
      parsed.module(), [&](isa::Program program) { return compiler::compile(program, parameters.compiler); });
  launch::LaunchRun timed(launch_file, compiled, image);
  timed.prepare();
  OneSm executor(sm, *memory, status);
  timed.run(executor);
  sc_core::sc_close_vcd_trace_file(file);

  MemoryImage golden;
  launch::LaunchRun reference(launch_file, parsed, golden);
  reference.prepare();
  launch::ReferenceExecutor untimed;
  reference.run(untimed);
  const auto comparisons = launch::compare_outputs(timed.outputs(), reference.outputs());
  const std::string differences = launch::report_differences(comparisons);
  fmt::print("{} warp-instructions in {} cycles on one SM; outputs {}; waveform in {}.vcd\n", watch.count(),
             executor.cycles, differences.empty() ? "equal to the reference" : "differ:\n" + differences,
             waves);
  return differences.empty() ? 0 : 3;
}

}  // namespace

int sc_main(int argc, char** argv) {
  try {
    return simulate(argc > 1 ? argv[1] : run::find_data("testbench/kernels/matrix_mul/small.json"),
                    argc > 2 ? argv[2] : "single_sm");
  } catch (const std::exception& e) {
    fmt::print(stderr, "error: {}\n", e.what());
    return 1;
  }
}
