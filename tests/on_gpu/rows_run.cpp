#include "tests/on_gpu/rows_run.h"

#include "tests/on_gpu/gpu_executor.h"

namespace heddle::on_gpu {

namespace {
/// distance in bytes between the start addresses of two buffers
constexpr std::uint64_t kApart = 0x8000'0000;
constexpr unsigned kThreads = 256;
}  // namespace

void spread_rows(semantics::TableForm& form) {
  while (form.rows.size() % kThreads != 0) form.rows.push_back(form.rows.back());
  form.block = {kThreads, 1, 1};
  form.grid = {static_cast<unsigned>(form.rows.size() / kThreads), 1, 1};
}

RowsRun::RowsRun(const semantics::TableForm& form) : RowKernel(form, 0, form.rows.size(), kApart) {}

std::vector<std::uint8_t> RowsRun::run(launch::LaunchExecutor& executor) const {
  MemoryImage memory = this->memory();
  return run(executor, memory);
}

std::vector<std::uint8_t> RowsRun::run(launch::LaunchExecutor& executor, MemoryImage& memory) const {
  executor.launch(launch(), memory);
  return memory.find_by_name("outputs")->data;
}

std::vector<std::uint8_t> run_on_gpu(const Driver& gpu, const RowsRun& run) {
  if (gpu.replays()) return gpu.noted(run.memory().find_by_name("outputs")->data.size());
  GpuExecutor executor(gpu, {run.ptx()}, run.variables());
  std::vector<std::uint8_t> outputs = run.run(executor);
  gpu.note(outputs);
  return outputs;
}

}  // namespace heddle::on_gpu
