#include "testbench/program/timed_gpu.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "models/compiler/pipeline.h"
#include "models/ptx/kernel_name.h"
#include "testbench/launch/new_file.h"
#include "testbench/output/counter_view.h"
#include "testbench/output/run_outputs.h"
#include "testbench/run/energy_setup.h"
#include "testbench/run/reference_options.h"
#include "testbench/view/view_page.h"
#include "testbench/view/view_recorder.h"

namespace heddle::program {
namespace {

OutputParameters waves_alone(const run::RunParameters& parameters, const std::string& folder) {
  OutputParameters output;
  output.folder = folder;
  output.vcd = parameters.output.vcd;
  return output;
}

}  // namespace

TimedGpu::TimedGpu(const run::RunParameters& parameters, const std::string& waves,
                   const view::ViewParameters& view)
    : parameters_(parameters),
      untimed_store_(parameters.watch.untimed_store, parameters.watch.untimed_threads) {
  parameters_.compiler.max_registers =
      std::min(parameters_.compiler.max_registers, parameters_.gpu.sm.max_registers_per_thread);
  Gpu::Options options;
  options.every_cycle = parameters_.watch.every_cycle;
  options.shuffle_seed = parameters_.watch.shuffle_seed;
  options.quantum = parameters_.watch.quantum;
  options.threads = parameters_.watch.threads;
  options.limits.deadlock_cycles = parameters_.watch.deadlock_cycles;
  if (parameters_.watch.max_cycles) options.limits.max_cycles = parameters_.watch.max_cycles;
  if (parameters_.watch.endless_cycles) options.limits.endless_cycles = parameters_.watch.endless_cycles;
  gpu_ = std::make_unique<Gpu>("gpu", parameters_.gpu, memory_, stats_, options);
  issued_ = output::CounterView(stats_, stats_.snapshot()).counters("sm.issue.issued");
  energy_ = run::make_energy_account(run::read_technologies(parameters_), parameters_, stats_);
  if (!view.file.empty()) {
    recorder_ = std::make_unique<view::ViewRecorder>(view, *gpu_, stats_);
    page_ = view.file;
  }
  if (waves.empty()) return;
  outputs_ = std::make_unique<RunOutputs>(waves_alone(parameters_, waves));
  outputs_->observe(*gpu_, stats_, energy_.get());
}

TimedGpu::~TimedGpu() = default;

void TimedGpu::compile(Kernel& kernel, const isa::KernelLaunch& shape) {
  if (kernel.compiled) return;
  compiler::CompilerParameters parameters = parameters_.compiler;
  parameters.resident_warps = [&](const isa::Program& program) {
    isa::KernelLaunch launch = shape;
    launch.program = std::shared_ptr<const isa::Program>(std::shared_ptr<const isa::Program>(), &program);
    const auto ctas =
        std::min<std::uint64_t>(static_cast<std::uint64_t>(ctas_per_sm(launch)), shape.grid.count());
    return std::max(1, static_cast<int>(ctas * launch.warps_per_cta()));
  };
  const isa::Program parsed = ptx::lower_kernel(*kernel.module, kernel.mangled, kernel.stack_bytes);
  isa::Program made = compiler::compile(parsed, parameters);
  load_waits_[kernel.mangled] = compiler::load_waits(parsed, made, parameters);
  made.repeats_read_once = parameters_.gpu.sm.register_file.repeated_operand == "once";
  bind_units(made, parameters_.gpu.sm.units);
  isa::bind_lane_functions(made);
  kernel.compiled = std::make_shared<const isa::Program>(std::move(made));
}

bool TimedGpu::samples(const isa::KernelLaunch& launch) const {
  const run::SampleParameters& sample = parameters_.watch.sample;
  return sample.ctas != 0 && (sample.first_cta != 0 || sample.ctas < launch.grid.count());
}

TimedGpu::Result TimedGpu::run(const isa::KernelLaunch& launch) {
  if (outputs_) outputs_->launch_begins(launch);
  if (recorder_) recorder_->launch_begins(launch);
  std::vector<std::uint64_t> counters = stats_.snapshot();
  const run::SampleParameters& sample = parameters_.watch.sample;
  const Gpu::Result run =
      gpu_->run(launch, samples(launch) ? DispatchRange{sample.first_cta, sample.ctas} : DispatchRange{});
  write_page();
  const std::vector<std::uint64_t> end = stats_.snapshot();
  for (std::size_t i = 0; i < counters.size(); ++i) counters[i] = end[i] - counters[i];
  counted_.resize(counters.size());
  for (std::size_t i = 0; i < counters.size(); ++i) counted_[i] += counters[i];
  counted_cycles_ += run.cycles;
  count_kernel(launch, counters, static_cast<double>(run.cycles));
  Result result;
  result.cycles = run.cycles;
  result.ctas = run.ctas;
  result.issued = output::sum_of(counters, issued_);
  if (!energy_) return result;
  energy_->check_cycles(counters, run.cycles);
  const power::EnergyReport report = energy_->balances(counters, run.cycles);
  result.energy_pj = report.total.spent.total();
  result.dynamic_pj = report.total.spent[power::Kind::dynamic];
  result.baseline_pj = report.total.baseline.total();
  return result;
}

void TimedGpu::write_page() {
  if (page_.empty()) return;
  const std::string file = std::exchange(page_, {});
  view::Recording recording = recorder_->take();
  recording.techniques = parameters_.techniques;
  launch::write_text(file, view::make_page(recording));
}

void TimedGpu::count_kernel(const isa::KernelLaunch& launch, const std::vector<std::uint64_t>& counters,
                            double cycles) {
  if (counters.size() != stats_.counters().size()) return;
  const std::string& kernel = launch.program->kernel;
  kernel_counts_.add(ptx::plain_name(kernel),
                     {launch.grid.count(), static_cast<std::uint64_t>(ctas_per_sm(launch)),
                      launch.program->registers, launch.shared_bytes(), load_waits_[kernel]},
                     counters, static_cast<std::uint64_t>(std::llround(cycles)));
}

TimedGpu::Estimated TimedGpu::run_estimated(const isa::KernelLaunch& launch,
                                            std::shared_ptr<const isa::Program> parsed) {
  if (!estimated_) {
    words_ = std::make_unique<estimate::TimedWords>([] { return std::vector<launch::BufferView>{}; }, false);
    estimated_ = std::make_unique<estimate::EstimatedLaunches>(estimate::EstimatedLaunches::Surroundings{
        parameters_.estimate, *gpu_, stats_, energy_.get(),
        [this] { return run::reference_options(parameters_); },
        [this](const std::string& kernel) { return parsed_.at(kernel); }, parameters_.watch.check != "off",
        false, *words_, untimed_store_, warnings_,
        [this](estimate::LaunchEstimate estimate) {
          estimate.counters.clear();
          refined_.push_back(std::move(estimate));
        }});
  }
  parsed_[launch.program->kernel] = std::move(parsed);
  const std::size_t known = words_->differences().size();
  const std::uint64_t compared = words_->launches_compared();
  estimate::EstimatedLaunches::Outcome outcome = estimated_->launch(launch, memory_, [&] {
    if (outputs_) outputs_->launch_begins(launch);
  });
  count_kernel(launch, outcome.estimate.counters, outcome.estimate.cycles.value);
  Estimated result;
  result.estimate = std::move(outcome.estimate);
  result.ctas = outcome.ctas_timed;
  result.compared = words_->launches_compared() > compared;
  result.differences.assign(words_->differences().begin() + static_cast<std::ptrdiff_t>(known),
                            words_->differences().end());
  return result;
}

std::optional<estimate::LaunchEstimate> TimedGpu::total_estimate() {
  if (!estimated_) return std::nullopt;
  return estimated_->total();
}

ConfigNode TimedGpu::counted() {
  const auto total = total_estimate();
  const std::vector<std::uint64_t>& values = total ? total->counters : counted_;
  const auto& infos = stats_.counters();
  if (values.size() != infos.size()) return {};
  ConfigNode counters = ConfigNode::make_object();
  for (std::size_t i = 0; i < infos.size(); ++i)
    counters.members.emplace_back(infos[i].full_name(), ConfigNode::make_count(values[i]));
  const auto cycles = total ? static_cast<Cycle>(std::llround(total->cycles.value)) : counted_cycles_;
  ConfigNode node = ConfigNode::make_object();
  node.members = {{"cycles", ConfigNode::make_count(cycles)},
                  {"counters", std::move(counters)},
                  {"kernels", kernel_counts_.tree(stats_)}};
  return node;
}

void TimedGpu::finish() { outputs_.reset(); }

}  // namespace heddle::program
