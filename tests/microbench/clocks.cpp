#include "tests/microbench/clocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "models/gpu/gpu_parameters.h"
#include "models/isa/address_map.h"
#include "models/memory/cached_parameters.h"
#include "tests/timing/timed_kernel.h"

namespace heddle::microbench {
namespace {

using timing::Machine;

constexpr int kFew = 8, kMany = 24;

/// Returns the cycles between two reads of %clock around `count` copies of `line`.
double between_clocks(const Machine& machine, const std::string& before, const std::string& line, int count) {
  const std::string body =
      before + "\nmov.u32 %r60, %clock;\n" + timing::repeated(count, line) +
      "\nmov.u32 %r61, %clock;\nsub.u32 %r62, %r61, %r60;\nld.param.u64 %rd30, [buffer];\n"
      "st.global.u32 [%rd30+64], %r62;";
  return timing::measure(machine, body).buffer.at(16);
}

/// Returns the cycles that one copy of `line` takes. Computes them from the run times of two chains with
/// different numbers of copies.
double link(const Machine& machine, const std::string& before, const std::string& line) {
  return (between_clocks(machine, before, line, kMany) - between_clocks(machine, before, line, kFew)) /
         (kMany - kFew);
}

Machine on(const std::string& preset) {
  Machine machine = timing::on(preset, 1);
  machine.observe = false;
  return machine;
}

Machine with_ring(const std::string& preset, std::size_t pointers, std::size_t stride) {
  Machine machine = on(preset);
  machine.buffer.assign(pointers * stride / 4, 0);
  for (std::size_t i = 0; i < pointers; ++i) {
    const std::uint64_t next = isa::kBuffers + (i + 1) % pointers * stride;
    machine.buffer[i * stride / 4] = static_cast<std::uint32_t>(next);
    machine.buffer[i * stride / 4 + 1] = static_cast<std::uint32_t>(next >> 32);
  }
  return machine;
}

double chase(const Machine& machine, const std::string& load) {
  return link(machine, "ld.param.u64 %rd0, [buffer];", load + " %rd0, [%rd0];");
}

int memory_latency(const GpuParameters& gpu, const char* part) {
  const ConfigNode* const of = gpu.memory.find(part);
  const ConfigNode* const latency = of ? of->find("latency_cycles") : nullptr;
  if (latency) return static_cast<int>(latency->unwrapped().integer);
  const CachedParameters standard;
  return part == std::string("l2") ? standard.l2.latency_cycles : standard.dram.latency_cycles;
}

std::string cell(const std::vector<Clocked>& rows, const std::string& what) {
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const Clocked& r) { return r.what == what; });
  if (row == rows.end()) return "";
  const bool whole = row->measured == static_cast<int>(row->measured);
  return fmt::format("{:.{}f}/{}", row->measured, whole ? 0 : 1, row->configured);
}

// Returns true if the kernels in this file can measure the preset's latencies. The kernels contain no control
// bits, so the preset must use operand collectors. The kernels contain no loops, so the preset must have no
// instruction cache: its first misses would add to the latencies.
bool measures_latencies(const std::string& preset) {
  GpuParameters gpu;
  read_fields(timing::preset_tree(preset), gpu);
  const auto& stages = gpu.sm.front_end.stages;
  return choice_name(gpu.sm.register_file.operands) == "collectors" &&
         std::none_of(stages.begin(), stages.end(),
                      [](const ConfigNode& stage) { return choice_name(stage) == "instruction-cache"; });
}

}  // namespace

std::vector<std::string> all_presets() {
  std::vector<std::string> names;
  for (const auto& file : std::filesystem::directory_iterator("configs/gpu"))
    if (file.path().extension() == ".json" && measures_latencies(file.path().stem()))
      names.push_back(file.path().stem());
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<Clocked> measure_by_clock(const std::string& preset) {
  const ConfigNode tree = timing::preset_tree(preset);
  GpuParameters gpu;
  read_fields(tree, gpu);
  const UnitParameters& units = gpu.sm.units;
  const LoadStoreParameters& memory = gpu.sm.load_store;
  std::vector<Clocked> rows;
  const auto chain = [&](const char* what, const char* line, const OperationTiming& timing) {
    rows.push_back({what, link(on(preset), "", line), timing.latency_cycles});
  };
  chain("integer add", "add.u32 %r0, %r0, 1;", units.int_add);
  chain("integer multiply", "mul.lo.u32 %r0, %r0, 3;", units.int_mul);
  chain("single-precision add", "add.f32 %f0, %f0, 0f3F800000;", units.fp32);
  chain("double-precision add", "add.f64 %d0, %d0, 0d3FF0000000000000;", units.fp64);
  chain("special function", "ex2.approx.f32 %f0, %f0;", units.sfu);
  rows.push_back(
      {"shared memory",
       link(on(preset), "mov.u32 %r0, tile;\nst.shared.u32 [%r0], %r0;", "ld.shared.u32 %r0, [%r0];"),
       memory.shared.latency_cycles});
  const bool cached = choice_name(gpu.memory) == "cached";
  if (memory.l1.enabled)
    rows.push_back({"L1", chase(with_ring(preset, 2, 128), "ld.global.nc.u64"), memory.l1.latency_cycles});
  const Machine long_ring = with_ring(preset, 64, 4096);
  if (!cached) {
    const ConfigNode* const latency = gpu.memory.find("latency_cycles");
    rows.push_back({"DRAM", chase(long_ring, "ld.global.cg.u64"),
                    latency ? static_cast<int>(latency->unwrapped().integer) : 0});
    return rows;
  }
  const int l2 = memory_latency(gpu, "l2");
  rows.push_back({"L2", chase(with_ring(preset, 2, 128), "ld.global.cg.u64"), l2});
  rows.push_back({"DRAM", chase(long_ring, "ld.global.cg.u64"), l2 + memory_latency(gpu, "dram")});
  return rows;
}

std::string clocks() {
  const std::vector<std::string> presets = all_presets();
  std::string text =
      "\n## Clocks\n\nLatencies in cycles that a kernel measures by `%clock`, and configured ones. 64-bit "
      "operands and addresses can cost a cycle.\n\n"
      "| measured/configured |";
  std::string line = "\n| --- |";
  std::vector<std::vector<Clocked>> columns;
  for (const std::string& preset : presets) {
    text += fmt::format(" {} |", preset);
    line += " --- |";
    columns.push_back(measure_by_clock(preset));
  }
  text += line + "\n";
  for (const char* what : {"integer add", "integer multiply", "single-precision add", "double-precision add",
                           "special function", "shared memory", "L1", "L2", "DRAM"}) {
    text += fmt::format("| {} |", what);
    for (const std::vector<Clocked>& column : columns) {
      const std::string value = cell(column, what);
      text += value.empty() ? "|" : " " + value + " |";
    }
    text += "\n";
  }
  return text;
}

}  // namespace heddle::microbench
