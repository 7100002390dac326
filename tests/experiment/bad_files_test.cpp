// An error in an experiment file must be reported in one line: file, line, key, and what is allowed.

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/cli/program.h"

namespace heddle::test {
namespace {

struct BadFile {
  const char* name;
  const char* old_text;
  const char* new_text;
  std::vector<const char*> expected;
};

const std::vector<BadFile>& rows() {
  static const std::vector<BadFile> table = {
      {"not_json", "\"name\": \"good\",", "\"name\": good,", {"e.json:2:", "JSON"}},
      {"duplicate_key",
       "\"name\": \"good\",",
       "\"name\": \"good\", \"name\": \"x\",",
       {"e.json:2", "duplicate"}},
      {"unknown_key", "\"covers\"", "\"cover\"", {"e.json:10: cover", "unknown key", "covers"}},
      {"no_name", "\"name\": \"good\",", "", {"e.json", "no \"name\""}},
      {"bad_name", "\"good\"", "\"../x\"", {"e.json:2: name", "../x"}},
      {"no_such_size", "\"quick\"", "\"slow\"", {"e.json:4: sizes", "no size \"quick\"", "slow"}},
      {"size_as_path",
       "\"quick\": {",
       "\"../../quick\": {",
       {"e.json:4: sizes.../../quick", "is not a name"}},
      {"long_name",
       "\"good\"",
       "\"good_good_good_good_good_good_good_good_good_good_good_good_good_good_good_good_good_good_good_"
       "good_good_\"",
       {"e.json:2: name", "up to 100 letters"}},
      {"base_with_launch",
       "\"base\": {",
       "\"base\": {\"launch\": \"x\", ",
       {"e.json:3: base.launch", "sizes"}},
      {"unknown_preset", "fermi-gtx480", "voodoo", {"e.json:6: variants[0]", "voodoo", "fermi-gtx480"}},
      {"unknown_kernel",
       "\"saxpy\", \"vector",
       "\"sexpy\", \"vector",
       {"e.json:4: sizes.quick.kernels[0]", "sexpy", "saxpy"}},
      {"kernel_twice",
       "\"saxpy\", \"vector_add\"",
       "\"saxpy\", \"s*y\"",
       {"e.json:4", "second kernel named \"saxpy\""}},
      {"no_such_launch", "small.json", "huge.json", {"e.json:4", "huge.json"}},
      {"missing_launch_file", "\"vector_add\"]", "\"./none.json\"]", {"none.json"}},
      {"variant_twice",
       "{\"name\": \"a\"}",
       "{\"name\": \"b\"}",
       {"e.json:7: variants[1].name", "second variant"}},
      {"unknown_like", "\"like\": \"a\"", "\"like\": \"z\"", {"e.json:7: variants[1].like", "\"z\""}},
      {"unknown_parameter",
       "gpu.sm.scheduler\"",
       "gpu.sm.schedular\"",
       {"e.json:7: variants[1]", "variant \"b\"", "did you mean"}},
      {"value_out_of_range", "[8, 16]", "[8, 160]", {"e.json:9: sweeps[0].values[1]", "160", "1 to 64"}},
      {"value_twice", "[8, 16]", "[8, 8]", {"e.json:9: sweeps[0].values[1]", "second value"}},
      {"value_without_of", "\"of\": \"gpu.sm.max_warps\", ", "", {"e.json:9: sweeps[0].values[0]", "\"of\""}},
      {"sweep_of_unknown_variant",
       "\"variants\": \"b\"",
       "\"variants\": \"c\"",
       {"e.json:9: sweeps[0].variants", "\"c\"", "a, b"}},
      {"sweep_of_other_kernel",
       "\"kernels\": \"saxpy\"",
       "\"kernels\": \"hotspot\"",
       {"e.json:9: sweeps[0].kernels", "saxpy, vector_add"}},
      {"not_published",
       "\"id\": \"wg.slowdown.conv\", \"variant\"",
       "\"id\": \"wg.slow\", \"variant\"",
       {"e.json:13", "\"wg.slow\" is not published"}},
      {"no_place",
       "\"covers\": [\"wg.slowdown.conv\"]",
       "\"covers\": [\"wg.slow**\"]",
       {"e.json: covers", "wg.slowdown.coordinated_blackout"}},
      {"covers_nothing",
       "\"covers\": [\"wg.slowdown.conv\"]",
       "\"covers\": [\"wg.slow*\"]",
       {"e.json: covers", "\"wg.slow*\" fits no published figure"}},
      {"another_share",
       "\"id\": \"wg.slowdown.conv\", \"variant\"",
       "\"id\": \"cmrc.wid.energy\", \"variant\"",
       {"e.json:13", "is a share of gpu, the measured metric is a share of an unknown whole", "share_of"}},
      {"no_such_whole",
       "\"metric\": \"ipc\"",
       "\"metric\": \"ipc\", \"share_of\": \"foo\"",
       {"e.json:14: figures[1].share_of", "\"foo\" is no whole", "gpu, sm, register file, units"}},
      {"no_such_item",
       "\"variant\": \"b\"}]",
       "\"item\": 3, \"variant\": \"b\"}]",
       {"e.json:13", "no item 3"}},
      {"published_without_variant", ", \"variant\": \"b\"}]", "}]", {"e.json:13", "no variant \"\"", "a, b"}},
      {"figure_twice", "\"id\": \"g\"", "\"id\": \"f\"", {"e.json:14", "second figure \"f\""}},
      {"figure_id_as_path", "\"id\": \"g\"", "\"id\": \"a/b\"", {"e.json:14: figures[1].id", "a/b"}},
      {"unknown_kind", "\"bars\"", "\"pie\"", {"e.json:12: figures[0].kind", "stacked"}},
      {"variants_upon_each_other",
       "\"bars\"",
       "\"stacked\", \"series\": \"variant\"",
       {"e.json:12: figures[0]", "parts of a whole"}},
      {"no_metric", "\"metric\": \"ipc\", ", "", {"e.json:14: figures[1]", "metric, metrics, histogram"}},
      {"bad_expression",
       "\"metric\": \"ipc\"",
       "\"metric\": \"ipc +\"",
       {"e.json:14: figures[1].metric", "ends where a value was expected"}},
      {"unknown_function",
       "\"metric\": \"ipc\"",
       "\"metric\": \"log(ipc)\"",
       {"e.json:14: figures[1].metric", "\"log\"", "sum, count"}},
      {"base_without_relative",
       ", \"relative_to\": \"a\"",
       "",
       {"e.json:12: figures[0].metric", "relative_to"}},
      {"unknown_relative",
       "\"relative_to\": \"a\"",
       "\"relative_to\": \"z\"",
       {"e.json:12: figures[0].relative_to", "a, b"}},
      {"unknown_sweep", "\"sweep\": \"s\"", "\"sweep\": \"t\"", {"e.json:14: figures[1].sweep", "s"}},
      {"order_of_unknown",
       "\"order\": [{\"variants\": [\"b\"]}]",
       "\"order\": [{\"variants\": [\"a\"]}]",
       {"e.json:14: figures[1].order[0].variants", "\"a\""}},
      {"bad_digits",
       "\"metric\": \"ipc\"",
       "\"digits\": 99, \"metric\": \"ipc\"",
       {"e.json:14: figures[1].digits", "0 to 9"}},
      {"variants_on_no_axis",
       "\"relative_to\": \"a\",",
       "\"relative_to\": \"a\", \"series\": \"metric\",",
       {"e.json:12: figures[0]", "several variants on no axis"}},
      {"axis_twice",
       "\"relative_to\": \"a\",",
       "\"relative_to\": \"a\", \"x\": [\"kernel\", \"kernel\"],",
       {"e.json:12: figures[0]", "twice"}},
  };
  return table;
}

class BadFiles : public testing::TestWithParam<std::size_t> {};

TEST_P(BadFiles, OneLineThatNamesThePlace) {
  const BadFile& row = rows()[GetParam()];
  std::string text = read_file(source("tests/experiment/good.json"));
  const std::size_t at = text.find(row.old_text);
  ASSERT_NE(at, std::string::npos);
  text.replace(at, std::string(row.old_text).size(), row.new_text);
  Folder folder;
  folder.write("e.json", text);
  const ProgramResult result =
      run_program({"experiment", "e.json"}, folder.path(), 0, sanitized_program_path());
  EXPECT_EQ(result.status, 1) << result.out << result.err;
  EXPECT_EQ(result.err.rfind("error: ", 0), 0u) << result.err;
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  EXPECT_EQ(result.err.find("internal error"), std::string::npos) << result.err;
  for (const char* part : row.expected)
    EXPECT_NE(result.err.find(part), std::string::npos) << "no \"" << part << "\" in " << result.err;
  EXPECT_FALSE(folder.has("results")) << "nothing is run or written";
}

INSTANTIATE_TEST_SUITE_P(Experiment, BadFiles, testing::Range<std::size_t>(0, rows().size()),
                         [](const auto& test) { return std::string(rows()[test.param].name); });

TEST(ExperimentOptions, AreChecked) {
  Folder folder;
  folder.write("e.json", read_file(source("tests/experiment/good.json")));
  const auto error = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "experiment");
    const ProgramResult result = run_program(arguments, folder.path());
    EXPECT_EQ(result.status, 1) << result.err;
    return result.err;
  };
  EXPECT_NE(error({"e.json", "--only", "h"}).find("f, g"), std::string::npos);
  EXPECT_NE(error({"e.json", "--size", "huge"}).find("quick"), std::string::npos);
  EXPECT_NE(error({"e.json", "--jobs", "0"}).find("--jobs"), std::string::npos);
  EXPECT_NE(error({"e.json", "--out", "e.json/x"}).find("e.json/x"), std::string::npos);
  EXPECT_NE(error({"none.json"}).find("none.json"), std::string::npos);
  EXPECT_NE(error({"sceduler"}).find("warped-register-file, or a file"), std::string::npos);
  const ProgramResult named = run_program({"experiment", "schedulers", "--list"}, folder.path());
  EXPECT_EQ(named.status, 0) << named.err;
  EXPECT_NE(named.out.find("hotspot, lrr\n"), std::string::npos) << named.out;
}

}  // namespace
}  // namespace heddle::test
