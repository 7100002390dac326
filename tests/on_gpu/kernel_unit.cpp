#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "testbench/launch/element_type.h"
#include "testbench/launch/launch_run.h"
#include "testbench/launch/reference_executor.h"
#include "tests/on_gpu/difference.h"
#include "tests/on_gpu/gpu_executor.h"
#include "tests/on_gpu/units.h"

namespace heddle::on_gpu {

namespace {

namespace fs = std::filesystem;
constexpr const char* kFolder = "testbench/kernels";

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

ValueKind kind_of_elements(launch::ElementType type) {
  if (type == launch::ElementType::f32) return ValueKind::f32;
  return type == launch::ElementType::f64 ? ValueKind::f64 : ValueKind::bits;
}

std::uint64_t element(const launch::BufferView& view, std::size_t index) {
  const std::size_t bytes = launch::bytes_of(view.type);
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < bytes; ++i) bits |= std::uint64_t{view.data[index * bytes + i]} << (8 * i);
  return bits;
}

boost::json::object compared(const launch::BufferView& ours, const launch::BufferView& theirs) {
  Differences differences(kind_of_elements(ours.type));
  double largest = 0, largest_value = 0;
  for (std::size_t i = 0; i < ours.count(); ++i) {
    differences.add({i}, element(ours, i), element(theirs, i));
    const std::size_t at = i * launch::bytes_of(ours.type);
    const double x = launch::element_as_real(ours.type, ours.data.data() + at);
    const double y = launch::element_as_real(theirs.type, theirs.data.data() + at);
    if (std::fabs(x - y) > largest) largest = std::fabs(x - y);
    if (std::fabs(x) > largest_value) largest_value = std::fabs(x);
  }
  boost::json::object result = differences.json();
  if (largest > 0) {
    result["largest_error"] = largest;
    result["largest_value"] = largest_value;
  }
  return result;
}

struct Run {
  explicit Run(const launch::LaunchFile& file) : programs(file), run(file, programs, memory) {
    run.prepare();
  }
  launch::PtxPrograms programs;
  MemoryImage memory;
  launch::LaunchRun run;
};

}  // namespace

std::vector<std::string> kernel_names() {
  std::vector<std::string> names;
  for (const auto& folder : fs::directory_iterator(kFolder)) {
    if (!fs::exists(folder.path() / "kernel.ptx")) continue;
    names.push_back(folder.path().filename().string() + "/small");
    names.push_back(folder.path().filename().string() + "/launch");
  }
  std::sort(names.begin(), names.end());
  return names;
}

boost::json::object check_kernel(const Driver& gpu, const std::string& name) {
  const launch::LaunchFile file = launch::read_launch_file(std::string(kFolder) + "/" + name + ".json");
  Run ours(file), theirs(file);
  std::vector<std::string> ptx;
  for (const std::string& path : file.ptx) ptx.push_back(text_of(path));
  if (file.stack_bytes) {
    const launch::Scope scope = file.values;
    const std::int64_t bytes = file.stack_bytes->evaluate(scope, 16, 1 << 19);
    HEDDLE_GPU_CALL(gpu, cuCtxSetLimit, CU_LIMIT_STACK_SIZE,
                    static_cast<std::size_t>(std::max<std::int64_t>(bytes, 8192)));
  }
  if (file.variables_at.heap_bytes)
    HEDDLE_GPU_CALL(gpu, cuCtxSetLimit, CU_LIMIT_MALLOC_HEAP_SIZE, std::size_t{file.variables_at.heap_bytes});
  launch::ReferenceExecutor reference;
  ours.run.run(reference);
  GpuExecutor executor(gpu, ptx, theirs.programs.variables());
  theirs.run.run(executor);
  boost::json::object outputs;
  const std::vector<launch::BufferView> a = ours.run.outputs(), b = theirs.run.outputs();
  for (std::size_t i = 0; i < a.size(); ++i) outputs[a[i].name] = compared(a[i], b[i]);
  return {{"launches", theirs.run.launches()}, {"outputs", outputs}};
}

}  // namespace heddle::on_gpu
