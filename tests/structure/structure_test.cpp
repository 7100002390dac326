// Tests rules for the structure of the sources: dependencies between folders, and sizes of classes.

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

#include "tests/structure/class_sizes.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

constexpr int kMostLines = 300, kMostMembers = 25;

struct File {
  std::string path;
  std::vector<std::string> includes;
  std::vector<std::string> announces{};
  SourceText source{};  ///< classes and functions of the file; filled only on request
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
  return file;
}

std::vector<File> sources(const std::vector<std::string>& folders, bool with_classes = false) {
  const fs::path top = HEDDLE_SOURCE_FOLDER;
  std::vector<File> files;
  for (const std::string& folder : folders)
    for (const auto& entry : fs::recursive_directory_iterator(top / folder)) {
      const std::string path = fs::relative(entry.path(), top).generic_string();
      const bool source = path.ends_with(".h") || path.ends_with(".cpp");
      if (!source || path.starts_with("testbench/kernels/")) continue;
      files.push_back(read(entry.path(), top));
      if (with_classes) files.back().source = read_source(files.back().text);
    }
  return files;
}

/// Returns the path of a source file without the suffix, because a header and its source file count as one.
std::string part_of(const std::string& path) { return path.substr(0, path.rfind('.')); }
std::string folder_of(const std::string& path) { return path.substr(0, path.rfind('/')); }

// Returns the files or folders that include each other directly or indirectly, one line for each circle.
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

// Returns "file: class" for each forward declaration that names a class of a higher folder in the dependency
// order.
std::vector<std::string> names_from_above(const std::vector<File>& files) {
  std::map<std::string, std::string> folders;
  for (const File& file : files)
    if (file.path.ends_with(".h"))
      for (const SourceClass& c : file.source.classes)
        folders.emplace(c.name.substr(c.name.rfind(':') + 1), folder_of(file.path));
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

// A forward declaration of a class is a dependency on the class's folder, although no header is included.
TEST(Structure, NoNameComesFromAbove) {
  EXPECT_EQ(names_from_above(sources({"models", "power", "testbench"}, true)), std::vector<std::string>{});
}

TEST(Structure, NamesFromAboveAreFound) {
  const std::vector<File> files = {{"low/x.h", {}, {"High", "Beside"}},
                                   {"low/beside.h", {}, {}, read_source("class Beside {};")},
                                   {"high/high.h", {"low/x.h"}, {}, read_source("class High {};")}};
  EXPECT_EQ(names_from_above(files), std::vector<std::string>{"low/x.h: High"});
}

/// Folders and files in models/ that belong to one technique only.
struct Technique {
  const char* name;
  const char* rooms;
};
constexpr Technique kTechniques[] = {
    {"virtualization and spilling",
     "models/(stages/(renam|register_claims|program_claims|register_entries|own_releases|table_look_ups|"
     "availability|subarray|pinned|resident|storage)|scheduler/constraints/"
     "(register_|spill|partition_claims)|"
     "frontend/release_flag|gpu/physical)"},
    {"folding", "models/(folding/|exec/lane_fold|scheduler/origami)"},
    {"power gating of units", "models/(gating/|scheduler/gates)"},
    {"operand levels", "models/stages/(operand|register_cache|upper|cache_|read_dist)"},
    {"fast and slow rows", "models/(stages/(swap|pilot|row_moves)|banks/(fast|row_speeds))"},
    {"rows", "models/banks/"},
};
/// Interfaces through which techniques act on models/sm and models/operands. Their default functions do
/// nothing.
constexpr const char* kContracts[] = {"models/ports/lane_plans.h", "models/ports/residency.h",
                                      "models/ports/unit_availability.h"};
/// Files that assemble the SM. They may include the parameters and the factory of each family of exchangeable
/// parts.
constexpr const char* kAssembly[] = {"models/sm/sm.cpp", "models/sm/sm_parameters.h"};

std::string technique_of(const std::string& path) {
  for (const Technique& technique : kTechniques)
    if (std::regex_search(path, std::regex(technique.rooms))) return technique.name;
  return {};
}

template <class List>
bool is_in(const List& list, const std::string& path) {
  return std::find(std::begin(list), std::end(list), path) != std::end(list);
}

// Returns the headers in models/ports that only one technique includes.
std::map<std::string, std::string> headers_of_one_technique(const std::vector<File>& files) {
  std::map<std::string, std::set<std::string>> users;
  for (const File& file : files) {
    const std::string folder = folder_of(file.path);
    if (folder == "models/sm" || folder == "models/operands" || folder == "models/ports") continue;
    for (const std::string& include : file.includes)
      if (include.starts_with("models/ports/")) users[include].insert(technique_of(file.path));
  }
  std::map<std::string, std::string> found;
  for (const auto& [header, techniques] : users)
    if (techniques.size() == 1 && !techniques.begin()->empty() && !is_in(kContracts, header))
      found[header] = *techniques.begin();
  return found;
}

// Returns "file: include" for each file in models/sm or models/operands that includes a technique's header.
std::vector<std::string> known_techniques(const std::vector<File>& files) {
  static const std::regex of_assembly(".*/(make_\\w+|\\w+_parameters)\\.h");
  const std::map<std::string, std::string> of_one = headers_of_one_technique(files);
  std::vector<std::string> found;
  for (const File& file : files) {
    const std::string folder = folder_of(file.path);
    if (folder != "models/sm" && folder != "models/operands") continue;
    for (const std::string& include : file.includes) {
      if (is_in(kAssembly, file.path) && std::regex_match(include, of_assembly)) continue;
      if (!technique_of(include).empty() || of_one.contains(include))
        found.push_back(file.path + ": " + include);
    }
  }
  return found;
}

TEST(Structure, TheSmAndOperandsKnowNoTechnique) {
  EXPECT_EQ(known_techniques(sources({"models"})), std::vector<std::string>{});
}

TEST(Structure, KnownTechniquesAreFound) {
  const std::vector<File> files = {
      {"models/sm/sm.cpp", {"models/folding/make_lane_plans.h", "models/folding/warp_folding.h"}},
      {"models/sm/readiness.cpp", {"models/folding/make_lane_plans.h", "models/ports/wake.h"}},
      {"models/operands/result_bus.h", {"models/stages/renaming.h", "models/ports/lane_plans.h"}},
      {"models/operands/register_path.h", {"models/ports/register_stage.h"}},
      {"models/gating/domain_group.h", {"models/ports/wake.h", "models/ports/register_stage.h"}},
      {"models/stages/renaming.h", {"models/ports/register_stage.h"}}};
  EXPECT_EQ(known_techniques(files),
            (std::vector<std::string>{"models/sm/sm.cpp: models/folding/warp_folding.h",
                                      "models/sm/readiness.cpp: models/folding/make_lane_plans.h",
                                      "models/sm/readiness.cpp: models/ports/wake.h",
                                      "models/operands/result_bus.h: models/stages/renaming.h"}));
}

/// Virtual functions whose result tells the caller that it may omit some work; the second text names the
/// work. No other functions of this kind are allowed. To save work, other classes return masks
/// (subscriptions(), wants(), needs()), or the next cycle in which a result may change (next_change()).
constexpr const char* kSkippingQuestions[][2] = {
    {"always_on", "states of rows at every access"},
    {"issues_pairs", "constraints about the instruction after the head"},
    {"never_gates", "decisions of a gating policy"},
    {"opens_whole_rows", "sub-banks that an access opens"},
    {"proven", "a check of every lane plan"},
    {"shapes_accesses", "rows driven by an access"},
    {"takes_asleep", "which of several sleeping units is called"},
    {"wants_read_answers", "answers of reads that a stage only passes on"},
};
constexpr const char* kProperties[] = {
    "any_warp",           "has_elsewhere",   "idle",    "is_last",          "is_limit",
    "keeps_accesses",     "keeps_annotated", "lasting", "needs_acceptance", "needs_every_access",
    "wakes_at_break_even"};

std::set<std::string> questions_in(const std::string& text) {
  static const std::regex question("virtual bool (\\w+)\\(\\) const");
  std::set<std::string> found;
  for (auto q = std::sregex_iterator(text.begin(), text.end(), question); q != std::sregex_iterator(); ++q)
    found.insert((*q)[1]);
  return found;
}

TEST(Structure, QuestionsThatSkipACallAreFewAndKnown) {
  std::set<std::string> known(std::begin(kProperties), std::end(kProperties)), found;
  for (const auto& [name, call] : kSkippingQuestions) known.insert(name);
  for (const File& file : sources({"models"}))
    for (const std::string& name : questions_in(file.text)) found.insert(name);
  EXPECT_EQ(found, known);
  EXPECT_LE(std::size(kSkippingQuestions), 8u);
}

TEST(Structure, QuestionsAreFound) {
  EXPECT_EQ(
      questions_in("  virtual bool is_idle() const { return true; }\n  virtual bool busy(int) const;\n"),
      std::set<std::string>{"is_idle"});
}

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

/// A class above the size limits: its greatest permitted size, and why.
struct LargeClass {
  const char* name;
  int lines, members;
  const char* reason;
};
constexpr LargeClass kLarge[] = {
    {"Instruction", 300, 42, "what a machine instruction says, a member each"},
    {"InstructionFootprint", 300, 28, "what the hardware knows of an instruction, a member each"},
};
static_assert(std::size(kLarge) <= 5);

TEST(Structure, ClassesOfModelsAreSmall) {
  std::map<std::string, const LargeClass*> large;
  for (const LargeClass& c : kLarge) large[c.name] = &c;
  std::vector<NamedSource> all;
  for (File& file : sources({"models", "power", "testbench"}, true))
    all.push_back({file.path, std::move(file.source)});
  for (const ClassSize& c : class_sizes(all)) {
    if (!c.path.starts_with("models/")) continue;
    std::string outside;
    for (const std::string& part : c.counted_in) outside += "\n  " + part;
    const bool small = c.lines <= kMostLines && c.members <= kMostMembers;
    const auto known = large.find(c.name);
    const int lines = known == large.end() ? kMostLines : known->second->lines;
    const int members = known == large.end() ? kMostMembers : known->second->members;
    EXPECT_TRUE(c.lines <= lines && c.members <= members)
        << c.path << ": " << c.name << " has " << c.lines << " lines in functions and " << c.members
        << " members; allowed: " << lines << " and " << members << (outside.empty() ? "" : "; counted in:")
        << outside;
    if (known == large.end()) continue;
    EXPECT_FALSE(small) << c.name << " is no exception any more";
    large.erase(known);
  }
  for (const auto& [name, c] : large) ADD_FAILURE() << "there is no class " << name;
}

ClassSize size_of(const std::string& name, const std::vector<std::string>& texts) {
  std::vector<NamedSource> sources;
  for (const std::string& text : texts)
    sources.push_back({"folder/file" + std::to_string(sources.size()) + ".h", read_source(text)});
  for (ClassSize& size : class_sizes(sources))
    if (size.name == name) return size;
  ADD_FAILURE() << "there is no class " << name;
  return {};
}

constexpr const char* kStoreTest = R"(
class Store {
 public:
  int find(int key) const {
    for (int i = 0; i < count_; ++i)
      if (keys_[i] == key) return i;
    return -1;
  }
  void put(int key, int value);

 private:
  std::vector<int> keys_, values_;
  int count_ = 0, last_ = 0;
};
void Store::put(int key, int value) {
  keys_[count_] = key;
  values_[count_++] = value;

  last_ = key;  // a comment
}
)";

TEST(Structure, SizesOfClassesAreMeasured) {
  const ClassSize size = size_of("Store", {kStoreTest});
  EXPECT_EQ(size.lines, 10);
  EXPECT_EQ(size.members, 4);
  EXPECT_TRUE(size.counted_in.empty());
}

TEST(Structure, PartsMovedOutOfAClassAreCountedIn) {
  const std::string find = R"({
    for (int i = 0; i < count; ++i)
      if (keys[i] == key) return i;
    return -1;
  })";
  const std::string put = R"({
    keys[count] = key;
    values[count++] = value;
    last = key;
  })";
  const std::map<std::string, std::vector<std::string>> mutants = {
      {"free functions that are handed members",
       {"int find_in(const std::vector<int>& keys, int count, int key) " + find +
            "void put_in(std::vector<int>& keys, std::vector<int>& values, int& count, int& last, int key, "
            "int value) " +
            put,
        "class Store {\n"
        " public: int find(int key) const { return find_in(keys_, count_, key); }\n"
        " void put(int key, int value) { put_in(keys_, values_, count_, last_, key, value); }\n"
        " private: std::vector<int> keys_, values_; int count_ = 0, last_ = 0; };"}},
      {"static functions of another class that are handed members",
       {"struct Finder { static int find(const std::vector<int>& keys, int count, int key) " + find +
            "static void put(std::vector<int>& keys, std::vector<int>& values, int& count, int& last, int "
            "key, "
            "int value) " +
            put + "};",
        "class Store {\n"
        " public: int find(int key) const { return Finder::find(keys_, count_, key); }\n"
        " void put(int key, int value) { Finder::put(keys_, values_, count_, last_, key, value); }\n"
        " private: std::vector<int> keys_, values_; int count_ = 0, last_ = 0; };"}},
      {"a struct of its members, and free functions that take it",
       {"struct StoreState { std::vector<int> keys, values; int count = 0, last = 0; };",
        "int find_in(const StoreState& state, int key) " + find +
            "void put_in(StoreState& state, int key, int value) " + put,
        "class Store {\n public: int find(int key) const { return find_in(state_, key); }\n"
        " void put(int key, int value) { put_in(state_, key, value); }\n"
        " private: StoreState state_; };"}},
      {"a nested struct without a name of its own",
       {"class Store { public: int find(int key) const " + find + "void put(int key, int value) " + put +
        "private: struct Waiting { std::vector<int> keys, values; int count = 0, last = 0; } waiting; };"}},
      {"a struct behind a pointer, with the functions",
       {"struct StoreParts { int find(int key) const " + find + "void put(int key, int value) " + put +
            "std::vector<int> keys, values; int count = 0, last = 0; };",
        "class Store { public: int find(int key); private: std::unique_ptr<StoreParts> parts_; };"}},
      {"a base class of its own",
       {"class StoreBase { protected: int find(int key) const " + find +
            "std::vector<int> keys, values; int count = 0, last = 0; };",
        "class Store : public StoreBase { public: void put(int key, int value) " + put + "};"}},
      {"friends",
       {"class Store { friend int find_in(const Store& store, int key); friend class Putter;\n"
        " std::vector<int> keys_, values_; int count_ = 0, last_ = 0; };\n"
        "int find_in(const Store& store, int key) " +
        find + "class Putter { void put(int key, int value) " + put + "};"}},
  };
  for (const auto& [what, texts] : mutants) {
    const ClassSize size = size_of("Store", texts);
    EXPECT_GE(size.lines, 10) << what;
    EXPECT_LE(size.lines, 12) << what;
    EXPECT_EQ(size.members, 4) << what;
  }
}

TEST(Structure, ClassesOverAStateThatOneHoldsAreCountedIn) {
  const std::string state =
      "struct State { int a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 0; };";
  const std::string adder =
      "class Adder {\n public: explicit Adder(State& s) : state_(s) {}\n void add() {\n state_.a += "
      "state_.b;\n "
      "}\n private: State& state_; };";
  const ClassSize size =
      size_of("Owner", {state, adder, "class Owner { int c() { return state_.c; }\n State state_; };"});
  EXPECT_EQ(size.lines, 5);
  EXPECT_EQ(size.members, 9);
}

TEST(Structure, OthersAreNotCountedIn) {
  const std::string shared = "int least(int a, int b) {\n return a < b ? a : b;\n }\n";
  const std::string parameters = "struct Parameters { int a = 1, b = 2; void fields(Visitor& v); };";
  const std::string value = "struct Result { int a = 0, b = 0; };";
  const std::string view =
      "struct View { int a = 0, b = 0; }; class Policy { virtual int choose(const View& view) = 0; };";
  const ClassSize size =
      size_of("Owner", {shared, parameters, value,
                        "class Owner { int get() { return least(a_, b_); }\n int a_, b_; Parameters p_; "
                        "Result r_; View v_; };",
                        "class Other { int get() { return least(a_, b_); }\n int a_, b_; };",
                        "int sum() { Result r; return r.a; }"});
  EXPECT_EQ(size.lines, 1);
  EXPECT_EQ(size.members, 5);
}

std::vector<std::string> stamps_in(const std::string& source) {
  static const std::regex stamp(
      "\\bCycle\\b[^;()\\n]*\\b\\w+_in_?\\s*[=;,{][^\\n]*"
      "|[\\w\\]\\)](\\.|->)(at|in|came|arrived|put|pushed|since_put)\\s*(==|!=|<|>=)\\s*now\\b[^\\n]*");
  return {std::sregex_token_iterator(source.begin(), source.end(), stamp), std::sregex_token_iterator()};
}

// Only the types of models/core/cycle_*.h may delay a change to the next cycle. The CTA dispatcher is an
// exception, because the dispatcher orders events of SMs by cycle and SM.
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

/// A compiler hint, such as HEDDLE_INLINE or [[gnu::cold]], and the comment before it. The comment also
/// counts for further hints up to the next blank line or label.
struct Hint {
  std::string line, comment;
};
std::vector<Hint> hints_in(const std::string& text) {
  static const std::regex hint(
      "\\[\\[[^\\]\\n]*(gnu::(always_inline|noinline|cold|hot|flatten)|likely)[^\\]\\n]*\\]\\]|HEDDLE_"
      "INLINE");
  std::vector<Hint> found;
  std::string comment, line;
  bool open = false;
  std::istringstream lines(text);
  while (std::getline(lines, line)) {
    const std::size_t begin = line.find_first_not_of(' ');
    if (begin != std::string::npos && line.compare(begin, 2, "//") == 0) {
      comment = (open ? comment : "") + line;
      open = true;
      continue;
    }
    open = false;
    if (line.empty() || line.ends_with(":")) comment.clear();
    if (std::regex_search(line, hint)) found.push_back({line, comment});
  }
  return found;
}

// Outside of lane arithmetic, a compiler hint is allowed only if it saves at least 1 % of the host
// instructions of a benchmark, or of a run with a technique. The comment before the hint must state the
// saving.
TEST(Structure, HintsAreFewAndSayWhatTheySave) {
  std::size_t count = 0;
  for (const File& file : sources({"models"})) {
    if (file.path.starts_with("models/isa/lanes/")) continue;
    for (const Hint& hint : hints_in(file.text)) {
      ++count;
      EXPECT_TRUE(std::regex_search(hint.comment, std::regex("\\d %"))) << file.path << ": " << hint.line;
    }
  }
  EXPECT_LE(count, 10u);
  EXPECT_GT(count, 0u);
}

TEST(Structure, HintsAreFound) {
  const std::vector<Hint> hints = hints_in(
      "  int a();\n  // Together 2 %.\n  [[gnu::always_inline]] int b();\n  [[gnu::noinline, gnu::cold]] int "
      "c();\n\n"
      "  HEDDLE_INLINE int d();\n  [[nodiscard]] int e();\n");
  ASSERT_EQ(hints.size(), 3u);
  EXPECT_EQ(hints[0].comment, "  // Together 2 %.");
  EXPECT_EQ(hints[1].comment, hints[0].comment);
  EXPECT_EQ(hints[2].comment, "");
}

bool has_host_vectors(const std::string& text) {
  static const std::regex vectors(
      "\\b_mm\\d*_(?![gs]etcsr)|__m\\d+|vector_size|ext_vector_type|immintrin|target\\(\"(avx|sse|bmi)");
  return std::regex_search(text, vectors);
}

// Only one file contains host vector code. Other code uses the operations on rows of 32 words in
// models/isa/rows.h.
TEST(Structure, HostVectorsStandInOneFile) {
  std::vector<std::string> found;
  for (const File& file : sources({"models"}))
    if (has_host_vectors(file.text)) found.push_back(file.path);
  EXPECT_EQ(found, std::vector<std::string>{"models/isa/lanes/lane_loops.h"});
}

TEST(Structure, HostVectorsAreFound) {
  EXPECT_TRUE(has_host_vectors("using Words = int __attribute__((vector_size(16)));"));
  EXPECT_TRUE(has_host_vectors("__attribute__((target(\"avx2\"))) void f();"));
  EXPECT_TRUE(has_host_vectors("const auto a = _mm256_setzero_si256();"));
  EXPECT_FALSE(has_host_vectors("std::vector<int> vector; int target(int a);"));
}

TEST(Structure, FunctionsAndMembersAreCounted) {
  const std::vector<SourceClass> found = read_source(R"(
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
)")
                                             .classes;
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].name, "Outer::Inner");
  EXPECT_EQ(found[0].functions, 0);
  EXPECT_EQ(found[0].members.size(), 4u);
  EXPECT_EQ(found[1].name, "Outer");
  EXPECT_EQ(found[1].functions, 6);
  EXPECT_EQ(found[1].members.size(), 6u);
}

}  // namespace
}  // namespace heddle
