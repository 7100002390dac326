#include "testbench/run/run_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>

#include "testbench/launch/program_provider.h"

namespace heddle::run {
namespace {

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// The reference has executed as many instructions as an automatic check allows.
struct TooLong {};

class CheckExecutor : public launch::LaunchExecutor {
 public:
  CheckExecutor(std::uint64_t limit, int resident_ctas) : limit_(limit) {
    options_.resident_ctas = resident_ctas;
  }
  void launch(const isa::KernelLaunch& launch, MemoryImage& memory) override {
    total += reference::run_reference(launch, memory, options_).warp_instructions;
    if (limit_ && total > limit_) throw TooLong{};
  }
  std::uint64_t total = 0;

 private:
  std::uint64_t limit_;
  reference::ReferenceOptions options_;
};

}  // namespace

// Runs launches on the GPU, or on the reference where they are not timed.
class RunSession::Executor : public launch::LaunchExecutor {
 public:
  explicit Executor(RunSession& session) : s_(session) {}

  void launch(const isa::KernelLaunch& launch, MemoryImage& memory) override {
    if (s_.result_.interrupted) return;
    LaunchRecord record;
    record.kernel = launch.program->kernel;
    record.index = launch.id.value;
    record.grid = launch.grid;
    record.block = launch.block;
    record.ctas_total = launch.grid.count();
    record.registers = launch.program->registers;
    record.shared_bytes = launch.shared_bytes();
    const SampleParameters& sample = s_.parameters_.watch.sample;
    record.timed =
        sample.launches.empty() || std::find(sample.launches.begin(), sample.launches.end(),
                                             static_cast<int>(launch.id.value)) != sample.launches.end();
    if (record.timed)
      run_timed(launch, memory, record);
    else
      reference::run_reference(launch, memory);
    s_.result_.launches.push_back(record);
    if (s_.hooks_.on_launch_end) s_.hooks_.on_launch_end(s_.result_.launches.back());
  }

 private:
  void run_timed(const isa::KernelLaunch& launch, MemoryImage& memory, LaunchRecord& record) {
    if (s_.hooks_.on_launch) s_.hooks_.on_launch(launch);
    note_program(launch);
    const SampleParameters& sample = s_.parameters_.watch.sample;
    const bool sampled = sample.ctas != 0 && (sample.first_cta != 0 || sample.ctas < launch.grid.count());
    const MemoryImage before = sampled ? memory : MemoryImage{};
    const std::vector<std::uint64_t> start = s_.stats_.snapshot();
    const DispatchRange range = sampled ? DispatchRange{sample.first_cta, sample.ctas} : DispatchRange{};
    record.ctas_per_sm = s_.gpu_->dispatcher().ctas_per_sm(launch);
    const Gpu::Result result = s_.gpu_->run(launch, range);
    record.begin = result.begin;
    record.cycles = result.cycles;
    record.ctas_timed = result.ctas;
    record.counters = s_.stats_.snapshot();
    for (std::size_t i = 0; i < record.counters.size(); ++i) record.counters[i] -= start[i];
    s_.result_.interrupted = result.interrupted;
    // The sample has been timed; the launch as a whole is executed by the reference from the same start.
    if (sampled && !result.interrupted) {
      memory = before;
      reference::run_reference(launch, memory);
    }
  }

  void note_program(const isa::KernelLaunch& launch) {
    const auto& known = s_.programs_used_;
    if (std::none_of(known.begin(), known.end(),
                     [&](const auto& p) { return p.first == launch.program->kernel; }))
      s_.programs_used_.emplace_back(launch.program->kernel, launch.program);
  }

  RunSession& s_;
};

RunSession::RunSession(const RunParameters& parameters, RunHooks hooks)
    : parameters_(parameters), hooks_(std::move(hooks)), file_(launch::read_launch_file(parameters.launch)) {
  parsed_ = std::make_unique<launch::PtxPrograms>(file_.ptx);
  parameters_.compiler.max_registers =
      std::min(parameters_.compiler.max_registers, parameters_.gpu.sm.max_registers_per_thread);
  compiled_ = std::make_unique<launch::PtxPrograms>(parsed_->module(), [this](isa::Program parsed) {
    return compiler::compile(parsed, parameters_.compiler);
  });
}

RunSession::~RunSession() = default;

const RunResult& RunSession::run() {
  Gpu::Options options;
  options.every_cycle = parameters_.watch.every_cycle;
  options.shuffle_seed = parameters_.watch.shuffle_seed;
  options.limits.deadlock_cycles = parameters_.watch.deadlock_cycles;
  if (parameters_.watch.max_cycles) options.limits.max_cycles = parameters_.watch.max_cycles;
  options.limits.interval_cycles = parameters_.watch.interval_cycles;
  options.limits.on_interval = [this](Cycle cycle) {
    gpu_->settle(cycle);
    if (hooks_.on_interval) hooks_.on_interval(cycle);
  };
  options.limits.on_heartbeat = hooks_.on_heartbeat;
  gpu_ = std::make_unique<Gpu>("gpu", parameters_.gpu, timed_memory_, stats_, options);
  if (hooks_.on_built) hooks_.on_built(*gpu_);

  run_reference();
  run_timed();
  if (result_.checked && !result_.interrupted) {
    result_.comparisons = launch::compare_outputs(timed_run_->outputs(), reference_run_->outputs());
    result_.equal = std::all_of(result_.comparisons.begin(), result_.comparisons.end(),
                                [](const auto& c) { return c.equal; });
  }
  if (result_.interrupted) result_.unchecked_reason = "the run was ended early";
  result_.warnings = timed_run_->warnings();
  return result_;
}

void RunSession::run_reference() {
  if (parameters_.watch.check == "off") {
    result_.unchecked_reason = "switched off";
    return;
  }
  const double start = cpu_seconds();
  reference_run_ = std::make_unique<launch::LaunchRun>(file_, *parsed_, reference_memory_);
  reference_run_->prepare();
  const bool automatic = parameters_.watch.check == "auto";
  CheckExecutor executor(automatic ? parameters_.watch.check_below : 0,
                         parameters_.gpu.sm.max_ctas * parameters_.gpu.sms);
  try {
    reference_run_->run(executor);
    result_.checked = true;
  } catch (const TooLong&) {
    result_.unchecked_reason =
        fmt::format("the reference takes more than {} warp-instructions (watch.check_below)",
                    parameters_.watch.check_below);
  }
  result_.reference_instructions = executor.total;
  result_.reference_seconds = cpu_seconds() - start;
}

void RunSession::run_timed() {
  const double start = cpu_seconds();
  timed_run_ = std::make_unique<launch::LaunchRun>(file_, *compiled_, timed_memory_);
  timed_run_->prepare();
  Executor executor(*this);
  timed_run_->run(executor);
  result_.timed_seconds = cpu_seconds() - start;
}

}  // namespace heddle::run
