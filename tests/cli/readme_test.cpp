// The output that README.md shows must equal the program's output.

#include <gtest/gtest.h>

#include <sstream>

#include "tests/cli/program.h"

namespace heddle::test {
namespace {

// In README.md, the block after a command's block shows the command's output. "..." stands for lines that are
// left out.
TEST(Readme, ItsResultsAreWhatTheProgramPrints) {
  ::setenv("COLUMNS", "80", 1);
  const std::string readme = read_file(source("README.md"));
  const std::string start = "```sh\nbuild/bin/heddle ", between = "\n```\n\n```\n";
  int commands = 0;
  for (std::size_t at = 0; (at = readme.find(start, at)) != std::string::npos; ++at) {
    const std::size_t begin = at + start.size(), end = readme.find('\n', begin);
    if (readme.compare(end, between.size(), between) != 0) continue;
    ++commands;
    std::istringstream words(readme.substr(begin, end - begin));
    std::vector<std::string> arguments;
    for (std::string word; words >> word;)
      arguments.push_back(word.starts_with("configs/") ? source(word) : word);
    Folder folder;
    const ProgramResult run = run_program(arguments, folder.path());
    ASSERT_EQ(run.status, 0) << run.err;
    const std::size_t first = end + between.size();
    std::istringstream shown(readme.substr(first, readme.find("```", first) - first));
    std::size_t place = 0;
    int lines = 0;
    for (std::string line; std::getline(shown, line);) {
      if (line == "...") continue;
      const std::size_t found = run.out.find(line + "\n", place);
      ASSERT_NE(found, std::string::npos) << "not printed, or not in this order: " << line << "\n" << run.out;
      place = found + line.size();
      ++lines;
    }
    EXPECT_GT(lines, 2);
  }
  EXPECT_EQ(commands, 2) << "the first result, and before and after";
}

TEST(Readme, IsShort) {
  std::istringstream lines(read_file(source("README.md")));
  int count = 0, words = 0;
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), 100u) << line;
    ++count;
    std::istringstream parts(line);
    for (std::string word; parts >> word;) ++words;
  }
  EXPECT_LE(count, 110);
  EXPECT_LE(words, 800);
}

}  // namespace
}  // namespace heddle::test
