#pragma once

// Reads a log in the Kanata format, version 4, and fails the test at lines that break the rules of the
// format.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace heddle::output {

struct LoggedStage {
  std::string name;
  std::uint64_t begin = 0, end = 0;
};

struct LoggedInstruction {
  std::uint64_t uid = 0, thread = 0;
  std::uint64_t begin = 0, end = 0;
  bool retired = false;  ///< false: the log ends before the instruction retires
  std::string label, detail;
  std::map<int, std::vector<LoggedStage>> lanes;
  std::vector<std::uint64_t> producers;  ///< log numbers of the instructions that wrote this one's operands

  const LoggedStage* stage(const std::string& name) const;
};

std::map<std::uint64_t, LoggedInstruction> read_kanata(const std::string& text);

std::string read_gzip(const std::string& path);

}  // namespace heddle::output
