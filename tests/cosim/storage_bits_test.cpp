// Computes how many bits of storage control bits need, and how many bits scoreboards need. The inputs are the
// preset and the parameters of the RTL blocks. Both numbers must equal those in Huerta 2025, and the numbers
// of flip-flops in the netlists (docs/rtl-report.md).

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <fstream>
#include <sstream>

#include "models/core/config_node.h"
#include "models/core/lanes.h"
#include "testbench/cosim/catalogue.h"

namespace heddle::cosim {
namespace {

/// Returns the number of bits that the hardware stores for a warp. Control bits: six counters of six bits, a
/// stall counter of four bits, and a yield bit (Huerta 2025, section 4). Scoreboards: one bit and one count
/// for each of 255 registers, 63 uniform registers and 14 predicates (section 7.5).
int bits_of(const ReportRow& row) {
  if (row.module == "control_bits") return 6 * 6 + 4 + 1;
  const int entries = 255 + 63 + 7 + 7;
  return entries + entries * std::bit_width(static_cast<unsigned>(row.parameters.at(0).second));
}

int flip_flops_in_report(const ReportRow& row) {
  std::ifstream report(HEDDLE_SOURCE_FOLDER "/docs/rtl-report.md");
  std::string heading = "| `" + row.module;
  for (const auto& [name, value] : row.parameters) heading += fmt::format(" {}={}", name, value);
  for (std::string line; std::getline(report, line);) {
    if (!line.starts_with(heading + "` |")) continue;
    std::istringstream cells(line);
    std::string cell;
    for (int column = 0; column < 5; ++column) std::getline(cells, cell, '|');
    return std::stoi(cell);
  }
  return -1;
}

int value_at(const ConfigNode& root, const std::string& path) {
  const ConfigNode* node = &root;
  std::istringstream keys(path);
  for (std::string key; node && std::getline(keys, key, '.');) node = node->find(key);
  return node ? static_cast<int>(node->unwrapped().integer) : 0;
}

TEST(StorageBits, OfControlBitsAndScoreboardsArePublished) {
  const ConfigNode gpu = parse_config_file(HEDDLE_SOURCE_FOLDER "/configs/gpu/ampere-a6000.json");
  const int warps = value_at(gpu, "sm.max_warps");
  const int banks = value_at(gpu, "sm.partitions") * value_at(gpu, "sm.register_file.banks.count");
  const int file = banks * value_at(gpu, "sm.register_file.banks.entries") * 32 * kLanes;
  const ReportSection& section = report_sections().at("control_bits");
  ASSERT_EQ(section.storage.size(), 4u);
  for (std::size_t i = 0; i < section.storage.size(); ++i) {
    const StorageShare& share = section.storage[i];
    const ReportRow& row = section.rows[i];
    ASSERT_EQ(share.row, row.name);
    EXPECT_EQ(share.copies, warps);
    EXPECT_EQ(share.file_bits, file);
    const double percent = 100.0 * warps * bits_of(row) / file;
    EXPECT_DOUBLE_EQ(std::round(100 * percent) / 100, share.published_percent) << row.name;
    EXPECT_EQ(flip_flops_in_report(row), bits_of(row)) << row.name;
  }
}

}  // namespace
}  // namespace heddle::cosim
