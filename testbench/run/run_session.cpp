#include "testbench/run/run_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>

#include "models/memory/memory_parameters.h"
#include "models/ptx/kernel_name.h"
#include "models/ptx/module.h"
#include "models/reference/atomic_values.h"
#include "models/reference/checks.h"
#include "testbench/launch/printed_compare.h"
#include "testbench/launch/program_provider.h"
#include "testbench/launch/reference_executor.h"
#include "testbench/run/energy_setup.h"
#include "testbench/run/machine_reads.h"
#include "testbench/run/memory_size.h"
#include "testbench/run/reference_options.h"
#include "testbench/run/resident_warps.h"
#include "testbench/run/run_laws.h"
#include "testbench/run/standstill_check.h"

namespace heddle::run {
namespace {

double cpu_seconds() {
  std::timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// exception that leaves the loop over the launch file's steps when the run is ended early
struct EndedEarly {};

using ReadsByLaunch = std::map<std::uint32_t, std::shared_ptr<isa::MachineReads>>;

// Runs launches on the untimed reference. Clock reads return the values that the timed launches have read.
// Stops when all launches together have executed `limit` warp-instructions (0: no limit).
class CheckExecutor : public launch::LaunchExecutor {
 public:
  CheckExecutor(std::uint64_t limit, reference::ReferenceOptions options, const estimate::UntimedStore& store,
                const ReadsByLaunch& reads)
      : limit_(limit),
        launch_limit_(options.max_warp_instructions),
        options_(std::move(options)),
        store_(store),
        reads_(reads) {}
  void launch(const isa::KernelLaunch& kernel_launch, MemoryImage& memory) override {
    isa::KernelLaunch launch = kernel_launch;
    if (const auto known = reads_.find(launch.id.value); known != reads_.end()) launch.reads = known->second;
    const std::uint64_t left = limit_ ? std::max<std::uint64_t>(limit_ - total, 1) : 0;
    options_.max_warp_instructions =
        left && launch_limit_ ? std::min(left, launch_limit_) : left + launch_limit_;
    // With checks, execute the launch even if a result is stored, because checks need to observe an
    // execution.
    total += options_.observer ? reference::run_reference(launch, memory, options_).warp_instructions
                               : store_.execute(launch, memory, options_).counts.result.warp_instructions;
    if (incomparable.empty()) incomparable = why_incomparable(launch);
  }
  void round() override {
    if (options_.stop && options_.stop()) throw reference::StoppedError("", "stopped");
  }
  std::uint64_t total = 0;
  std::string incomparable;

 private:
  std::uint64_t limit_, launch_limit_;
  reference::ReferenceOptions options_;
  const estimate::UntimedStore& store_;
  const ReadsByLaunch& reads_;
};

}  // namespace

void LaunchTotals::add(const LaunchRecord& record) {
  ++launches;
  ctas += record.ctas_total;
  if (!record.timed) return;
  ++timed;
  ctas_timed += record.ctas_timed;
  cycles += record.cycles;
  counters.resize(record.counters.size());
  for (std::size_t i = 0; i < counters.size(); ++i) counters[i] += record.counters[i];
}

// Runs launches on the GPU; launches that are not timed run on the reference.
class RunSession::Executor : public launch::LaunchExecutor {
 public:
  explicit Executor(RunSession& session) : s_(session) {}

  void launch(const isa::KernelLaunch& kernel_launch, MemoryImage& memory) override {
    isa::KernelLaunch launch = kernel_launch;
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
    if (record.timed) launch.reads = record_for(*launch.program, s_.parameters_.gpu);
    if (launch.reads) s_.reads_[launch.id.value] = launch.reads;
    if (s_.estimates_)
      run_estimated(launch, memory, record);
    else if (record.timed)
      run_timed(launch, memory, record);
    else
      reference::run_reference(launch, memory, s_.reference_options());
    record.program = launch.program;
    LaunchTotals& totals = s_.result_.totals;
    const std::uint64_t alike = record.timed ? totals.timed : totals.launches - totals.timed;
    record.in_full = alike < s_.parameters_.output.launches_in_full;
    totals.add(record);
    if (s_.hooks_.on_launch_end) s_.hooks_.on_launch_end(record);
    if (record.in_full) s_.result_.launches.push_back(std::move(record));
    if (s_.result_.interrupted) throw EndedEarly{};
  }
  void round() override {
    if (s_.hooks_.on_reference && s_.hooks_.on_reference()) {
      s_.result_.interrupted = true;
      throw EndedEarly{};
    }
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
    if (launch.reads || s_.parameters_.watch.check == "off") {
      isa::KernelLaunch parsed = launch;
      parsed.program = s_.parsed_->program(launch.program->kernel);
      refuse_standstill(parsed, memory, s_.reference_options());
    }
    const Gpu::Result result = s_.gpu_->run(launch, range);
    record.begin = result.begin;
    record.cycles = result.cycles;
    record.ctas_timed = result.ctas;
    record.counters = s_.stats_.snapshot();
    for (std::size_t i = 0; i < record.counters.size(); ++i) record.counters[i] -= start[i];
    if (s_.energy_) s_.energy_->check_cycles(record.counters, record.cycles);
    s_.result_.interrupted = result.interrupted;
    // So far, only the sampled CTAs have been executed. The reference now executes the whole launch, from the
    // memory before the launch.
    if (sampled && !result.interrupted) {
      memory = before;
      reference::run_reference(launch, memory, s_.reference_options());
    }
  }

  void run_estimated(const isa::KernelLaunch& launch, MemoryImage& memory, LaunchRecord& record) {
    record.ctas_per_sm = s_.gpu_->dispatcher().ctas_per_sm(launch);
    estimate::EstimatedLaunches::Outcome outcome = s_.estimates_->launch(launch, memory, [&] {
      if (s_.hooks_.on_launch) s_.hooks_.on_launch(launch);
      note_program(launch);
    });
    s_.result_.interrupted = outcome.run.interrupted;
    record.timed = outcome.timed;
    record.estimate = std::move(outcome.estimate);
    if (!record.timed) return;
    record.begin = outcome.run.begin;
    record.cycles = outcome.run.cycles;
    record.ctas_timed = outcome.ctas_timed;
    record.counters = std::move(outcome.counters);
    if (s_.energy_) s_.energy_->check_cycles(record.counters, record.cycles);
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
    : parameters_(parameters),
      hooks_(std::move(hooks)),
      file_(launch_of(parameters)),
      untimed_store_(parameters.watch.untimed_store,
                     file_.depends_on.any() ? 1 : parameters.watch.untimed_threads) {
  technologies_ = read_technologies(parameters_);
  inputs_ = hash_inputs(file_, technologies_);
  parsed_ = std::make_unique<launch::PtxPrograms>(file_);
  parsed_->keep_calls();
  parameters_.compiler.max_registers =
      std::min(parameters_.compiler.max_registers, parameters_.gpu.sm.max_registers_per_thread);
  parameters_.compiler.resident_warps = [this](const isa::Program& program) {
    return resident_warps(*gpu_, file_, *parsed_->module(), program);
  };
  compiled_ = std::make_unique<launch::PtxPrograms>(parsed_->modules(), [this](isa::Program parsed) {
    isa::Program made = compiler::compile(parsed, parameters_.compiler);
    made.repeats_read_once = parameters_.gpu.sm.register_file.repeated_operand == "once";
    bind_units(made, parameters_.gpu.sm.units);
    std::pair key{parsed.file, parsed.kernel};
    parsed_programs_.insert_or_assign(std::move(key), std::move(parsed));
    return made;
  });
}

RunSession::~RunSession() = default;

const compiler::LoadWaits& RunSession::load_waits(const isa::Program& compiled) {
  const auto [known, is_new] = load_waits_.try_emplace(&compiled);
  if (is_new)
    known->second = compiler::load_waits(parsed_programs_.at({compiled.file, compiled.kernel}), compiled,
                                         parameters_.compiler);
  return known->second;
}

std::string RunSession::plain_name(const std::string& kernel) const {
  std::vector<ptx::KernelName> kernels;
  for (const auto& module : parsed_->modules())
    kernels.insert(kernels.end(), module->kernels().begin(), module->kernels().end());
  const auto named = [](const std::string& plain) { return [&](const auto& k) { return k.plain == plain; }; };
  for (const auto& k : kernels)
    if (k.mangled == kernel && std::count_if(kernels.begin(), kernels.end(), named(k.plain)) == 1)
      return k.plain;
  return kernel;
}

const RunResult& RunSession::run() {
  Gpu::Options options;
  options.every_cycle = parameters_.watch.every_cycle || parameters_.cosim.on();
  options.shuffle_seed = parameters_.watch.shuffle_seed;
  options.quantum = parameters_.watch.quantum;
  options.threads = parameters_.watch.threads;
  options.limits.deadlock_cycles = parameters_.watch.deadlock_cycles;
  if (parameters_.watch.max_cycles) options.limits.max_cycles = parameters_.watch.max_cycles;
  if (parameters_.watch.endless_cycles) options.limits.endless_cycles = parameters_.watch.endless_cycles;
  constexpr std::uint64_t kObservedInterval = 500;  // cycles between two points of a plot over time
  options.limits.interval_cycles = parameters_.watch.interval_cycles;
  if (options.limits.interval_cycles == 0 && parameters_.output.over_time())
    options.limits.interval_cycles = kObservedInterval;
  options.limits.on_interval = [this](Cycle cycle) {
    gpu_->settle(cycle);
    if (hooks_.on_interval) hooks_.on_interval(cycle);
  };
  options.limits.on_heartbeat = hooks_.on_heartbeat;
  gpu_ = std::make_unique<Gpu>("gpu", parameters_.gpu, timed_memory_, stats_, options);
  if (const std::string warning = memory_size_warning(parameters_.gpu); !warning.empty())
    result_.warnings.push_back(warning);
  energy_ = make_energy_account(std::move(technologies_), parameters_, stats_);
  if (energy_)
    result_.warnings.insert(result_.warnings.end(), energy_->warnings().begin(), energy_->warnings().end());
  start_co_simulation();
  if (parameters_.watch.check == "on") laws_ = std::make_unique<RunLaws>(*gpu_);
  if (hooks_.on_built) hooks_.on_built(*gpu_);

  prepare_runs();
  // Run the reference first, because its error messages explain more. But if kernels read clocks, run the GPU
  // first: the reference then replays the values that the timed run read.
  if (reads_machine(file_.steps)) {
    run_timed_first();
    if (!result_.interrupted) run_reference();
  } else {
    run_reference();
    if (!result_.interrupted) run_timed();
  }
  if (result_.interrupted) {
    result_.checked = false;
    result_.unchecked_reason = "the run was ended early";
  }
  check_sample();
  if (result_.checked) {
    result_.comparisons =
        launch::compare_outputs(compared_buffers(*timed_run_), compared_buffers(*reference_run_));
    compare_printed();
    result_.equal = std::all_of(result_.comparisons.begin(), result_.comparisons.end(),
                                [](const auto& c) { return c.equal; }) &&
                    result_.timed_differences.empty();
    if (!result_.equal && incomparable_.empty()) find_order_of_atomics();
    if (!result_.equal && !incomparable_.empty()) {
      result_.checked = false;
      result_.equal = true;
      result_.comparisons.clear();
      result_.unchecked_reason = "outputs differ, and are not comparable: " + incomparable_;
    }
  }
  compare_captured();
  if (co_simulation_) co_simulation_->finish();
  // Add the warnings that results depend on clocks or on the SM, unless all outputs were compared and equal
  // those of the reference.
  if (timed_run_ && (estimates_ || !result_.checked || !result_.equal))
    result_.warnings.insert(result_.warnings.end(), timed_run_->warnings().begin(),
                            timed_run_->warnings().end());
  if (!result_.equal && reference_run_ && result_.check_lines.empty()) explain_difference();
  check_halves();
  check_inputs();
  return result_;
}

std::vector<launch::BufferView> RunSession::compared_buffers(const launch::LaunchRun& run) const {
  std::vector<launch::BufferView> buffers = run.outputs();
  for (const launch::BufferSpec& spec : file_.buffers)
    if (spec.expected && !reads_.empty()) buffers.push_back(run.buffer(spec.name));
  return buffers;
}

// Compares memory after a captured launch with the captured memory. Skips kernels that read clocks, because
// the captured launch read other times. Their memory is compared with the reference's memory instead.
void RunSession::compare_captured() {
  if (!timed_run_ || result_.interrupted || !reads_.empty()) return;
  for (launch::BufferComparison& captured : launch::compare_captured(file_, *timed_run_)) {
    result_.checked = true;
    result_.equal = result_.equal && captured.equal;
    result_.comparisons.push_back(std::move(captured));
  }
}

void RunSession::compare_printed() {
  const launch::Printed &timed = timed_run_->printed(), &expected = reference_run_->printed();
  if (timed.lost_bytes || expected.lost_bytes) {
    result_.warnings.push_back(
        fmt::format("printf: {} bytes did not fit into the buffer of {} bytes of a launch, and printed text "
                    "is not checked",
                    expected.lost_bytes, isa::kPrintfBytes));
  } else if (!timed.calls.empty() || !expected.calls.empty()) {
    result_.comparisons.push_back(launch::compare_printed(timed, expected));
  }
}

const launch::Printed& RunSession::printed() const {
  static const launch::Printed nothing;
  if (reference_run_ && result_.checked) return reference_run_->printed();
  return timed_run_ ? timed_run_->printed() : nothing;
}

void RunSession::start_co_simulation() {
  if (!parameters_.cosim.on() && !parameters_.cosim.record.empty())
    throw Error("cosim.record", "there is nothing to record without co-simulation",
                "cosim.mode lockstep or drive");
  if (!parameters_.cosim.on()) return;
  if (!CoSimulation::factory())
    throw Error(
        "cosim.mode", "this program has been built without co-simulation (Verilator was missing)",
        "off; or after scripts/setup, which installs Verilator, and scripts/demo, which builds with it");
  co_simulation_ = CoSimulation::factory()(*gpu_, parameters_.cosim);
}

// Throws Error if watch.sample names a launch that the launch file does not have.
void RunSession::check_sample() const {
  const std::uint64_t launches = result_.totals.launches;
  for (const int position : parameters_.watch.sample.launches)
    if (!result_.interrupted && static_cast<std::uint64_t>(position) >= launches)
      throw Error("watch.sample.launches", fmt::format("there is no launch {}", position),
                  fmt::format("0 to {}", launches - 1));
}

// Warns if a kernel uses half precision although the GPU has no units for it.
void RunSession::check_halves() {
  if (parameters_.gpu.sm.units.half_units) return;
  std::uint64_t issued = 0;
  for (const CounterInfo& info : stats_.counters()) {
    const std::string_view name = info.name;  // without the module's path; ends with the class
    if (name.ends_with("class_fp16") || name.ends_with("class_fp16x2")) issued += info.counter->value();
  }
  if (issued)
    result_.warnings.push_back(
        fmt::format("{} warp-instructions of half precision took the time of conversions and single "
                    "precision, because this GPU has no units for them (gpu.sm.units.half_units)",
                    issued));
}

void RunSession::check_inputs() {
  for (const InputFile& input : inputs_)
    if (has_changed(input))
      result_.warnings.push_back(fmt::format("{} has changed since the run began", input.path));
}

reference::ReferenceOptions RunSession::reference_options() const {
  reference::ReferenceOptions options = run::reference_options(parameters_);
  options.stop = hooks_.on_reference;
  return options;
}

std::unique_ptr<launch::LaunchRun> RunSession::launch_run(launch::ProgramProvider& programs,
                                                          MemoryImage& memory) const {
  const BufferParameters buffers = buffer_parameters(parameters_.gpu.memory);
  return std::make_unique<launch::LaunchRun>(file_, programs, memory, buffers.buffer_base,
                                             buffers.wide_guards());
}

// Prepares the run on the GPU and the run on the reference. Both share the memory of a buffer's contents
// until one of the runs writes to it.
void RunSession::prepare_runs() {
  prepared_timed_run_ = launch_run(*compiled_, timed_memory_);
  prepared_timed_run_->prepare();
  if (parameters_.watch.check == "off") return;
  prepared_reference_run_ = launch_run(*parsed_, reference_memory_);
  prepared_reference_run_->prepare_like(*prepared_timed_run_);
}

void RunSession::run_reference() {
  if (parameters_.watch.check == "off") {
    result_.unchecked_reason = "switched off";
    return;
  }
  const double start = cpu_seconds();
  reference_run_ = std::move(prepared_reference_run_);
  const reference::CheckKinds kinds = check_kinds(parameters_.watch);
  reference::Checks checks(kinds, parameters_.watch.check_limit);
  reference::ReferenceOptions options = reference_options();
  checks.observe(options);
  CheckExecutor executor(
      parameters_.watch.check == "auto" && !kinds.any() ? parameters_.watch.check_below : 0,
      std::move(options), untimed_store_, reads_);
  try {
    reference_run_->run(executor);
    result_.checked = true;
  } catch (const reference::InstructionLimitError&) {
    result_.unchecked_reason =
        "the reference takes more warp-instructions than watch.check_below, or a launch takes more than fit "
        "into watch.max_cycles";
  } catch (const reference::StoppedError&) {
    result_.interrupted = true;
  }
  if (checks.any()) {
    result_.check_lines = checks.report();
    for (std::string& line : result_.check_lines) line = ptx::with_plain_names(line);
  }
  result_.findings = checks.findings().total();
  incomparable_ = executor.incomparable;
  reference_memory_.settle();
  result_.reference_instructions = executor.total;
  result_.reference_seconds = cpu_seconds() - start;
}

// For a kernel that reads clocks: runs the reference again. Checks whether all output words that differ from
// the reference's words depend on values that atomics returned. If so, the outputs cannot be compared, and
// this is not an error.
void RunSession::find_order_of_atomics() {
  if (reads_.empty() || !result_.timed_differences.empty()) return;
  reference::AtomicValues values;
  reference::ReferenceOptions options = reference_options();
  options.observer = &values;
  const estimate::UntimedStore no_store("", 1);
  for (int run = 0; run < 2; ++run) {
    MemoryImage memory;
    const auto again = launch_run(*parsed_, memory);
    again->prepare();
    values.observe_again();
    CheckExecutor executor(0, options, no_store, reads_);
    again->run(executor);
  }
  const std::vector<launch::BufferView> timed = compared_buffers(*timed_run_),
                                        expected = compared_buffers(*reference_run_);
  bool all = true;
  for (std::size_t i = 0; i < result_.comparisons.size() && all; ++i)
    all = result_.comparisons[i].equal ||
          (i < expected.size() && values.explain(expected[i].address, timed[i].data, expected[i].data));
  if (all) incomparable_ = kOrderOfAtomics;
}

// Looks for data races after outputs have differed, because races are the most frequent reason for
// differences.
void RunSession::explain_difference() {
  MemoryImage memory;
  const auto again = launch_run(*parsed_, memory);
  reference::Checks checks(reference::read_check_kinds("", kExplainingChecks, {}));
  reference::ReferenceOptions options = reference_options();
  checks.observe(options);
  try {
    again->prepare();
    launch::ReferenceExecutor executor(options);
    again->run(executor);
  } catch (const reference::StoppedError&) {  // After an error in the kernel, report the races found so far.
  }
  for (const std::string& line : checks.findings().lines())
    result_.warnings.push_back(ptx::with_plain_names(line));
  if (checks.findings().further())
    result_.warnings.push_back(fmt::format("and {} more findings", checks.findings().further()));
}

void RunSession::run_timed() {
  const double start = cpu_seconds();
  timed_run_ = std::move(prepared_timed_run_);
  start_estimates();
  Executor executor(*this);
  try {
    timed_run_->run(executor);
    if (laws_) laws_->check_balances();
  } catch (const EndedEarly&) {
  } catch (const reference::StoppedError&) {
    result_.interrupted = true;
  }
  finish_estimates();
  result_.timed_seconds = cpu_seconds() - start;
}

// Runs the GPU before the reference. If the model stops with an error, runs the reference, because its
// message explains more.
void RunSession::run_timed_first() {
  try {
    run_timed();
  } catch (const Error&) {
    if (parameters_.watch.check != "off") run_reference();
    throw;
  }
}

bool RunSession::reads_machine(const std::vector<launch::Step>& steps) const {
  return std::any_of(steps.begin(), steps.end(), [this](const launch::Step& step) {
    if (step.kind != launch::Step::Kind::kernel) return reads_machine(step.body);
    const auto program = parsed_->program(step.kernel);
    return program->reads_time() || program->reads_placement();
  });
}

void RunSession::start_estimates() {
  if (!parameters_.estimate.enabled) return;
  const SampleParameters& sample = parameters_.watch.sample;
  if (sample.ctas || !sample.launches.empty())
    throw Error("estimate.enabled", "a sample of CTAs or launches is chosen, too",
                "an estimate, which chooses what is timed, or watch.sample");
  timed_words_ = std::make_unique<estimate::TimedWords>([this] { return timed_run_->outputs(); },
                                                        file_.depends_on.any());
  const auto parsed = [this](const std::string& kernel) { return parsed_->program(kernel); };
  estimates_ = std::make_unique<estimate::EstimatedLaunches>(
      estimate::EstimatedLaunches::Surroundings{parameters_.estimate,
                                                *gpu_,
                                                stats_,
                                                energy_.get(),
                                                [this] { return reference_options(); },
                                                parsed,
                                                parameters_.watch.check != "off",
                                                file_.depends_on.cta_order || file_.depends_on.time,
                                                *timed_words_,
                                                untimed_store_,
                                                result_.warnings,
                                                {}});
}

void RunSession::finish_estimates() {
  if (!estimates_) return;
  result_.estimate = estimates_->total();
  if (parameters_.watch.check == "off") return;
  result_.output_words = timed_words_->output_words();
  result_.compared_words = timed_words_->written_words();
  result_.timed_differences = timed_words_->differences();
}

}  // namespace heddle::run
