#include "tests/output/kanata_log.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <sstream>

namespace heddle::output {
namespace {

std::vector<std::string> columns_of(const std::string& line) {
  std::vector<std::string> columns;
  std::istringstream in(line);
  for (std::string column; std::getline(in, column, '\t');) columns.push_back(column);
  return columns;
}

void close_stage(LoggedInstruction& one, int lane, std::uint64_t now) {
  auto& stages = one.lanes[lane];
  if (!stages.empty() && stages.back().end == 0) stages.back().end = now;
}

void read_line(const std::vector<std::string>& c, std::uint64_t now,
               std::map<std::uint64_t, LoggedInstruction>& all) {
  ASSERT_GE(c.size(), 3u) << c[0];
  const std::uint64_t id = std::stoull(c[1]);
  if (c[0] == "I") {
    ASSERT_FALSE(all.contains(id)) << id;
    ASSERT_EQ(id, all.size()) << "numbers follow each other";
    all[id].uid = std::stoull(c[2]);
    all[id].thread = std::stoull(c[3]);
    all[id].begin = now;
    return;
  }
  ASSERT_TRUE(all.contains(id)) << c[0] << " of " << id << " comes before its I";
  LoggedInstruction& one = all[id];
  ASSERT_EQ(one.end, 0u) << c[0] << " of " << id << " comes after its R";
  if (c[0] == "L") {
    (c[2] == "0" ? one.label : one.detail) += c.at(3);
  } else if (c[0] == "S") {
    close_stage(one, std::stoi(c[2]), now);
    one.lanes[std::stoi(c[2])].push_back({c.at(3), now, 0});
  } else if (c[0] == "E") {
    ASSERT_EQ(one.lanes[std::stoi(c[2])].back().name, c.at(3));
    close_stage(one, std::stoi(c[2]), now);
  } else if (c[0] == "W") {
    const std::uint64_t producer = std::stoull(c[2]);
    ASSERT_LT(producer, id);
    ASSERT_EQ(c.at(3), "0");
    one.producers.push_back(producer);
  } else {
    ASSERT_EQ(c[0], "R");
    for (auto& [lane, stages] : one.lanes) close_stage(one, lane, now);
    one.end = now;
    one.retired = c.at(3) == "0";
  }
}

}  // namespace

const LoggedStage* LoggedInstruction::stage(const std::string& name) const {
  const auto lane = lanes.find(0);
  if (lane == lanes.end()) return nullptr;
  const auto found = std::find_if(lane->second.begin(), lane->second.end(),
                                  [&](const LoggedStage& stage) { return stage.name == name; });
  return found == lane->second.end() ? nullptr : &*found;
}

std::map<std::uint64_t, LoggedInstruction> read_kanata(const std::string& text) {
  std::map<std::uint64_t, LoggedInstruction> all;
  std::istringstream in(text);
  std::string line;
  std::getline(in, line);
  EXPECT_EQ(line, "Kanata\t0004");
  std::uint64_t now = 0;
  while (std::getline(in, line) && !testing::Test::HasFatalFailure()) {
    const std::vector<std::string> columns = columns_of(line);
    if (columns.at(0) == "C=")
      now = std::stoull(columns.at(1));
    else if (columns.at(0) == "C")
      now += std::stoull(columns.at(1));
    else
      read_line(columns, now, all);
  }
  for (const auto& [id, one] : all) EXPECT_NE(one.end, 0u) << id << " has no R";
  return all;
}

std::string read_gzip(const std::string& path) {
  std::string text;
  std::array<char, 65536> bytes;
  gzFile file = gzopen(path.c_str(), "rb");
  EXPECT_NE(file, nullptr) << path;
  if (!file) return text;
  for (int count; (count = gzread(file, bytes.data(), bytes.size())) > 0;)
    text.append(bytes.data(), static_cast<std::size_t>(count));
  EXPECT_EQ(gzclose(file), Z_OK) << path;
  return text;
}

}  // namespace heddle::output
