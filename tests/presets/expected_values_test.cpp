// Important values of each preset must equal a list that was written by hand.

#include <gtest/gtest.h>

#include <numeric>

#include "models/core/registry.h"
#include "models/memory/cached_parameters.h"
#include "models/memory/memory_parameters.h"
#include "tests/presets/preset_file.h"

namespace heddle::presets {
namespace {

struct SmRow {
  const char* preset;
  int sms;
  double mhz;
  int warps, ctas, registers_per_thread;
  int partitions, schedulers, issue_width;
  const char* policy;
  int active_warps;  ///< warps in the active set; 0: none
};
constexpr SmRow kSms[] = {
    {"fermi-gebhart", 16, 1000, 32, 8, 63, 1, 1, 1, "two-level", 8},
    {"fermi-gtx480", 15, 700, 48, 8, 63, 1, 2, 1, "two-level", 6},
    {"fermi-cmrc", 16, 700, 48, 8, 63, 1, 2, 1, "gto", 0},
    {"fermi-virtualization", 16, 700, 48, 8, 63, 1, 2, 1, "two-level", 6},
    {"kepler-gtx780", 15, 863, 64, 16, 255, 1, 4, 2, "two-level", 8},
    {"maxwell-gtx980", 16, 1126, 64, 32, 255, 4, 4, 2, "two-level", 4},
};

TEST(PresetValues, SmAndSchedulers) {
  for (const SmRow& row : kSms) {
    SCOPED_TRACE(row.preset);
    const GpuParameters gpu = parameters_of(row.preset);
    EXPECT_EQ(gpu.sms, row.sms);
    EXPECT_EQ(gpu.core_clock_mhz, row.mhz);
    EXPECT_EQ(gpu.sm.max_warps, row.warps);
    EXPECT_EQ(gpu.sm.max_ctas, row.ctas);
    EXPECT_EQ(gpu.sm.max_registers_per_thread, row.registers_per_thread);
    EXPECT_EQ(gpu.sm.partitions, row.partitions);
    EXPECT_EQ(gpu.sm.schedulers(), row.schedulers);
    EXPECT_EQ(gpu.sm.issue_width, row.issue_width);
    EXPECT_EQ(choice_name(gpu.sm.scheduler), row.policy);
    const ConfigNode parameters = choice_parameters(gpu.sm.scheduler);
    const ConfigNode* active = parameters.find("active_warps");
    EXPECT_EQ(active ? active->unwrapped().integer : 0, row.active_warps);
  }
}

struct RegisterFileRow {
  const char* preset;
  int bytes_per_sm;
  int banks_per_sm, first_bank_entries, last_bank_entries;
  const char* ports;
  const char* layout;
  int latency, collectors_per_sm, operands_per_cycle;
};
constexpr RegisterFileRow kRegisterFiles[] = {
    {"fermi-gebhart", 131072, 4, 256, 256, "1r1w", "wshift", 1, 8, 3},
    {"fermi-gtx480", 131072, 16, 64, 64, "1rw", "wshift", 1, 16, 1},
    {"fermi-cmrc", 131072, 4, 256, 256, "1rw", "wshift", 1, 4, 1},
    {"fermi-virtualization", 131072, 4, 256, 256, "1rw", "wshift", 1, 16, 1},
    {"kepler-gtx780", 262144, 24, 86, 85, "1rw", "wshift", 1, 24, 3},
    {"maxwell-gtx980", 262144, 16, 128, 128, "1rw", "wshift", 1, 32, 3},
};

TEST(PresetValues, RegisterFile) {
  for (const RegisterFileRow& row : kRegisterFiles) {
    SCOPED_TRACE(row.preset);
    const SmParameters sm = parameters_of(row.preset).sm;
    const RegisterFileParameters& file = sm.register_file;
    const std::vector<int> depths = file.banks.depths();
    EXPECT_EQ(sm.partitions * std::accumulate(depths.begin(), depths.end(), 0) * 128, row.bytes_per_sm);
    EXPECT_EQ(sm.partitions * file.banks.count, row.banks_per_sm);
    EXPECT_EQ(depths.front(), row.first_bank_entries);
    EXPECT_EQ(depths.back(), row.last_bank_entries);
    EXPECT_EQ(file.banks.ports, row.ports);
    EXPECT_EQ(file.banks.layout, row.layout);
    EXPECT_EQ(file.banks.layout_group, sm.partitions);
    EXPECT_EQ(file.banks.latency_cycles, row.latency);
    EXPECT_EQ(sm.partitions * file.collectors.total(), row.collectors_per_sm);
    EXPECT_EQ(file.collector_operands_per_cycle, row.operands_per_cycle);
  }
}

struct UnitRow {
  const char* preset;
  int clusters_per_sm, sfu_units_per_sm;
  int int_add, int_mul, fp32, fp64_interval, sfu, sfu_interval, lanes_per_sm;
};
constexpr UnitRow kUnits[] = {
    {"fermi-gebhart", 1, 1, 8, 8, 8, 2, 20, 4, 8},   {"fermi-gtx480", 2, 1, 9, 9, 9, 8, 13, 4, 32},
    {"fermi-cmrc", 2, 1, 9, 9, 9, 8, 13, 4, 32},     {"fermi-virtualization", 2, 1, 9, 9, 9, 8, 13, 4, 32},
    {"kepler-gtx780", 6, 2, 9, 9, 9, 24, 20, 2, 32}, {"maxwell-gtx980", 4, 4, 6, 13, 6, 32, 16, 4, 32},
};

TEST(PresetValues, Units) {
  for (const UnitRow& row : kUnits) {
    SCOPED_TRACE(row.preset);
    const SmParameters sm = parameters_of(row.preset).sm;
    EXPECT_EQ(sm.partitions * sm.units.clusters, row.clusters_per_sm);
    EXPECT_EQ(sm.partitions * sm.units.sfu_units, row.sfu_units_per_sm);
    EXPECT_EQ(sm.units.int_add.latency_cycles, row.int_add);
    EXPECT_EQ(sm.units.int_add.interval_cycles, 1);
    EXPECT_EQ(sm.units.int_mul.latency_cycles, row.int_mul);
    EXPECT_EQ(sm.units.fp32.latency_cycles, row.fp32);
    EXPECT_EQ(sm.units.fp32.interval_cycles, 1);
    EXPECT_EQ(sm.units.fp64.interval_cycles, row.fp64_interval);
    EXPECT_EQ(sm.units.sfu.latency_cycles, row.sfu);
    EXPECT_EQ(sm.units.sfu.interval_cycles, row.sfu_interval);
    EXPECT_EQ(sm.partitions * sm.load_store.lanes_per_cycle, row.lanes_per_sm);
  }
}

struct LocalMemoryRow {
  const char* preset;
  int shared_bytes, shared_bytes_per_cycle, shared_latency;
  int l1_bytes;
  bool caches_global;
  const char* memory;
};
constexpr LocalMemoryRow kLocalMemories[] = {
    {"fermi-gebhart", 32768, 32, 20, 0, false, "fixed-latency"},
    {"fermi-gtx480", 49152, 128, 22, 16384, true, "cached"},
    {"fermi-cmrc", 49152, 128, 22, 16384, true, "cached"},
    {"fermi-virtualization", 49152, 128, 22, 16384, true, "cached"},
    {"kepler-gtx780", 49152, 256, 26, 16384, false, "cached"},
    {"maxwell-gtx980", 98304, 128, 23, 49152, false, "cached"},
};

TEST(PresetValues, SharedMemoryAndL1) {
  for (const LocalMemoryRow& row : kLocalMemories) {
    SCOPED_TRACE(row.preset);
    const GpuParameters gpu = parameters_of(row.preset);
    const LoadStoreParameters& unit = gpu.sm.load_store;
    EXPECT_EQ(unit.shared.bytes, row.shared_bytes);
    EXPECT_EQ(unit.shared.banks * unit.shared.bank_width_bytes, row.shared_bytes_per_cycle);
    EXPECT_EQ(unit.shared.latency_cycles, row.shared_latency);
    EXPECT_EQ(unit.l1.enabled ? unit.l1.bytes : 0, row.l1_bytes);
    EXPECT_EQ(unit.l1.enabled && unit.l1.caches_global, row.caches_global);
    EXPECT_EQ(unit.l1.mshrs, 32);
    EXPECT_EQ(choice_name(gpu.memory), row.memory);
  }
}

struct CachedRow {
  const char* preset;
  int l2_slices, l2_bytes, l2_latency, channels, dram_latency;
  double dram_gb_per_s;
};
constexpr CachedRow kCached[] = {
    {"fermi-gtx480", 12, 786432, 155, 6, 187, 177.4},
    {"fermi-cmrc", 12, 786432, 155, 6, 187, 177.4},
    {"fermi-virtualization", 12, 786432, 155, 6, 187, 177.4},
    {"kepler-gtx780", 12, 1572864, 175, 6, 125, 288.4},
    {"maxwell-gtx980", 8, 2097152, 194, 4, 156, 224},
};

TEST(PresetValues, L2AndDram) {
  for (const CachedRow& row : kCached) {
    SCOPED_TRACE(row.preset);
    const GpuParameters gpu = parameters_of(row.preset);
    MemoryParameters<CachedParameters> memory;
    read_fields(choice_parameters(gpu.memory), memory);
    EXPECT_EQ(memory.l2.slices, row.l2_slices);
    EXPECT_EQ(memory.l2.bytes, row.l2_bytes);
    EXPECT_EQ(memory.l2.latency_cycles, row.l2_latency);
    EXPECT_EQ(memory.dram.channels, row.channels);
    EXPECT_EQ(memory.dram.latency_cycles, row.dram_latency);
    EXPECT_NEAR(memory.dram.bytes_per_cycle * row.channels * gpu.core_clock_mhz / 1000, row.dram_gb_per_s,
                0.1);
    EXPECT_EQ(memory.l2.slices % memory.dram.channels, 0);
    EXPECT_EQ(memory.l2.bytes % (memory.l2.slices * memory.l2.ways * memory.l2.line_bytes), 0);
  }
}

TEST(PresetValues, GebhartMemory) {
  const ConfigNode memory = choice_parameters(parameters_of("fermi-gebhart").memory);
  EXPECT_EQ(memory.find("latency_cycles")->unwrapped().integer, 400);
  EXPECT_EQ(memory.find("bytes_per_cycle_per_sm")->unwrapped().number, 32);
  EXPECT_EQ(memory.find("bytes_per_cycle")->unwrapped().number, 0);
}

}  // namespace
}  // namespace heddle::presets
