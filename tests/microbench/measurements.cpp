#include "tests/microbench/measurements.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "models/core/config_node.h"
#include "models/isa/address_map.h"
#include "tests/timing/timed_kernel.h"

namespace heddle::microbench {
namespace {

using timing::Machine;
using timing::measure;
using timing::Measured;
using timing::repeated;

/// Returns the mean number of cycles between successive issues of the only warp, from its issue number `from`
/// to its issue number `to` (counted from 0).
double distance(const Measured& m, std::size_t from, std::size_t to) {
  const auto at = m.of_warp(0);
  return static_cast<double>(at.at(to) - at.at(from)) / static_cast<double>(to - from);
}

Machine on(const Setting& setting, int threads = 32) {
  Machine machine = timing::on(setting.preset, threads);
  machine.set = setting.set;
  return machine;
}

double chain(const Setting& setting, const std::string& line) {
  return distance(measure(on(setting), repeated(20, line)), 4, 19);
}

Machine with_ring(const Setting& preset, std::size_t pointers, std::size_t stride) {
  Machine machine = on(preset);
  machine.buffer.assign(pointers * stride / 4, 0);
  for (std::size_t i = 0; i < pointers; ++i) {
    const std::uint64_t next = isa::kBuffers + (i + 1) % pointers * stride;
    machine.buffer[i * stride / 4] = static_cast<std::uint32_t>(next);
    machine.buffer[i * stride / 4 + 1] = static_cast<std::uint32_t>(next >> 32);
  }
  return machine;
}

/// Pointer chase: first makes `warm` loads that are not measured, then measures 8 loads.
double chase(const Machine& machine, const std::string& load, int warm) {
  const std::string body = "ld.param.u64 %rd0, [buffer];\n" + repeated(warm + 9, load + " %rd0, [%rd0];");
  const auto first = static_cast<std::size_t>(warm + 1);
  return distance(measure(machine, body), first, first + 8);
}

double shared_load(const Setting& preset, int stride) {
  const std::string body = "mov.u32 %r0, %tid.x;\nmov.u32 %r1, tile;\nmad.lo.u32 %r2, %r0, " +
                           std::to_string(4 * stride) +
                           ", %r1;\nld.shared.u32 %r3, [%r2];\nadd.u32 %r4, %r3, 1;";
  return distance(measure(on(preset), body), 3, 4);
}

double constant_load(const Setting& preset) {
  return distance(measure(on(preset), "ld.const.u32 %r0, [table];\nadd.u32 %r1, %r0, 1;"), 0, 1);
}

/// Returns the throughput of the instructions `line` in lanes per cycle, if 32 warps execute independent
/// copies. Compares two runs of different length.
double rate(const Setting& preset, const std::string& line) {
  const auto cycles = [&](int rounds) {
    std::string body;
    for (int i = 0; i < rounds; ++i) body += repeated(8, line);
    Machine machine = on(preset, 512);
    machine.ctas = 2;
    machine.observe = false;
    return static_cast<double>(measure(machine, body).cycles);
  };
  return 32.0 * 32 * 8 * 12 / (cycles(24) - cycles(12));
}

/// Returns the bandwidth in GB/s of a grid in which every thread reads its own words and bypasses the L1.
/// `skew`: additional distance in bytes between successive loads of a warp. If `skew` is 0, all loads of a
/// warp go to one L2 slice.
double read_bandwidth(const Setting& preset, std::uint64_t skew) {
  const ConfigNode tree = timing::preset_tree(preset.preset);
  const std::int64_t sms = tree.find("sms")->unwrapped().integer;
  const double mhz = tree.find("core_clock_mhz")->unwrapped().number;
  const auto ctas = static_cast<std::uint32_t>(4 * sms);
  Machine machine = on(preset, 256).with("sms=" + std::to_string(sms));
  machine.ctas = ctas;
  machine.observe = false;
  const std::uint64_t step = std::uint64_t{ctas} * 1024 + skew;
  const auto length = [&](int loads) {
    Machine sized = machine;
    sized.buffer.assign(step / 4 * static_cast<std::size_t>(loads), 0);
    const std::string body =
        "ld.param.u64 %rd0, [buffer];\nmov.u32 %r0, %tid.x;\nmov.u32 %r1, %ctaid.x;\n"
        "mad.lo.u32 %r2, %r1, 256, %r0;\nmul.wide.u32 %rd1, %r2, 4;\nadd.u64 %rd2, %rd0, %rd1;\n" +
        fmt::format("mov.u64 %rd3, {};\n", step) +
        repeated(loads, "ld.global.cg.u32 %r@, [%rd2];\nadd.u64 %rd2, %rd2, %rd3;");
    return static_cast<double>(measure(sized, body).cycles);
  };
  const double bytes = static_cast<double>(ctas) * 1024 * 8;
  return bytes / (length(16) - length(8)) * mhz / 1000;
}

/// size in bytes of an address range that belongs to one L2 slice (l2.interleave_bytes of the presets)
constexpr std::uint64_t kNextSlice = 256;

std::string preset_memory(const std::string& preset) {
  const ConfigNode tree = timing::preset_tree(preset);
  return tree.find("memory")->find("type")->unwrapped().text;
}

bool has_l1(const std::string& preset) {
  const ConfigNode tree = timing::preset_tree(preset);
  const ConfigNode* l1 = tree.find("sm")->find("load_store")->find("l1");
  return !l1->find("enabled") || l1->find("enabled")->unwrapped().boolean;
}

using Rows = std::vector<Measurement>;

constexpr const char* kFusedOfThree = "fma.rn.f32 %f@, %f2@, %f1@, %f30;";

void add_latencies(Rows& rows, const Setting& preset) {
  const auto add = [&](const char* id, const char* what, double value) {
    rows.push_back({std::string("latency.") + id, what, "cycles", value});
  };
  add("add", "integer add", chain(preset, "add.u32 %r0, %r0, 1;"));
  add("imul", "integer multiply", chain(preset, "mul.lo.u32 %r0, %r0, 3;"));
  add("fp32", "single-precision add", chain(preset, "add.f32 %f0, %f0, 0f3F800000;"));
  add("fma", "fused multiply-add, three registers", chain(preset, "fma.rn.f32 %f0, %f0, %f1, %f2;"));
  add("fp64", "double-precision add", chain(preset, "add.f64 %d0, %d0, 0d3FF0000000000000;"));
  add("sfu", "special function (ex2.approx)", chain(preset, "ex2.approx.f32 %f0, %f0;"));
  for (const int degree : {1, 2, 4, 8, 16, 32})
    add(degree == 1 ? "shared" : fmt::format("shared.{}", degree).c_str(),
        degree == 1 ? "shared memory, neighbouring words"
                    : fmt::format("shared memory, stride {}", degree).c_str(),
        shared_load(preset, degree));
  add("constant", "constant load", constant_load(preset));
  if (has_l1(preset.preset))
    add("l1", "global load, L1 hit", chase(with_ring(preset, 2, 128), "ld.global.nc.u64", 4));
  if (preset_memory(preset.preset) == "cached") {
    add("l2", "global load, L2 hit", chase(with_ring(preset, 2, 128), "ld.global.cg.u64", 4));
    add("dram", "global load, DRAM", chase(with_ring(preset, 32, 4096), "ld.global.cg.u64", 0));
  } else {
    add("dram", "global load, memory", chase(with_ring(preset, 32, 4096), "ld.global.cg.u64", 0));
  }
}

void add_rates(Rows& rows, const Setting& preset) {
  const auto add = [&](const char* id, const char* what, const char* line) {
    rows.push_back({std::string("rate.") + id, what, "lanes per cycle and SM", rate(preset, line)});
  };
  add("fp32", "single-precision add", "add.f32 %f@, %f2@, 0f3F800000;");
  add("fma", "fused multiply-add, three registers", kFusedOfThree);
  add("fma.own", "fused multiply-add, own register", "fma.rn.f32 %f@, %f2@, %f1@, %f@;");
  add("iadd", "integer add", "add.u32 %r@, %r2@, 1;");
  add("logic", "logic", "xor.b32 %r@, %r2@, 1;");
  add("icmp", "integer maximum", "max.s32 %r@, %r2@, 1;");
  add("shift", "shift", "shl.b32 %r@, %r2@, 1;");
  add("imul", "integer multiply", "mul.lo.u32 %r@, %r2@, 3;");
  add("popc", "population count", "popc.b32 %r@, %r2@;");
  add("cvt", "conversion", "cvt.rn.f32.s32 %f@, %r2@;");
  add("fp64", "double-precision add", "add.f64 %d@, %d10, 0d3FF0000000000000;");
  add("sfu", "special function", "ex2.approx.f32 %f@, %f2@;");
  add("shuffle", "shuffle", "shfl.sync.idx.b32 %r@, %r2@, 3, 31, 0xffffffff;");
  add("shared", "shared memory, one word", "ld.shared.u32 %r@, [tile];");
}

}  // namespace

std::vector<Measurement> measure_preset(const std::string& preset) {
  const Setting setting{preset, {}};
  Rows rows;
  add_latencies(rows, setting);
  add_rates(rows, setting);
  if (preset_memory(preset) != "cached") return rows;
  rows.push_back({"bandwidth.dram", "reads past the L1", "GB/s", read_bandwidth(setting, kNextSlice)});
  rows.push_back(
      {"bandwidth.slice", "the same, each warp in one L2 slice", "GB/s", read_bandwidth(setting, 0)});
  return rows;
}

std::vector<Switched> measure_switches() {
  const std::string file = "sm.register_file.";
  const std::string one_operand = file + "collector_operands_per_cycle=1",
                    read_and_write = file + "banks.ports=1r1w";
  const std::string kepler = "kepler-gtx780", maxwell = "maxwell-gtx980", fermi = "fermi-gtx480";
  std::vector<Switched> rows;
  const auto fused = [&](const Setting& setting) {
    rows.push_back({setting, "rate: fused multiply-add, three registers", "lanes per cycle and SM",
                    rate(setting, kFusedOfThree)});
  };
  fused({kepler, {one_operand}});
  fused({kepler, {}});
  fused({kepler, {file + "collectors=48"}});
  fused({kepler, {read_and_write}});
  fused({kepler, {file + "collectors=48", read_and_write}});
  fused({kepler, {file + "banks.arbiter=no-conflicts"}});
  fused({maxwell, {one_operand, file + "banks.layout_group=1"}});
  fused({maxwell, {file + "banks.layout_group=1"}});
  fused({maxwell, {one_operand}});
  fused({maxwell, {}});
  fused({maxwell, {file + "collectors=16"}});
  fused({maxwell, {read_and_write}});
  const auto conflicts = [&](const Setting& setting) {
    rows.push_back({setting, "latency: shared memory, stride 32", "cycles", shared_load(setting, 32)});
  };
  conflicts({fermi, {}});
  conflicts({fermi, {"sm.load_store.shared.replay_cycles=18"}});
  const auto reads = [&](const Setting& setting) {
    rows.push_back({setting, "bandwidth: reads past the L1", "GB/s", read_bandwidth(setting, kNextSlice)});
  };
  const std::string misses = "memory.l2.mshrs=256", wide = "memory.l2.bytes_per_cycle=64";
  reads({fermi, {}});
  reads({fermi, {misses}});
  reads({fermi, {wide}});
  reads({fermi, {misses, wide}});
  reads({fermi, {misses, wide, "memory.dram.queue_requests=64"}});
  return rows;
}

std::string measurement_of(const std::string& metric) {
  static const std::array<std::pair<const char*, const char*>, 25> kStarts{{
      {"register dependency latency", "latency.add"},
      {"arithmetic latency", "latency.add"},
      {"latency of int and fp32 add", "latency.add"},
      {"latency of fp32 fma", "latency.fma"},
      {"latency of fp64 add", "latency.fp64"},
      {"latency of ex2", "latency.sfu"},
      {"constant memory load latency", "latency.constant"},
      {"throughput, fma", "rate.fma"},
      {"latency of 32-bit int mul", "latency.imul"},
      {"shared memory load latency, no conflict", "latency.shared"},
      {"global load latency, L1", "latency.l1"},
      {"L1 data cache hit", "latency.l1"},
      {"global load latency, L2", "latency.l2"},
      {"global load latency, DRAM", "latency.dram"},
      {"off-chip memory latency", "latency.dram"},
      {"throughput, fp32", "rate.fp32"},
      {"throughput, 32-bit int add", "rate.iadd"},
      {"throughput, 32-bit int mul", "rate.imul"},
      {"throughput, 32-bit shift", "rate.shift"},
      {"throughput, int compare", "rate.icmp"},
      {"throughput, 32-bit logic", "rate.logic"},
      {"throughput, reciprocal", "rate.sfu"},
      {"throughput, population", "rate.popc"},
      {"throughput, conversions", "rate.cvt"},
      {"throughput, warp shuffle", "rate.shuffle"},
  }};
  for (const auto& [start, id] : kStarts)
    if (metric.starts_with(start)) return id;
  for (const std::string kind : {"latency", "rate"})
    if (const std::string start = "matrix " + kind + ", "; metric.starts_with(start))
      return kind + "." + metric.substr(start.size());
  if (metric.starts_with("throughput, fp64")) return "rate.fp64";
  if (metric.starts_with("DRAM bandwidth")) return "bandwidth.dram";
  const std::string conflict = "shared memory load latency, ";
  if (metric.starts_with(conflict))
    return "latency.shared." + std::to_string(std::stoi(metric.substr(conflict.size())));
  return {};
}

}  // namespace heddle::microbench
