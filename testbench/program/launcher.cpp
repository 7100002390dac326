#include "testbench/program/launcher.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <iterator>

#include "models/core/exception_text.h"
#include "models/ptx/kernel_name.h"
#include "models/reference/atomic_values.h"
#include "models/reference/checks.h"
#include "testbench/launch/output_compare.h"
#include "testbench/launch/printed.h"
#include "testbench/program/capture.h"
#include "testbench/program/padding_watch.h"
#include "testbench/program/program_counts.h"
#include "testbench/program/program_estimate.h"
#include "testbench/run/machine_reads.h"
#include "testbench/run/reference_options.h"
#include "testbench/run/standstill_check.h"

namespace heddle::program {
namespace {

using Allocations = std::vector<std::unique_ptr<MemoryImage::Allocation>>;

/// Calls each(here, there) for every allocation that both memory images have. Only the timed image has
/// allocations for local memory.
template <class Each>
void for_both(const Allocations& here, const Allocations& there, Each each) {
  auto other = there.begin();
  for (const auto& allocation : here) {
    while (other != there.end() && (*other)->base < allocation->base) ++other;
    if (other != there.end() && (*other)->base == allocation->base) each(*allocation, **other);
  }
}

}  // namespace

Launcher::Launcher(const ExecParameters& parameters, DeviceMemory& memory)
    : parameters_(parameters),
      memory_(memory),
      selection_(parameters.launches, "--launches"),
      checks_(run::check_kinds(parameters.run.watch), parameters.run.watch.check_limit) {
  if (parameters_.timed())
    gpu_ = std::make_unique<TimedGpu>(parameters_.run, parameters_.waves, parameters_.view);
  if (run::check_kinds(parameters.run.watch).has(reference::CheckKind::memory)) memory_.keep_released();
  if (!parameters_.capture.empty()) capture_ = std::make_unique<Capture>(parameters_, memory_);
  finds_kinds_ = selection_.selects_representatives() || (capture_ && capture_->selects_representatives());
  if (parameters_.work.empty()) return;
  const std::string file = rows_file(parameters_.work, parameters_.process);
  rows_ = std::fopen(file.c_str(), "a");
  if (!rows_) throw Error(file, fmt::format("cannot write this file: {}", std::strerror(errno)));
}

Launcher::~Launcher() {
  if (rows_) std::fclose(rows_);
}

void Launcher::finish() {
  if (!gpu_) return;
  const auto total = gpu_->total_estimate();
  record_refined();
  if (total && !parameters_.work.empty())
    write_estimate(*total, estimate_file(parameters_.work, parameters_.process));
  if (const ConfigNode counts = gpu_->counted(); counts.is_object() && !parameters_.work.empty())
    write_counts(counts, counts_file(parameters_.work, parameters_.process));
  gpu_->finish();
}

void Launcher::launch(Kernel& kernel, isa::KernelLaunch launch) {
  launch.program = kernel.parsed;
  launch.id = KernelId{static_cast<std::uint32_t>(launches_)};
  LaunchRow row;
  row.launch = launches_++;
  row.kernel = kernel.plain;
  row.mangled = kernel.mangled;
  row.grid = launch.grid;
  row.block = launch.block;
  try {
    execute(kernel, launch, row);
  } catch (const std::exception& error) {
    row.error = exception_text(error);
    row.timed = row.checked = false;
    row.captured.clear();
    record(row.to_line());
    throw;
  }
  time_ms_ += row.time_us / 1000;
  record(row.to_line());
}

void Launcher::record_failed(LaunchRow row) {
  row.launch = launches_++;
  record(row.to_line());
}

void Launcher::execute(Kernel& kernel, isa::KernelLaunch& launch, LaunchRow& row) {
  check_shape(kernel, launch);
  row.shared_bytes = launch.shared_bytes();
  using Choice = LaunchSelection::Choice;
  const Choice choice = gpu_ ? selection_.choose(row.launch, kernel.mangled, kernel.plain) : Choice::no;
  row.timed = choice == Choice::yes;
  if (choice != Choice::no) prepare_timed(kernel, launch);
  if (kernel.compiled) row.registers = kernel.compiled->registers;
  memory_.before_launch();
  if (capture_) capture_->before(row, kernel, launch);
  if (choice == Choice::first_of_kind)
    run_first_of_kind(kernel, launch, row);
  else
    run(kernel, launch, row);
  if (finds_kinds_ && !row.representative) find_kind(launch, row);
  if (capture_ && finds_kinds_ && row.representative != row.launch) capture_->drop(row);
  print(kernel, launch);
  if (capture_) capture_->after(row);
  memory_.after_launch();
}

void Launcher::prepare_timed(Kernel& kernel, isa::KernelLaunch launch) {
  gpu_->compile(kernel, launch);
  launch.program = kernel.compiled;
  try {
    gpu_->check(launch);
  } catch (const Error& error) {
    if (launch.cooperative && gpu_->ctas_per_sm(launch) > 0) throw ResidenceError("", error.what());
    throw RoomError("", error.what());
  }
}

void Launcher::check_shape(const Kernel& kernel, const isa::KernelLaunch& launch) const {
  const isa::Program& program = *launch.program;
  const std::string where = "kernel " + kernel.plain;
  const std::uint64_t most = program.max_threads ? program.max_threads : 1024;
  if (launch.block.count() == 0 || launch.block.count() > most || launch.block.z > 64)
    throw ShapeError(where, fmt::format("a block of {} threads", launch.block.count()),
                     fmt::format("1 to {}", most));
  const auto& required = program.required_threads;
  if (required[0] != 0 && !(launch.block == isa::Dim3{required[0], required[1], required[2]}))
    throw ShapeError(where, "another block size than the kernel requires",
                     fmt::format("{} x {} x {}", required[0], required[1], required[2]));
  if (launch.grid.count() == 0 || launch.grid.x > 0x7fffffff || launch.grid.y > 65535 ||
      launch.grid.z > 65535)
    throw ShapeError(where,
                     fmt::format("a grid of {} x {} x {}", launch.grid.x, launch.grid.y, launch.grid.z),
                     "1 and more, up to 2147483647 x 65535 x 65535");
  if (launch.grid.count() > isa::kMostCtas)
    throw ShapeError(where,
                     fmt::format("a grid of {} x {} x {}, {} CTAs", launch.grid.x, launch.grid.y,
                                 launch.grid.z, launch.grid.count()),
                     fmt::format("up to {} CTAs", isa::kMostCtas));
}

// Run the reference first, because it must report the error of a faulty kernel: after a fault, the GPU can
// run no more launches. But if the kernel reads clocks, time the launch first, because the reference replays
// the values that the timed launch read.
void Launcher::run(Kernel& kernel, isa::KernelLaunch& launch, LaunchRow& row) {
  if (!row.timed) {
    run_reference(launch, row, 0);
    return;
  }
  const run::WatchParameters& watch = parameters_.run.watch;
  gpu_->memory() = memory_.image();
  launch.reads = run::record_for(*kernel.compiled, parameters_.run.gpu);
  if (gpu_->estimates()) {
    run_estimated(kernel, launch, row);
    return;
  }
  const bool sampled = gpu_->samples(launch);
  const bool compares = !sampled && watch.check != "off";
  if (compares) before_ = gpu_->memory();
  const auto reference = [&] {
    if (!sampled && !finds_kinds_ && !checks_.any() && watch.check == "off") return false;
    const bool limited = watch.check == "auto" && !sampled && !finds_kinds_ && !checks_.any();
    return run_reference(launch, row, limited ? watch.check_below : 0);
  };
  if (launch.reads || watch.check == "off")
    run::refuse_standstill(launch, memory_.image(), run::reference_options(parameters_.run));
  bool referenced = false;
  if (launch.reads) {
    run_timed_first(kernel, launch, row);
    referenced = reference();
  } else {
    referenced = reference();
    run_timed(kernel, launch, row);
  }
  if (!referenced)
    take_timed_memory();
  else if (compares)
    compare(launch, row);
}

// Times the launch before the reference runs it. If the model stops with an error, runs the reference,
// because the reference's message explains more.
void Launcher::run_timed_first(Kernel& kernel, isa::KernelLaunch& launch, LaunchRow& row) {
  try {
    run_timed(kernel, launch, row);
  } catch (const Error&) {
    run_reference(launch, row, 0);
    throw;
  }
}

// Runs the launch on the reference, and determines the launch's kind (run/launch_kinds.h) from the
// reference's counts. If the launch is the first of its kind, also times the launch, with the memory from
// before the launch.
void Launcher::run_first_of_kind(Kernel& kernel, isa::KernelLaunch& launch, LaunchRow& row) {
  gpu_->memory() = memory_.image();
  run_reference(launch, row, 0);
  find_kind(launch, row);
  if (row.representative != row.launch) return;
  row.timed = true;
  launch.reads = run::record_for(*kernel.compiled, parameters_.run.gpu);
  const bool compares = !gpu_->samples(launch) && parameters_.run.watch.check != "off";
  if (compares || launch.reads) before_ = gpu_->memory();
  run_timed(kernel, launch, row);
  if (launch.reads) {
    for_both(
        memory_.image().allocations(), before_.allocations(),
        [](MemoryImage::Allocation& here, const MemoryImage::Allocation& then) { here.data = then.data; });
    run_reference(launch, row, 0);
  }
  if (compares) compare(launch, row);
}

void Launcher::find_kind(const isa::KernelLaunch& launch, LaunchRow& row) {
  const std::size_t kind = kinds_.of(launch, reference_instructions_, reference_segments_);
  if (kind == first_of_kind_.size()) first_of_kind_.push_back(row.launch);
  row.representative = first_of_kind_[kind];
}

void Launcher::run_timed(Kernel& kernel, isa::KernelLaunch launch, LaunchRow& row) {
  launch.program = kernel.compiled;
  const TimedGpu::Result result = gpu_->run(launch);
  row.cycles = result.cycles;
  row.ctas_timed = result.ctas;
  row.instructions = result.issued;
  row.energy_pj = result.energy_pj;
  row.dynamic_pj = result.dynamic_pj;
  row.baseline_pj = result.baseline_pj;
  row.time_us = static_cast<double>(result.cycles) / parameters_.run.gpu.core_clock_mhz;
}

void Launcher::run_estimated(Kernel& kernel, isa::KernelLaunch launch, LaunchRow& row) {
  launch.program = kernel.compiled;
  TimedGpu::Estimated result = gpu_->run_estimated(launch, kernel.parsed);
  take_timed_memory();
  result.estimate.counters.clear();
  result.estimate.windows.clear();
  row.take(std::move(result.estimate), parameters_.run.gpu.core_clock_mhz);
  row.ctas_timed = result.ctas;
  record_refined();
  row.checked = result.compared;
  if (result.differences.empty()) return;
  row.difference = result.differences.front();
  launch.program = kernel.parsed;
  if (const std::string why = run::why_incomparable(launch); !why.empty()) {
    row.checked = false;
    row.difference = fmt::format("not comparable: {}; {}", why, row.difference);
  } else {
    row.equal = false;
  }
}

/// Executes the launch on the reference. Returns false if the launch executes more than `limit`
/// warp-instructions (0: no limit). Memory then contains partial results.
bool Launcher::run_reference(const isa::KernelLaunch& launch, LaunchRow& row, std::uint64_t limit) {
  reference::ReferenceOptions options = run::reference_options(parameters_.run);
  if (limit) options.max_warp_instructions = limit;
  PaddingWatch watch(memory_);
  if (parameters_.lenient) options.observer = &watch;
  checks_.observe(options);
  try {
    const reference::ReferenceResult result = reference::run_reference(launch, memory_.image(), options);
    row.outside_reads = watch.reads();
    take_findings(row);
    reference_instructions_ = result.warp_instructions;
    reference_segments_ = result.global_segments;
    if (row.timed) return true;
    row.instructions = result.warp_instructions;
    const run::RunParameters& p = parameters_.run;
    row.time_us = static_cast<double>(result.warp_instructions) / p.gpu.sms / p.gpu.core_clock_mhz;
  } catch (const reference::InstructionLimitError&) {
    take_findings(row);
    if (!limit) throw;
    return false;
  } catch (const Error&) {
    take_findings(row);
    throw;
  }
  return true;
}

void Launcher::take_findings(LaunchRow& row) {
  const reference::Findings& all = checks_.findings();
  row.findings += all.total() - findings_;
  std::transform(all.lines().begin() + static_cast<std::ptrdiff_t>(finding_lines_), all.lines().end(),
                 std::back_inserter(row.finding_lines), ptx::with_plain_names);
  findings_ = all.total();
  finding_lines_ = all.lines().size();
}

// Replaces heap addresses in the memory of the timed run by those of the reference, before both memories are
// compared. CUDA guarantees no order of heap addresses, so both runs may store different ones. The heap's own
// contents are not compared, unless a kernel copies them to a buffer.
void Launcher::equate_heap_addresses() {
  const MemoryImage::Allocation* const heap = memory_.image().find_by_name(isa::kHeap);
  if (!heap) return;
  const auto in_heap = [heap](std::uint64_t address) { return address - heap->base < heap->bytes; };
  for_both(memory_.image().allocations(), gpu_->memory().allocations(),
           [&](const MemoryImage::Allocation& expected, MemoryImage::Allocation& timed) {
             if (&expected == heap) {
               timed.data = expected.data;
               return;
             }
             for (std::size_t at = 0; at + sizeof(std::uint64_t) <= expected.data.size();
                  at += sizeof(std::uint64_t)) {
               std::uint64_t there = 0, here = 0;
               std::memcpy(&there, expected.data.data() + at, sizeof there);
               std::memcpy(&here, timed.data.data() + at, sizeof here);
               if (here != there && in_heap(here) && in_heap(there))
                 std::memcpy(timed.data.data() + at, &there, sizeof there);
             }
           });
}

void Launcher::compare(const isa::KernelLaunch& launch, LaunchRow& row) {
  row.checked = true;
  equate_heap_addresses();
  std::uint64_t differing = 0;
  for_both(memory_.image().allocations(), gpu_->memory().allocations(),
           [&](const MemoryImage::Allocation& expected, const MemoryImage::Allocation& timed) {
             const launch::WordDifferences found =
                 launch::compare_words({timed.data.data(), expected.data.size()}, expected.data);
             if (differing == 0 && found.differing)
               row.difference = fmt::format("\"{}\", byte {}: {:#010x}, expected {:#010x}", expected.name,
                                            found.first_byte, found.actual, found.expected);
             differing += found.differing;
           });
  if (differing == 0) return;
  row.difference = fmt::format("{} words differ, the first in {}", differing, row.difference);
  if (const std::string why = run::why_incomparable(launch); !why.empty()) {
    row.checked = false;
    row.difference = fmt::format("not comparable: {}; {}", why, row.difference);
    return;
  }
  row.equal = false;
  if (launch.reads) find_order_of_atomics(launch, row);
  explain(launch, row);
}

// For a kernel that reads clocks: runs the reference again, and checks whether all words that differ depend
// on values that atomics returned. If so, the outputs cannot be compared, and this is not an error.
void Launcher::find_order_of_atomics(const isa::KernelLaunch& launch, LaunchRow& row) {
  reference::AtomicValues values;
  reference::ReferenceOptions options = run::reference_options(parameters_.run);
  options.observer = &values;
  for (int run = 0; run < 2; ++run) {
    MemoryImage memory = before_;
    values.observe_again();
    reference::run_reference(launch, memory, options);
  }
  bool all = true;
  for_both(
      memory_.image().allocations(), gpu_->memory().allocations(),
      [&](const MemoryImage::Allocation& expected, const MemoryImage::Allocation& timed) {
        all = all && values.explain(expected.base, {timed.data.data(), expected.data.size()}, expected.data);
      });
  if (!all) return;
  row.checked = false;
  row.equal = true;
  row.difference = fmt::format("not comparable: {}; {}", run::kOrderOfAtomics, row.difference);
}

// Looks for reasons why a kernel's results depend on timing: data races, and dependence on an order of
// threads that CUDA does not guarantee. Does this once for each kernel.
void Launcher::explain(const isa::KernelLaunch& launch, LaunchRow& row) {
  if (!explained_.insert(row.mangled).second) return;
  reference::Checks checks(reference::read_check_kinds("", run::kExplainingChecks, {}));
  reference::ReferenceOptions options = run::reference_options(parameters_.run);
  checks.observe(options);
  reference::run_reference(launch, before_, options);
  std::transform(checks.findings().lines().begin(), checks.findings().lines().end(),
                 std::back_inserter(row.races), ptx::with_plain_names);
  if (checks.findings().further())
    row.races.push_back(fmt::format("and {} more", checks.findings().further()));
}

void Launcher::take_timed_memory() {
  for_both(
      memory_.image().allocations(), gpu_->memory().allocations(),
      [](MemoryImage::Allocation& here, const MemoryImage::Allocation& timed) { here.data = timed.data; });
}

void Launcher::print(const Kernel& kernel, const isa::KernelLaunch& launch) {
  if (!kernel.printf_buffer) return;
  launch::Printed printed;
  launch::read_printed(*kernel.printf_buffer, launch, memory_.image(), printed);
  std::fputs(printed.text().c_str(), stdout);
}

void Launcher::record(const std::string& line) {
  if (!rows_) return;
  std::fputs(line.c_str(), rows_);
  std::fflush(rows_);
}

// Writes better estimates of earlier launches. Readers of the table use them instead of the estimates that
// were written when these launches ended.
void Launcher::record_refined() {
  for (const estimate::LaunchEstimate& estimate : gpu_->refined())
    record(LaunchRow::refined_line(estimate, parameters_.run.gpu.core_clock_mhz));
}

}  // namespace heddle::program
