// heddle mix: prints how often the kernels of launch files execute each kind of instruction. The untimed
// reference counts the instructions.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "models/ptx/kernel_name.h"
#include "testbench/cli/commands.h"
#include "testbench/launch/launch_run.h"
#include "testbench/launch/program_provider.h"
#include "testbench/launch/reference_executor.h"
#include "testbench/output/progress_line.h"
#include "testbench/run/data_files.h"

namespace heddle::cli {
namespace {

double percent(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

void print_head() {
  fmt::print("{:<40} {:>8} {:>13} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>9} {:>9} {:>9}  {}\n", "kernel",
             "launches", "instructions", "int", "fp", "sfu", "ld/st", "contr.", "lanes", "divergent",
             "barriers", "seg./acc.", "classes (%)");
}

void print_row(const std::string& name, std::uint64_t launches, const reference::ReferenceResult& r) {
  const std::uint64_t all = r.warp_instructions;
  std::string classes;
  for (std::size_t c = 0; c < r.by_class.size(); ++c)
    if (r.by_class[c])
      classes += fmt::format("{}{} {:.1f}", classes.empty() ? "" : ", ",
                             isa::name_of(static_cast<isa::OpClass>(c)), percent(r.by_class[c], all));
  fmt::print(
      "{:<40.40} {:>8} {:>13} {:>5.1f}% {:>5.1f}% {:>5.1f}% {:>5.1f}% {:>5.1f}% {:>6.1f} {:>8.1f}% {:>9} "
      "{:>9.2f}  {}\n",
      name, launches, all, percent(r.by_unit[0], all), percent(r.by_unit[1], all), percent(r.by_unit[2], all),
      percent(r.by_unit[3], all), percent(r.by_unit[4], all), percent(r.thread_instructions, all) / 100,
      percent(r.divergent_branches, r.branches), r.barriers,
      percent(r.global_segments, r.global_accesses) / 100, classes);
}

class MixExecutor : public launch::LaunchExecutor {
 public:
  void launch(const isa::KernelLaunch& launch, MemoryImage& memory) override {
    ++launches[launch.program->kernel];
    reference.launch(launch, memory);
  }
  std::map<std::string, std::uint64_t> launches;
  launch::ReferenceExecutor reference;
};

int mix(const std::vector<std::string>& files) {
  print_head();
  output::ProgressLine progress(true);
  for (const std::string& path : files) {
    progress.say("reference run of " + path);
    const launch::LaunchFile file = launch::read_launch_file(run::find_launch(path));
    launch::PtxPrograms programs(file);
    MemoryImage memory;
    launch::LaunchRun run(file, programs, memory);
    run.prepare();
    MixExecutor executor;
    run.run(executor);
    progress.clear();
    fmt::print("{}\n", path);
    for (const auto& [kernel, result] : executor.reference.by_kernel())
      print_row("  " + ptx::plain_name(kernel), executor.launches[kernel], result);
    if (executor.launches.size() > 1)
      print_row("  total", executor.reference.launches(), executor.reference.total());
  }
  return kSuccess;
}

}  // namespace

Action add_mix(CLI::App& app) {
  auto files = std::make_shared<std::vector<std::string>>();
  app.add_option("launch", *files, "launch files")->required();
  return [files] { return mix(*files); };
}

}  // namespace heddle::cli
