// What README.md shows of the program is what the program says.

#include <gtest/gtest.h>

#include <sstream>

#include "tests/cli/program.h"

namespace heddle::test {
namespace {

TEST(Readme, TheFirstResultIsWhatTheProgramPrints) {
  const std::string readme = read_file(source("README.md"));
  const std::string command = "build/bin/heddle run configs/scenarios/quickstart.json\n```\n\n```\n";
  const std::size_t begin = readme.find(command);
  ASSERT_NE(begin, std::string::npos);
  const std::size_t first = begin + command.size(), last = readme.find("```", first);
  Folder folder;
  const ProgramResult run =
      run_program({"run", source("configs/scenarios/quickstart.json"), "--out", "out"}, folder.path());
  ASSERT_EQ(run.status, 0) << run.err;
  std::istringstream shown(readme.substr(first, last - first));
  std::size_t at = 0;
  int lines = 0;
  for (std::string line; std::getline(shown, line); ++lines) {
    if (line == "...") continue;  // left out
    const std::size_t found = run.out.find(line + "\n", at);
    ASSERT_NE(found, std::string::npos) << "not printed, or not in this order: " << line << "\n" << run.out;
    at = found + line.size();
  }
  EXPECT_GT(lines, 4);
}

}  // namespace
}  // namespace heddle::test
