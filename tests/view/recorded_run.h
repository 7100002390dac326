#pragma once

// Runs a kernel at its small size, and records an SM for the page of `heddle view`.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "testbench/run/run_session.h"
#include "testbench/run/scenario.h"
#include "testbench/view/view_recorder.h"
#include "tests/support/simulation.h"

namespace heddle::view {

struct RecordedRun {
  /// Runs the kernel and records it. `settings`: settings in the form of --set; a setting without "=" is the
  /// name of a technique. `early`: true if the run ends together with the window.
  RecordedRun(const std::string& kernel, const std::vector<std::string>& settings,
              const ViewParameters& window, bool early = false) {
    const testing_support::Simulation simulation;
    run::ScenarioRequest request;
    request.gpu = "fermi-gtx480";
    request.launch = "testbench/kernels/" + kernel + "/small.json";
    request.sets = {"gpu.sms=2", "watch.check=off", "power.technologies=[]"};
    for (const std::string& setting : settings)
      (setting.find('=') == std::string::npos ? request.with : request.sets).push_back(setting);
    std::unique_ptr<ViewRecorder> recorder;
    std::unique_ptr<run::RunSession> session;
    run::RunHooks hooks;
    hooks.on_built = [&](Gpu& gpu) {
      recorder = std::make_unique<ViewRecorder>(window, gpu, session->stats());
    };
    hooks.on_launch = [&](const isa::KernelLaunch& launch) { recorder->launch_begins(launch); };
    hooks.on_heartbeat = [&](Cycle) { return early && recorder->ended(); };
    session = std::make_unique<run::RunSession>(run::read_scenario(request), hooks);
    session->run();
    recording = recorder->take();
    for (const CounterInfo& info : session->stats().counters())
      counters[info.full_name()] = info.counter->value();
  }

  const RecordedPart* part(const std::string& path) const {
    for (const RecordedPart& one : recording.parts)
      if (one.path == path) return &one;
    return nullptr;
  }
  /// Returns the sum of a counter's increments in the recording. `path`: the module to which the counter
  /// belongs.
  std::uint64_t sum(const std::string& path, const std::string& counter) const {
    const RecordedPart* const of = part(path);
    if (!of) return ~std::uint64_t{0};
    std::size_t number = 0;
    while (number < of->counters.size() && of->counters[number].name != counter) ++number;
    if (number == of->counters.size()) return ~std::uint64_t{0};
    std::uint64_t sum = 0;
    for (const RecordedCycle& cycle : recording.cycles)
      for (const CounterStep& step : cycle.counters)
        if (step.counter == of->first_counter + number) sum += step.step;
    return sum;
  }

  Recording recording;
  std::map<std::string, std::uint64_t> counters;  ///< values at the end of the run
};

}  // namespace heddle::view
