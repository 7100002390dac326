// Tests all paths that Heddle accepts: every key whose value is a path (found in the schemas of the formats),
// and every output of a command. If such a path is a pipe or a device, the command must report one error and
// must not wait.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <set>

#include "models/core/config_node.h"
#include "tests/cli/program.h"

namespace heddle::test {
namespace {

using testing::HasSubstr;

class PathKeysOfSchema {
 public:
  explicit PathKeysOfSchema(ConfigNode root) : root_(std::move(root)) { visit(root_, ""); }
  const std::set<std::string>& keys() const { return keys_; }

 private:
  void visit(const ConfigNode& node, const std::string& key) {
    const ConfigNode *type = node.find("type"), *format = node.find("format");
    if (type && type->text == "string" && format && format->text == "path") keys_.insert(key);
    for (const auto& [name, member] : node.members) {
      if (name == "properties")
        for (const auto& [property, schema] : member.members)
          // An object {"value", "source"} stands for a value. The path in "value" therefore belongs to the
          // key of this object.
          visit(schema, property == "value" ? key : property);
      else if (name != "$defs" || key.empty())
        visit(member, name == "$defs" ? "$defs" : key);
    }
    for (const ConfigNode& item : node.items) visit(item, key);
  }

  ConfigNode root_;
  std::set<std::string> keys_;
};

constexpr const char* kPtx = R"(.version 6.0
.target sm_30
.address_size 64
.global .align 4 .u32 v;
.visible .entry k(.param .u64 a) { ret; }
)";

struct PathKey {
  const char *format, *key;
  std::vector<std::pair<std::string, std::string>> files;
  std::vector<std::string> arguments;
};

std::string launch_with(const std::string& buffer, const std::string& more = "") {
  return R"({"ptx": "k.ptx", "buffers": {"a": {"type": "u32", "count": 4)" + buffer + R"(}}, )" + more +
         R"("steps": [{"kernel": "k", "grid": [1], "block": [1], "args": [{"buffer": "a"}]}]})";
}

std::vector<std::string> run(std::vector<std::string> more) {
  std::vector<std::string> all = {"run",   "--quiet",      "--launch", "l.json",
                                  "--gpu", "fermi-gtx480", "--set",    "gpu.sms=1"};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

std::string experiment(const std::string& variant, const std::string& size) {
  return R"({"name": "e", "base": {"gpu": "fermi-gtx480"}, "variants": [{"name": "v")" + variant +
         R"(}], "sizes": {"quick": {)" + size +
         R"(}}, "figures": [{"id": "f", "title": "t", "kind": "table", "metric": "cycles"}]})";
}

const std::vector<PathKey>& table() {
  const std::vector<std::string> scenario = {"run", "--quiet", "s.json"},
                                 experiments = {"experiment", "e.json", "--out", "o"};
  const std::string saxpy = R"("kernels": ["saxpy"], "launch": "small.json")";
  static const std::vector<PathKey> rows = {
      {"scenario", "launch", {{"s.json", R"({"gpu": "fermi-gtx480", "launch": "PATH"})"}}, scenario},
      {"scenario", "gpu", {{"s.json", R"({"gpu": "./PATH", "launch": "l.json"})"}}, scenario},
      {"scenario", "preset", {{"s.json", R"({"gpu": {"preset": "./PATH"}, "launch": "l.json"})"}}, scenario},
      {"scenario", "like", {{"s.json", R"({"like": "PATH"})"}}, scenario},
      {"scenario",
       "with",
       {{"s.json", R"({"gpu": "fermi-gtx480", "launch": "l.json", "with": ["./PATH"]})"}},
       scenario},
      {"scenario", "technologies", {}, run({"--set", R"(power.technologies=["./PATH"])"})},
      {"scenario",
       "stand_back",
       {},
       run({"--set", R"(power.technologies=["./PATH"])", "--set", R"(power.stand_back=["./PATH"])"})},
      {"scenario", "untimed_store", {}, run({"--set", "watch.untimed_store=PATH"})},
      {"scenario", "folder", {}, run({"--set", "output.folder=PATH"})},
      {"scenario", "file", {}, run({"--set", "output.pipeline.file=PATH"})},
      {"launch",
       "ptx",
       {{"l.json", R"({"ptx": "PATH", "steps": [{"kernel": "k", "grid": [1], "block": [1]}]})"}},
       run({})},
      {"launch", "file", {{"l.json", launch_with(R"(, "file": "PATH")")}}, run({})},
      {"launch",
       "file",
       {{"l.json", launch_with("", R"("symbols": {"v": {"type": "u32", "file": "PATH"}}, )")}},
       run({})},
      {"launch",
       "pages",
       {{"l.json",
         launch_with(R"(, "pages": [[0, 1]], "hash": "0", "address": 8589938688)", R"("pages": "PATH", )")}},
       run({})},
      {"experiment", "like", {{"e.json", R"({"like": "./PATH"})"}}, experiments},
      {"experiment", "kernels", {{"e.json", experiment("", R"("kernels": ["./PATH"])")}}, experiments},
      {"experiment",
       "launch",
       {{"e.json", experiment("", R"("kernels": [{"name": "n", "launch": "PATH"}])")}},
       experiments},
      {"experiment", "with", {{"e.json", experiment(R"(, "with": ["./PATH"])", saxpy)}}, experiments},
      {"technique",
       "with",
       {{"t.json", R"({"description": "d", "with": ["./PATH"]})"}},
       run({"--with", "./t.json"})},
      {"technique",
       "technologies",
       {{"t.json", R"({"description": "d", "technologies": ["./PATH"]})"}},
       run({"--with", "./t.json", "--account", "papers"})},
      {"technology",
       "extends",
       {{"y.json", R"({"name": "y", "description": "d", "extends": "./PATH"})"}},
       run({"--set", R"(power.technologies=["./y.json"])"})},
      {"preset",
       "like",
       {{"g.json", R"({"like": "./PATH"})"}},
       {"run", "--quiet", "--launch", "l.json", "--gpu", "./g.json"}},
  };
  return rows;
}

std::string with_path(std::string text, const std::string& path) {
  for (std::size_t at = 0; (at = text.find("PATH", at)) != std::string::npos; at += path.size())
    text.replace(at, 4, path);
  return text;
}

TEST(PathKeys, AllOfTheSchemasAreInTheTable) {
  const Folder folder;
  for (const char* format : {"scenario", "launch", "experiment", "technique", "technology", "preset"}) {
    const ProgramResult schema = run_program({"schema", format}, folder.path());
    ASSERT_EQ(schema.status, 0) << schema.err;
    std::set<std::string> tested;
    for (const PathKey& row : table())
      if (row.format == std::string(format) ||
          (format == std::string("preset") && row.format == std::string("scenario")))
        tested.insert(row.key);
    const PathKeysOfSchema found(parse_config_text(schema.out, format));
    EXPECT_FALSE(found.keys().empty()) << format;
    for (const std::string& key : found.keys()) EXPECT_TRUE(tested.contains(key)) << format << ": " << key;
  }
}

TEST(PathKeys, APipeOrADeviceIsOneErrorAtOnce) {
  for (const PathKey& row : table()) {
    SCOPED_TRACE(std::string(row.format) + ": " + row.key);
    for (const bool device : {false, true}) {
      const Folder folder;
      folder.write("k.ptx", kPtx);
      folder.write("l.json", launch_with(R"(, "init": {"kind": "zeros"})"));
      const std::string name = "pipe.json";
      if (device)
        ASSERT_EQ(::symlink("/dev/zero", (folder.path() + "/" + name).c_str()), 0);
      else
        ASSERT_EQ(::mkfifo((folder.path() + "/" + name).c_str(), 0600), 0);
      for (const auto& [file, text] : row.files) folder.write(file, with_path(text, name));
      std::vector<std::string> arguments;
      for (const std::string& word : row.arguments) arguments.push_back(with_path(word, name));
      const ProgramResult result = run_program(arguments, folder.path());
      EXPECT_EQ(result.status, 1) << result.out;
      EXPECT_THAT(result.err, testing::AnyOf(HasSubstr("is a pipe or a device"), HasSubstr("folder")));
      EXPECT_THAT(result.err, HasSubstr(name));
    }
  }
}

// Files for the tests: a stored run, another run with the same launch file, and an experiment.
class OutputPaths : public testing::Test {
 protected:
  OutputPaths() {
    folder_.write("k.ptx", kPtx);
    folder_.write("l.json", launch_with(R"(, "init": {"kind": "zeros"})"));
    folder_.write("e.json", experiment("", R"("kernels": [{"name": "n", "launch": "l.json"}])"));
    for (const char* out : {"one", "two"})
      EXPECT_EQ(run_program(run({"--out", out}), folder_.path()).status, 0);
  }
  ProgramResult write_to(const std::vector<std::string>& words, const std::string& path) {
    std::vector<std::string> arguments;
    for (const std::string& word : words) arguments.push_back(with_path(word, path));
    return run_program(arguments, folder_.path());
  }
  std::string make_pipe(const std::string& name) const {
    std::string path = folder_.path() + "/" + name;
    EXPECT_EQ(::mkfifo(path.c_str(), 0600), 0);
    return path;
  }
  Folder folder_;
};

TEST_F(OutputPaths, APipeWithoutAReaderIsOneErrorAtOnce) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> rows = {
      {"p.html", {"report", "one", "--out", "PATH"}},
      {"p.md", {"report", "one", "--out", "PATH"}},
      {"p.heddle", {"pack", "one", "--out", "PATH"}},
      {"p.csv", {"compare", "one/result.json", "two/result.json", "--csv", "PATH"}},
      {"q.md", {"experiment", "e.json", "--quiet", "--out", "o", "--markdown", "PATH"}},
      {"o/results.csv", {"experiment", "e.json", "--quiet", "--out", "o"}},
      {"o/figures/f.csv", {"experiment", "e.json", "--quiet", "--out", "o"}}};
  for (const auto& [name, words] : rows) {
    SCOPED_TRACE(name);
    if (folder_.has(name)) ASSERT_EQ(::unlink((folder_.path() + "/" + name).c_str()), 0);
    make_pipe(name);
    const ProgramResult result = write_to(words, name);
    EXPECT_EQ(result.status, 1) << result.out;
    EXPECT_THAT(result.err, HasSubstr(name + ": is a pipe that no program reads (allowed: a file)"));
    ASSERT_EQ(::unlink((folder_.path() + "/" + name).c_str()), 0);
  }
}

TEST_F(OutputPaths, APipeWithAReaderGetsTheText) {
  const int reader = ::open(make_pipe("p.csv").c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  const ProgramResult result =
      write_to({"compare", "one/result.json", "two/result.json", "--quiet", "--csv", "PATH"}, "p.csv");
  EXPECT_EQ(result.status, 0) << result.err;
  std::array<char, 8> begin{};
  EXPECT_EQ(::read(reader, begin.data(), begin.size() - 1), static_cast<ssize_t>(begin.size() - 1));
  EXPECT_STREQ(begin.data(), "variant");
  ::close(reader);
}

TEST_F(OutputPaths, ADeviceHasNoSizeAndTakesAPack) {
  ASSERT_EQ(::symlink("/dev/null", (folder_.path() + "/null.heddle").c_str()), 0);
  const ProgramResult result = write_to({"pack", "one", "--out", "PATH"}, "null.heddle");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("bytes unpacked"));
}

TEST_F(OutputPaths, ANameThatIsTooLongIsOneError) {
  const std::vector<std::vector<std::string>> rows = {
      {"run", "PATH"},
      {"run", "--launch", "PATH", "--gpu", "fermi-gtx480"},
      {"run", "--launch", "l.json", "--gpu", "./PATH"},
      {"run", "--launch", "l.json", "--gpu", "fermi-gtx480", "--out", "PATH"},
      {"compare", "one/result.json", "PATH"},
      {"experiment", "./PATH"},
      {"experiment", "e.json", "--quiet", "--out", "PATH"},
      {"draft", "k.ptx", "--out", "PATH"},
      {"report", "PATH"},
      {"report", "one", "--out", "PATH.html"},
      {"pack", "PATH", "--out", "x.heddle"},
      {"unpack", "PATH", "--out", "x"},
      {"unpack", "PATH.heddle", "--out", "x"},
      {"price", "PATH"},
      {"rerun", "PATH"},
      {"rtl", "--liberty", "PATH"},
      {"why", "PATH"},
      {"why", "one", "--against", "PATH"},
      {"why", "one", "--rules", "PATH"}};
  const std::string name(300, 'n');
  for (const std::vector<std::string>& words : rows) {
    const ProgramResult result = write_to(words, name);
    SCOPED_TRACE(words[0] + " " + words[1]);
    EXPECT_EQ(result.status, 1) << result.out;
    EXPECT_THAT(result.err, testing::StartsWith("error: "));
    EXPECT_THAT(result.err, testing::Not(HasSubstr("internal")));
  }
}

TEST_F(OutputPaths, AFolderWithoutAResultIsNamedAsSuch) {
  EXPECT_EQ(::mkdir((folder_.path() + "/empty").c_str(), 0700), 0);
  for (const char* command : {"why", "report"}) {
    const ProgramResult result = write_to({command, "PATH"}, "empty");
    EXPECT_EQ(result.status, 1);
    EXPECT_THAT(result.err, HasSubstr("empty: this folder holds no result")) << command;
  }
}

}  // namespace
}  // namespace heddle::test
