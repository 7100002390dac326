#include "tests/kernels/cover.h"

#include <fmt/format.h>

#include "testbench/run/scenario.h"

namespace heddle::kernel_runs {

// Six rows a kernel, one a preset; the other choices turn with kernel and preset, each at a pace of its own.
std::vector<Row> pairwise_rows(std::size_t kernel) {
  std::vector<Row> rows;
  for (std::size_t p = 0; p < kPresets.size(); ++p)
    rows.push_back({(kernel + p) % kSchedulers.size(), p, (p + kernel / 5) % 2, (p / 2 + kernel / 2) % 2,
                    (kernel / 6 + p) % kGating.size()});
  return rows;
}

std::vector<Row> all_rows() {
  std::vector<Row> rows;
  for (std::size_t s = 0; s < kSchedulers.size(); ++s)
    for (std::size_t p = 0; p < kPresets.size(); ++p)
      for (std::size_t r = 0; r < kRegisters.size(); ++r)
        for (std::size_t c = 0; c < kCleanUps.size(); ++c)
          rows.push_back({s, p, r, c, rows.size() % kGating.size()});
  for (std::size_t s = 0; s < kSchedulers.size(); ++s)
    for (std::size_t g = 0; g < kGating.size(); ++g) rows.push_back({s, 1, 0, 0, g});
  return rows;
}

run::RunParameters parameters_of(const Row& row, const std::string& launch) {
  run::ScenarioRequest request;
  request.gpu = kPresets[row.preset];
  request.launch = launch;
  request.sets = {std::string("gpu.sm.scheduler=") + kSchedulers[row.scheduler],
                  fmt::format("compiler.max_registers={}", kRegisters[row.registers]), "watch.check=on",
                  "watch.interval_cycles=5000", "watch.max_cycles=50000000"};
  for (const char* unit : {"int", "fp", "sfu", "ldst"})
    request.sets.push_back(fmt::format("gpu.sm.gating.{}.policy={}", unit, kGating[row.gating]));
  if (!kCleanUps[row.passes]) request.sets.push_back("compiler.passes=[]");
  return run::read_scenario(request);
}

std::string text_of(const Row& row) {
  return fmt::format("{}, {}, {} registers, clean-ups {}, gating {}", kPresets[row.preset],
                     kSchedulers[row.scheduler], kRegisters[row.registers],
                     kCleanUps[row.passes] ? "on" : "off", kGating[row.gating]);
}

}  // namespace heddle::kernel_runs
