// The shape of the sources: who knows whom, and how large classes are.

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/structure/class_counts.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

constexpr int kMostFunctions = 30, kMostMembers = 25;

struct File {
  std::string path;                      ///< from the top of the tree
  std::vector<std::string> includes;     ///< likewise
  std::vector<std::string> announces{};  ///< classes that are declared in it and defined elsewhere
  std::vector<ClassCount> classes{};
  std::string text{};
};

File read(const fs::path& path, const fs::path& top) {
  static const std::regex include("#include \"([^\"]*)\".*"), announcement("(?:class|struct) (\\w+);");
  File file{fs::relative(path, top).generic_string(), {}};
  std::ifstream in(path);
  std::ostringstream text;
  for (std::string line; std::getline(in, line);) {
    std::smatch match;
    if (std::regex_match(line, match, include)) file.includes.push_back(match[1]);
    if (std::regex_match(line, match, announcement)) file.announces.push_back(match[1]);
    text << line << '\n';
  }
  file.text = text.str();
  file.classes = count_classes(file.text);
  return file;
}

// Without what stands beside the sources as data: kernels and their references.
std::vector<File> sources(const std::vector<std::string>& folders) {
  const fs::path top = HEDDLE_SOURCE_FOLDER;
  std::vector<File> files;
  for (const std::string& folder : folders)
    for (const auto& entry : fs::recursive_directory_iterator(top / folder)) {
      const std::string path = fs::relative(entry.path(), top).generic_string();
      const bool source = path.ends_with(".h") || path.ends_with(".cpp");
      if (source && !path.starts_with("testbench/kernels/")) files.push_back(read(entry.path(), top));
    }
  return files;
}

/// A header and its source are one part.
std::string part_of(const std::string& path) { return path.substr(0, path.rfind('.')); }
std::string folder_of(const std::string& path) { return path.substr(0, path.rfind('/')); }

// Parts of which each includes, in the end, all the others: one line for each circle.
std::vector<std::string> circles(const std::vector<File>& files, std::string (*part)(const std::string&)) {
  std::map<std::string, std::size_t> numbers;
  for (const File& file : files) numbers.emplace(part(file.path), numbers.size());
  boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS> graph(numbers.size());
  for (const File& file : files)
    for (const std::string& include : file.includes)
      if (const auto to = numbers.find(part(include)); to != numbers.end())
        boost::add_edge(numbers.at(part(file.path)), to->second, graph);
  std::vector<std::size_t> component(numbers.size());
  boost::strong_components(graph, component.data());
  std::map<std::size_t, std::vector<std::string>> members;
  for (const auto& [name, number] : numbers) members[component[number]].push_back(name);
  std::vector<std::string> found;
  for (const auto& [number, names] : members) {
    if (names.size() == 1) continue;
    std::string line;
    for (const std::string& name : names) line += name + " ";
    found.push_back(line);
  }
  return found;
}

TEST(Structure, NoCircleOfFiles) {
  const std::vector<File> files = sources({"models", "power", "testbench"});
  ASSERT_GT(files.size(), 300u);
  EXPECT_EQ(circles(files, part_of), std::vector<std::string>{});
}

TEST(Structure, NoCircleOfFolders) {
  EXPECT_EQ(circles(sources({"models", "power", "testbench"}), folder_of), std::vector<std::string>{});
}

TEST(Structure, CirclesAreFound) {
  const std::vector<File> files = {
      {"a/x.h", {"a/y.h"}}, {"a/y.h", {}}, {"a/y.cpp", {"a/x.h", "b/z.h"}}, {"b/z.h", {}}};
  EXPECT_EQ(circles(files, part_of), std::vector<std::string>{"a/x a/y "});
  EXPECT_EQ(circles(files, folder_of), std::vector<std::string>{});
}

// Folders that a folder includes in the end, itself among them.
std::set<std::string> reached(const std::vector<File>& files, const std::string& folder) {
  std::set<std::string> seen{folder};
  for (bool grew = true; grew;) {
    grew = false;
    for (const File& file : files)
      if (seen.contains(folder_of(file.path)))
        for (const std::string& include : file.includes) grew |= seen.insert(folder_of(include)).second;
  }
  return seen;
}

// Classes of a folder above that a file knows by name alone: "file: class".
std::vector<std::string> names_from_above(const std::vector<File>& files) {
  std::map<std::string, std::string> folders;  // by class
  for (const File& file : files)
    if (file.path.ends_with(".h"))
      for (const ClassCount& c : file.classes) folders.emplace(c.name, folder_of(file.path));
  std::vector<std::string> found;
  for (const File& file : files) {
    for (const std::string& name : file.announces) {
      const auto defined = folders.find(name);
      if (defined == folders.end() || defined->second == folder_of(file.path)) continue;
      if (reached(files, defined->second).contains(folder_of(file.path)))
        found.push_back(file.path + ": " + name);
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

// A name from above is an arrow up, though nothing is included.
TEST(Structure, NoNameComesFromAbove) {
  EXPECT_EQ(names_from_above(sources({"models", "power", "testbench"})), std::vector<std::string>{});
}

TEST(Structure, NamesFromAboveAreFound) {
  const std::vector<File> files = {{"low/x.h", {}, {"High", "Beside"}},
                                   {"low/beside.h", {}, {}, {{"Beside"}}},
                                   {"high/high.h", {"low/x.h"}, {}, {{"High"}}}};
  EXPECT_EQ(names_from_above(files), std::vector<std::string>{"low/x.h: High"});
}

// What an experiment is, is seen in its shape: nobody reads a line of two thousand characters.
TEST(Structure, LinesOfExperimentsAreRead) {
  for (const auto& entry :
       fs::directory_iterator(fs::path(HEDDLE_SOURCE_FOLDER) / "configs" / "experiments")) {
    std::ifstream in(entry.path());
    int number = 0;
    for (std::string line; std::getline(in, line);) {
      ++number;
      EXPECT_LE(line.size(), 160u) << entry.path() << ":" << number;
    }
    EXPECT_GT(number, 0) << entry.path();
  }
}

/// A class over the limits, what it has, and why.
struct LargeClass {
  const char* name;
  int functions, members;
  const char* reason;
};
constexpr LargeClass kLarge[] = {
    {"RegisterStage", 42, 7, "the interface of stages: hooks that do nothing by default"},
    {"Sm", 37, 27, "puts the modules together and hands them out"},
    {"RegisterCache", 35, 32, "lines, counters of all kinds of misses, and the stage"},
    {"OperandFile", 36, 23, "entries, fills and the stage"},
    {"Swapping", 31, 37, "profile, tables and moves of registers"},
    {"GlobalPipe", 30, 34, "counters are half of it"},
    {"TriModal", 30, 35, "counters are half of it"},
    {"LoadStoreUnit::Parts", 21, 37, "what the unit is put together of, counters among them"},
    {"InstructionFootprint", 2, 28, "what the hardware knows of an instruction, a member each"},
};

TEST(Structure, ClassesOfModelsAreSmall) {
  std::map<std::string, const LargeClass*> large;
  for (const LargeClass& c : kLarge) large[c.name] = &c;
  for (const File& file : sources({"models"})) {
    for (const ClassCount& c : file.classes) {
      const bool small = c.functions <= kMostFunctions && c.members <= kMostMembers;
      const auto known = large.find(c.name);
      if (known == large.end()) {
        EXPECT_TRUE(small) << file.path << ": " << c.name << " has " << c.functions << " functions and "
                           << c.members << " members; at most " << kMostFunctions << " and " << kMostMembers;
        continue;
      }
      EXPECT_FALSE(small) << c.name << " is no exception any more";
      EXPECT_LE(c.functions, known->second->functions) << c.name << ": " << known->second->reason;
      EXPECT_LE(c.members, known->second->members) << c.name << ": " << known->second->reason;
      large.erase(known);
    }
  }
  for (const auto& [name, c] : large) ADD_FAILURE() << "there is no class " << name;
}

// Cycles that a module notes and compares with the present one by hand: members called after what happened in them, and
// fields of what waits until its cycle is over.
std::vector<std::string> stamps_in(const std::string& source) {
  static const std::regex stamp(
      "\\bCycle\\b[^;()\\n]*\\b\\w+_in_?\\s*[=;,{][^\\n]*"
      "|[\\w\\]\\)](\\.|->)(at|in|came|arrived|put|pushed|since_put)\\s*(==|!=|<|>=)\\s*now\\b[^\\n]*");
  return {std::sregex_token_iterator(source.begin(), source.end(), stamp), std::sregex_token_iterator()};
}

// What is put somewhere in a cycle and seen in the next is a matter of the two-phase types. The dispatcher orders what SMs
// tell it by cycle and SM.
TEST(Structure, StampsAreThoseOfTwoPhaseTypes) {
  const std::set<std::string> own = {"models/gpu/cta_dispatcher.cpp"};
  for (const File& file : sources({"models"})) {
    if (file.path.starts_with("models/core/cycle_") || own.contains(file.path)) continue;
    EXPECT_EQ(stamps_in(file.text), std::vector<std::string>{}) << file.path;
  }
}

TEST(Structure, StampsAreFound) {
  EXPECT_EQ(stamps_in("  Cycle freed_in_ = kNever;\n").size(), 1u);
  EXPECT_EQ(stamps_in("  Cycle began = 0, refused_in_;\n").size(), 1u);
  EXPECT_EQ(stamps_in("  if (events_[next].at < now) take();\n").size(), 1u);
  EXPECT_EQ(stamps_in("  return !sent_.empty() && sent_.front().at >= now();\n").size(), 1u);
  EXPECT_EQ(stamps_in("  bool open = taken->in == now;\n").size(), 1u);
  EXPECT_EQ(stamps_in("  Cycle served = port.take(now);\n  std::size_t mentioned_in_ = 0;\n").size(), 0u);
}

// A hint to the compiler stays where a count of host instructions shows what it brings.
TEST(Structure, AttributesOfModelsAreFew) {
  static const std::regex attribute("\\[\\[[^\\]\\n]*(gnu::|likely)[^\\]\\n]*\\]\\]");
  std::ptrdiff_t count = 0;
  for (const File& file : sources({"models"}))
    count += std::distance(std::sregex_iterator(file.text.begin(), file.text.end(), attribute),
                           std::sregex_iterator());
  EXPECT_LE(count, 30);
  EXPECT_GT(count, 5);
}

TEST(Structure, FunctionsAndMembersAreCounted) {
  const std::vector<ClassCount> found = count_classes(R"(
// class Nothing { int a_; };
#define OPEN {
namespace n {
template <class T, int kSize = 2>
class alignas(64) Outer final : public Base<T>, protected Other {
 public:
  Outer(int a) : Base<T>(a), a_{a}, b_{} { use("}"); }
  Outer(const Outer&) = delete;
  virtual int pure() const = 0;
  template <class F>
  [[gnu::always_inline]] void each(F&& f) { if (a_) { f({a_}); } }
  std::function<void(int)> get() const { return call_; }
  bool operator==(const Outer&) const = default;
  bool operator<(const Outer& other) const;
  static int shared() { return 0; }

 private:
  friend class Friend;
  using Map = std::map<int, int>;
  enum class Kind { one, two };
  struct Inner {
    int x = 0, y = 1;
    char c = '{';
    std::array<int, 3> z{};
  };
  static constexpr int kLimit = 3;
  int a_;
  int &b_, *c_;
  std::function<void(int, int)> call_;
  Kind kind_ = Kind::one;
  Probe<T> probe_{*this};
};
int f() { struct Local { int a; }; return 0; }
}
)");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].name, "Inner");
  EXPECT_EQ(found[0].functions, 0);
  EXPECT_EQ(found[0].members, 4);
  EXPECT_EQ(found[1].name, "Outer");
  EXPECT_EQ(found[1].functions, 6);
  EXPECT_EQ(found[1].members, 6);
}

}  // namespace
}  // namespace heddle
