// Parts that the project does not know run by their names from a scenario, are listed, and are documented.

#include <gtest/gtest.h>

#include "tests/cli/program.h"

namespace heddle::test {
namespace {

const std::vector<std::string> kToys = {"toy-youngest", "toy-nap", "toy-counter", "toy-marks"};

ProgramResult plain_program(const std::vector<std::string>& arguments) {
  return run_program(arguments, ".", 0, HEDDLE_PLAIN_PROGRAM_FILE);
}

TEST(Extend, ToysRunByNameAndTheirResultsAreRight) {
  const Folder folder;
  const ProgramResult r = run_program({"run", source("tests/extend/toys.json"), "--out", folder.path()}, ".");
  ASSERT_EQ(r.status, 0) << r.err;
  const std::string stats = folder.read("stats.csv");
  EXPECT_NE(stats.find("toy_counter"), std::string::npos) << "the stage has no counters";
  const std::string result = folder.read("result.json");
  for (const std::string& toy : kToys) EXPECT_NE(result.find(toy), std::string::npos) << toy;
  EXPECT_NE(folder.read("energy.csv").find("toy-dispatch"), std::string::npos) << "no energy of the toy's entry";
}

TEST(Extend, ToysAreListedWithTheirParameters) {
  const ProgramResult r = run_program({"list"}, ".");
  ASSERT_EQ(r.status, 0) << r.err;
  for (const std::string& toy : kToys) EXPECT_NE(r.out.find(toy), std::string::npos) << toy;
}

TEST(Extend, ThePlainProgramDoesNotKnowThem) {
  const ProgramResult list = plain_program({"list"});
  for (const std::string& toy : kToys) EXPECT_EQ(list.out.find(toy), std::string::npos) << toy;
  const ProgramResult run = plain_program({"run", source("tests/extend/toys.json")});
  EXPECT_EQ(run.status, 1);
  EXPECT_NE(run.err.find("toy-"), std::string::npos) << run.err;
}

}  // namespace
}  // namespace heddle::test
