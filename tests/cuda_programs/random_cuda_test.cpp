// Random CUDA programs are compiled by heddle-cc and run by heddle exec. They must print the same text as
// when the host's compiler compiles them and the host runs them. HEDDLE_FULL=1 tries ten times as many
// programs.

#include "tests/cuda_programs/random_cuda.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "../cli/program.h"

namespace heddle::test {
namespace {

constexpr std::uint64_t kShares = 2;
constexpr int kProgramsOfFile = 10;

class RandomCuda : public testing::TestWithParam<std::uint64_t> {
 protected:
  ProgramResult shell(const std::string& command) const {
    return run_program({"-c", command}, folder_.path(), 0, "/bin/sh");
  }
  Folder folder_;
};

std::string first_difference(const std::string& device, const std::string& host) {
  std::istringstream ours(device), theirs(host);
  for (std::string our, their; std::getline(theirs, their);)
    if (!std::getline(ours, our) || our != their) return "heddle: " + our + "\nhost:   " + their;
  return "more lines than the host's";
}

TEST_P(RandomCuda, ComputesWhatPlainCppComputes) {
  const std::string include = std::string(" -I ") + source("tests/cuda_programs");
  const std::uint64_t files = kShares * (std::getenv("HEDDLE_FULL") ? 10 : 1);
  for (std::uint64_t file = GetParam(); file < files; file += kShares) {
    const std::uint64_t seed = 1 + file * kProgramsOfFile;
    SCOPED_TRACE("random_cuda(" + std::to_string(seed) + ", " + std::to_string(kProgramsOfFile) + ")");
    folder_.write("random.cu", random_cuda(seed, kProgramsOfFile));
    const ProgramResult host = shell(HOST_COMPILER " -w -x c++ -O1 -std=c++17 -ffp-contract=off" + include +
                                     " random.cu -o host && ./host");
    ASSERT_EQ(host.status, 0) << host.err;
    EXPECT_GE(std::count(host.out.begin(), host.out.end(), '\n'), kProgramsOfFile * 48);
    const ProgramResult made =
        shell(source("scripts/heddle-cc") + " --heddle-libraries=" HEDDLE_LIBRARIES " -fmad=false" + include +
              " random.cu -o device");
    ASSERT_EQ(made.status, 0) << made.err;
    for (const char* options : {"", "--gpu fermi-gtx480 --set gpu.sms=2 --check on "}) {
      const ProgramResult device = shell(program_path() + " exec --quiet " + options + "-- ./device");
      ASSERT_EQ(device.status, 0) << options << device.err;
      EXPECT_TRUE(device.out == host.out) << options << first_difference(device.out, host.out);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, RandomCuda, testing::Range(std::uint64_t{0}, kShares));

}  // namespace
}  // namespace heddle::test
