// Text for users is wrapped to the terminal's width. Output for programs keeps its lines.

#include "testbench/output/terminal_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>

#include "tests/cli/program.h"

namespace heddle::test::terminal_test {
namespace {

using output::table;
using output::wrapped;
using ::testing::HasSubstr;

TEST(Wrapped, LinesGoOnBelowTheTextAfterTheirLabel) {
  EXPECT_EQ(wrapped("short\n\n  energy          76 nJ (dynamic 19 nJ, leakage 56 nJ)\n", 40),
            "short\n\n  energy          76 nJ (dynamic 19 nJ,\n                  leakage 56 nJ)\n");
  EXPECT_EQ(wrapped("launch    a\nregisters banks; 32 banks of two ports and eight collectors\n", 40),
            "launch    a\nregisters banks; 32 banks of two ports\n          and eight collectors\n");
  EXPECT_EQ(wrapped("  one sentence without any label at all goes on\n", 40),
            "  one sentence without any label at all\n      goes on\n");
  EXPECT_EQ(wrapped("no end of line", 40), "no end of line");
  EXPECT_EQ(wrapped("", 40), "");
}

TEST(Wrapped, AWordLongerThanTheTerminalStaysWhole) {
  const std::string word(60, 'x');
  EXPECT_EQ(wrapped("file " + word + " is there\n", 40), "file\n    " + word + "\n    is there\n");
  EXPECT_EQ(wrapped(word + "\n", 40), word + "\n");
}

TEST(Table, ColumnsThatDoNotFitFollowBelow) {
  const std::vector<std::vector<std::string>> rows = {{"name", "first", "second", "saved"},
                                                      {"total", "1.0", "2.0", "3 %"}};
  EXPECT_EQ(table(rows, 80), "name   first  second  saved\ntotal    1.0     2.0    3 %\n");
  EXPECT_EQ(table(rows, 20, 2), "name   first\ntotal    1.0\n\nname   second  saved\ntotal     2.0    3 %\n");
  EXPECT_EQ(table({{"alone"}, {"x"}}, 80), "alone\nx    \n");
}

class Terminal : public ::testing::Test {
 protected:
  explicit Terminal(const char* columns = "80") { ::setenv("COLUMNS", columns, 1); }
  ~Terminal() override { ::unsetenv("COLUMNS"); }
  std::string run(const std::vector<std::string>& arguments) {
    const ProgramResult result = run_program(arguments, folder.path());
    EXPECT_EQ(result.status, 0) << result.err;
    return result.out;
  }
  static void expect_fits(const std::string& text, std::size_t width) {
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) EXPECT_LE(line.size(), width) << line;
  }
  Folder folder;
};

TEST_F(Terminal, HelpFits) {
  expect_fits(run({"--help"}), 80);
  for (const char* command :
       {"run", "exec", "compare", "experiment", "completion", "compile", "draft", "list", "man", "mix",
        "pack", "price", "reference", "report", "rerun", "rtl", "schema", "unpack", "view"}) {
    const std::string help = run({command, "--help"});
    EXPECT_THAT(help, HasSubstr("--help"));
    expect_fits(help, 80);
  }
}

TEST_F(Terminal, SummariesFit) {
  expect_fits(run({"run", "quickstart", "--with", "cmrc", "--with", "warped-gates", "--against", "plain"}),
              80);
  expect_fits(run({"compare", "--launch", "saxpy/small", "fermi-gtx480", "fermi-gtx480+hybrid+warped-gates",
                   "fermi-gtx480,gpu.sm.scheduler=fetch-group,gpu.sm.scheduler.group_warps=4",
                   "maxwell-gtx980", "--profile"}),
              80);
  ::setenv("COLUMNS", "72", 1);
  expect_fits(run({"run", "quickstart", "--with", "hybrid"}), 74);
}

TEST_F(Terminal, WhatProgramsReadDoesNot) {
  const std::vector<std::string> json = {"run", "--launch", "saxpy/small", "--gpu", "fermi-gtx480", "--json"};
  const std::string narrow = run(json);
  ::setenv("COLUMNS", "2000", 1);
  EXPECT_EQ(run(json), narrow);
  ::setenv("COLUMNS", "40", 1);
  const ProgramResult wrong =
      run_program({"run", "--launch", "saxpy/small", "--gpu", "fermi-gtx48"}, folder.path());
  EXPECT_EQ(wrong.err.find('\n'), wrong.err.size() - 1) << wrong.err;
}

TEST_F(Terminal, CudaSourceNamesWhatRunsIt) {
  folder.write("prog.cu", "int main() {}\n");
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"run", "prog.cu"},
                                             {"run", "--launch", "prog.cu", "--gpu", "fermi-gtx480"},
                                             {"compile", "prog.cu"},
                                             {"draft", "prog.cu"}}) {
    const ProgramResult result = run_program(words, folder.path());
    EXPECT_EQ(result.status, 1);
    EXPECT_THAT(result.err, HasSubstr("prog.cu: this is CUDA source"));
    EXPECT_THAT(result.err, HasSubstr("heddle-cc prog.cu -o PROGRAM, then heddle exec -- ./PROGRAM"));
  }
}

}  // namespace
}  // namespace heddle::test::terminal_test
