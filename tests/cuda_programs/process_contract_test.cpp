// Tests rules of CUDA for processes: forks, null pointers, absurd sizes, and launches that fail.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <sstream>

#include "../cli/program.h"
#include "models/core/config_node.h"

namespace heddle::test {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string built_program(const std::string& name) { return std::string(CUDA_PROGRAMS) + "/" + name; }

ProgramResult exec_contract(std::vector<std::string> options, const std::string& what, const Folder& folder) {
  options.insert(options.begin(), "exec");
  options.insert(options.end(), {"--", built_program("process_contract"), what});
  return run_program(options, folder.path());
}

ConfigNode program_json(const Folder& folder) {
  return parse_config_text(folder.read("out/program.json"), "program.json");
}

class ProcessContract : public testing::TestWithParam<const char*> {};

TEST_P(ProcessContract, HoldsUnderTheModel) {
  const Folder folder;
  const ProgramResult run = exec_contract({"--quiet"}, GetParam(), folder);
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  EXPECT_THAT("\n" + run.out, HasSubstr("\n0 wrong of "));
}

INSTANTIATE_TEST_SUITE_P(All, ProcessContract,
                         testing::Values("fork-first", "fork-in-call", "call-in-child", "absurd-sizes"),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(ProcessContractRows, EachProcessHasRowsOfItsOwn) {
  const Folder folder;
  const ProgramResult run = exec_contract(
      {"--gpu", "fermi-gtx480", "--set", "gpu.sms=1", "--check", "on", "--out", "out"}, "fork-first", folder);
  EXPECT_EQ(run.status, 0) << run.err;
  const ConfigNode result = program_json(folder);
  EXPECT_EQ(result.find("launches")->items.size(), 2u);
  EXPECT_EQ(result.find("total")->find("checked")->integer, 2);
  EXPECT_EQ(result.find("total")->find("different")->integer, 0);
}

TEST(FailedLaunch, HasARowWithItsErrorAndSoHaveThoseAfterIt) {
  const Folder folder;
  const ProgramResult run = exec_contract(
      {"--gpu", "fermi-gtx480", "--set", "gpu.sms=1", "--out", "out", "--report"}, "failing", folder);
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, testing::StartsWith("\n1 of 4 launches FAILED, and 2 were not run after them\n"));
  EXPECT_THAT(run.out, HasSubstr("launch 1 store_far: "));
  EXPECT_THAT(run.out, Not(HasSubstr("all                                     1")));
  const ConfigNode result = program_json(folder);
  const std::vector<ConfigNode>& rows = result.find("launches")->items;
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0].find("error"), nullptr);
  EXPECT_THAT(rows[1].find("error")->text, HasSubstr("of 4 bytes"));
  EXPECT_EQ(rows[1].find("not_run"), nullptr);
  for (const std::size_t i : {2u, 3u}) {
    EXPECT_EQ(rows[i].find("kernel")->text, "count_up");
    EXPECT_EQ(rows[i].find("error")->text, "cudaErrorIllegalAddress");
    EXPECT_TRUE(rows[i].find("not_run")->boolean);
    EXPECT_FALSE(rows[i].find("timed")->boolean);
  }
  const ConfigNode& total = *result.find("total");
  EXPECT_EQ(total.find("launches")->integer, 4);
  EXPECT_EQ(total.find("failed")->integer, 1);
  EXPECT_EQ(total.find("not_run")->integer, 2);
  EXPECT_EQ(total.find("timed")->integer, 1);
  const std::string csv = folder.read("out/launches.csv");
  EXPECT_THAT(csv, HasSubstr("\n1,store_far,1x1x1,1x1x1,"));
  EXPECT_THAT(csv, HasSubstr(",failed,"));
  EXPECT_EQ(csv.find("not run") == std::string::npos, false);
  EXPECT_THAT(folder.read("out/report.html"),
              HasSubstr("1 of 4 launches failed, and 2 were not run after them."));
}

TEST(FailedLaunch, IsNamedWhereverTheResultIsRead) {
  const Folder folder;
  for (const char* out : {"out", "again"})
    ASSERT_EQ(exec_contract({"--gpu", "fermi-gtx480", "--set", "gpu.sms=1", "--quiet", "--out", out},
                            "failing", folder)
                  .status,
              0);
  const auto command = [&](const std::vector<std::string>& words) {
    const ProgramResult result = run_program(words, folder.path());
    EXPECT_EQ(result.status, 0) << words[0] << ": " << result.err;
    return result.out;
  };
  const std::string failures = "1 of 4 launches failed, and 2 were not run after them";
  EXPECT_THAT(command({"why", "out"}), testing::StartsWith(failures + "\n"));
  EXPECT_THAT(command({"why", "out", "--against", "again"}),
              testing::StartsWith("out: " + failures + "\nagain: " + failures + "\n"));
  EXPECT_EQ(parse_config_text(command({"why", "out", "--json"}), "why").find("failures")->text, failures);
  command({"report", "out", "--out", "out.html"});
  EXPECT_THAT(folder.read("out.html"), HasSubstr(failures + "."));
  const std::string compared = command({"compare", "out/program.json", "again/program.json"});
  EXPECT_THAT(compared, testing::ContainsRegex("\ncheck +FAILED +FAILED\n"));
}

TEST(FailedLaunch, HasTheSameErrorWithoutTheReference) {
  const Folder folder;
  for (const char* check : {"on", "off"}) {
    const ProgramResult run =
        exec_contract({"--gpu", "fermi-gtx480", "--set", "gpu.sms=1", "--check", check}, "failing", folder);
    EXPECT_THAT(run.err, HasSubstr("(cudaErrorIllegalAddress)")) << check;
  }
}

TEST(FailedLaunch, ChoosesTheExitStatusWhereAsked) {
  const Folder folder;
  const auto status = [&](const char* fail_on, const char* what) {
    return exec_contract({"--quiet", "--fail-on", fail_on}, what, folder).status;
  };
  EXPECT_EQ(status("difference", "failing"), 0);
  EXPECT_EQ(status("launch", "failing"), 4);
  EXPECT_EQ(status("none", "failing"), 0);
  EXPECT_EQ(status("launch", "refused"), 4);
  EXPECT_EQ(status("none", "refused"), 5);
  EXPECT_EQ(status("launch", "absurd-sizes"), 0) << "a failed call is no failed launch";
  // For the exit status, a difference must have priority over a failed launch, and a failed launch over the
  // program's own status.
  for (const auto& [fail_on, expected] :
       {std::pair("difference", 3), std::pair("launch", 3), std::pair("none", 0)})
    EXPECT_EQ(run_program({"exec", "--quiet", "--gpu", "fermi-gtx480", "--set", "gpu.sms=1", "--fail-on",
                           fail_on, "--", built_program("bad_input"), "order"},
                          folder.path())
                  .status,
              expected);
}

TEST(FailedLaunch, ARefusedLaunchFailsAlone) {
  const Folder folder;
  const ProgramResult run = exec_contract({"--out", "out"}, "refused", folder);
  EXPECT_EQ(run.status, 5) << run.err;
  const ConfigNode result = program_json(folder);
  const std::vector<ConfigNode>& rows = result.find("launches")->items;
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_THAT(rows[0].find("error")->text, HasSubstr("a block of 2000 threads"));
  EXPECT_EQ(rows[1].find("error"), nullptr);
  EXPECT_GT(rows[1].find("instructions")->integer, 0);
}

std::string words_of(const std::string& arguments) {
  static const std::map<std::string, std::string> structures = {
      {"isa::Dim3", "nn"}, {"MemoryPlace", "n"}, {"Extent", "nnn"}, {"PitchedPointer", "pnnn"}};
  std::string in_registers, on_stack;
  int depth = 0;
  std::string argument;
  const auto take = [&] {
    std::string words = argument.find("(*") != std::string::npos  ? "f"
                        : argument.find('*') != std::string::npos ? "p"
                                                                  : "n";
    for (const auto& [name, what] : structures)
      if (words == "n" && argument.find(name) != std::string::npos) words = what;
    const bool fits = words.size() <= 2 && in_registers.size() + words.size() <= 6;
    if (argument.find_first_not_of(" \n") != std::string::npos) (fits ? in_registers : on_stack) += words;
    argument.clear();
  };
  for (const char c : arguments + ",") {
    depth += c == '(';
    depth -= c == ')';
    if (c == ',' && depth == 0)
      take();
    else
      argument += c;
  }
  return (in_registers.empty() ? "-" : in_registers) + " " + (on_stack.empty() ? "-" : on_stack);
}

std::string table_of_calls() {
  std::string table;
  const std::regex call(
      R"(HEDDLE_CUDA\s+(?:int|char|unsigned|void|void\*\*|const char\*)\s+(\w+)\(((?:[^()]|\([^()]*\))*)\)\s*\{)"),
      refused(R"(CALL\((\w+),)");
  std::map<std::string, std::string> all;
  for (const auto& file : std::filesystem::directory_iterator(source("testbench/cudart"))) {
    const std::string text = read_file(file.path().string());
    const bool is_list = file.path().extension() == ".inc";
    for (auto at = std::sregex_iterator(text.begin(), text.end(), is_list ? refused : call);
         at != std::sregex_iterator(); ++at)
      if ((*at)[1] != "name") all[(*at)[1]] = is_list ? "- -" : words_of((*at)[2]);
  }
  for (const auto& [name, words] : all) table += name + " " + words + "\n";
  return table;
}

TEST(NullCalls, EndNoProgramAndLeaveNoStickyError) {
  const Folder folder;
  const std::string table = table_of_calls();
  ASSERT_GT(std::count(table.begin(), table.end(), '\n'), 800);
  folder.write("calls", table);
  const ProgramResult run =
      run_program({"exec", "--quiet", "--", built_program("null_calls"), "calls"}, folder.path());
  ASSERT_EQ(run.status, 0) << run.out.substr(run.out.size() - std::min<std::size_t>(run.out.size(), 1000))
                           << run.err;
  EXPECT_THAT(run.out, HasSubstr("\n0 wrong of "));
  // CUDA functions must return "invalid value" if the pointer for their result is null.
  for (const char* name :
       {"cudaMalloc", "cudaMallocManaged", "cudaHostAlloc", "cudaGetDeviceCount", "cudaGetDevice",
        "cudaGetDeviceProperties", "cudaDeviceGetAttribute", "cudaEventCreate", "cudaStreamCreate",
        "cudaMemGetInfo", "cudaPointerGetAttributes", "cudaRuntimeGetVersion", "cudaDriverGetVersion",
        "cuMemAlloc_v2", "cuDeviceGet"})
    EXPECT_THAT(run.out, testing::ContainsRegex("\n" + std::string(name) + " 1 ")) << name;
}

// Each file of a capture is replaced by a file of another capture, or by another file of the same capture.
// Heddle must not use the exchanged file for the launch.
TEST(StoredFiles, ACaptureHoldsItsOwnLaunches) {
  namespace fs = std::filesystem;
  const Folder folder;
  const auto path = [&](const std::string& name) { return folder.path() + "/" + name; };
  for (const char* nodes : {"40", "100"})
    ASSERT_EQ(run_program({"exec", "--quiet", "--capture", std::string("c") + nodes, "--",
                           built_program("bfs"), nodes},
                          folder.path())
                  .status,
              0);
  std::string out;
  const auto outcome = [&](const std::string& capture) {
    fs::remove_all(path("o"));
    const ProgramResult run = run_program({"reference", capture + "/0002-expand/launch.json", "--out", "o"},
                                          folder.path(), 0, sanitized_program_path());
    out = run.err;
    EXPECT_LE(run.status, 1) << out;
    if (run.status != 0) return std::string("refused");
    std::string values;
    std::map<std::string, std::string> files;
    for (const auto& file : fs::directory_iterator(path("o")))
      if (file.path().extension() == ".npy")
        files[file.path().filename().string()] = read_file(file.path().string());
    for (const auto& [name, text] : files) values += name + text;
    return values;
  };
  const std::string good = outcome("c40");
  ASSERT_NE(good, "refused") << out;
  ASSERT_NE(outcome("c100"), good);
  const std::vector<std::pair<std::string, std::string>> copies = {
      {"c40/0003-expand/launch.json", "0002-expand/launch.json"},
      {"c100/0002-expand/launch.json", "0002-expand/launch.json"},
      {"c100/pages.bin", "pages.bin"},
      {"c100/launches.csv", "launches.csv"},
      {"c100/module-0.ptx", "module-0.ptx"}};
  for (const auto& [from, to] : copies) {
    fs::remove_all(path("x"));
    fs::copy(path("c40"), path("x"), fs::copy_options::recursive);
    fs::copy_file(path(from), path("x/" + to), fs::copy_options::overwrite_existing);
    const std::string now = outcome("x");
    EXPECT_TRUE(now == "refused" || now == good) << from << " over " << to << ": " << out;
  }
  std::string text = folder.read("x/module-0.ptx");
  folder.write("x/module-0.ptx", text + "\n");
  EXPECT_EQ(outcome("x"), "refused");
  EXPECT_THAT(out, HasSubstr("is not the program that \"ptx_hash\" names"));
  // Partial files of a killed capture are removed; files of a complete capture are kept.
  char host[256] = "";
  ::gethostname(host, sizeof host - 1);
  folder.write(std::string("c40/capture.") + host + "-4194304.part", "");
  for (const int status : {0, 1}) {
    const ProgramResult again =
        run_program({"exec", "--quiet", "--capture", "c40", "--", built_program("bfs"), "40"}, folder.path());
    EXPECT_EQ(again.status, status) << again.err;
  }
}

}  // namespace
}  // namespace heddle::test
