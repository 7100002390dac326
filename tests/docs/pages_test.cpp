// Tests the documentation of a fresh clone: every link and named source file must exist, pages written by
// hand must be short, and every source folder must have a README.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace heddle {
namespace {

namespace fs = std::filesystem;

const std::string kTop = HEDDLE_SOURCE_FOLDER "/";

// Returns all committed files. Without git (in a source archive), returns all files outside of the folders of
// builds and results.
std::set<std::string> committed_files() {
  std::set<std::string> files;
  const std::string command = "git -C '" + kTop + "' ls-files 2>/dev/null";
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(::popen(command.c_str(), "r"), ::pclose);
  std::string text;
  std::array<char, 65536> part{};
  for (std::size_t n = 0; pipe && (n = std::fread(part.data(), 1, part.size(), pipe.get())) > 0;)
    text.append(part.data(), n);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) files.insert(line);
  if (!files.empty()) return files;
  for (const auto& entry : fs::recursive_directory_iterator(kTop)) {
    const std::string path = fs::relative(entry.path(), kTop).generic_string();
    if (entry.is_regular_file() && !path.starts_with("build/") && !path.starts_with("results/"))
      files.insert(path);
  }
  return files;
}

std::string text_of(const std::string& path) {
  std::ifstream in(kTop + path);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string prose_of(const std::string& path) {
  std::istringstream lines(text_of(path));
  std::string prose;
  bool fenced = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```"))
      fenced = !fenced;
    else if (!fenced)
      prose += line + "\n";
  }
  return prose;
}

std::string without_code(const std::string& prose) {
  static const std::regex code("`[^`\n]*`");
  return std::regex_replace(prose, code, "`");
}

std::string fragment_of(const std::string& heading) {
  static const std::regex link(R"(\[([^\]]*)\]\([^)]*\))");
  std::string fragment;
  for (const char c : std::regex_replace(heading, link, "$1")) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) || c == '-' || c == '_' || byte >= 128)
      fragment += static_cast<char>(std::tolower(byte));
    else if (c == ' ')
      fragment += '-';
  }
  return fragment;
}

const std::set<std::string>& fragments_of(const std::string& path) {
  static std::map<std::string, std::set<std::string>> known;
  const auto [found, is_new] = known.try_emplace(path);
  if (!is_new) return found->second;
  static const std::regex heading("(?:^|\n)#+ +([^\n]*)"), id("<a (?:id|name)=\"([^\"]*)\"");
  const std::string prose = prose_of(path);
  std::set<std::string>& fragments = found->second;
  std::map<std::string, int> seen;
  for (std::sregex_iterator it(prose.begin(), prose.end(), heading), end; it != end; ++it) {
    const std::string fragment = fragment_of((*it)[1]);
    const int before = seen[fragment]++;
    fragments.insert(before ? fragment + "-" + std::to_string(before) : fragment);
  }
  for (std::sregex_iterator it(prose.begin(), prose.end(), id), end; it != end; ++it)
    fragments.insert((*it)[1]);
  return fragments;
}

bool is_there(const std::set<std::string>& files, const std::string& path) {
  if (files.count(path)) return true;
  const auto next = files.lower_bound(path + "/");
  return path.empty() || path == "." || (next != files.end() && next->starts_with(path + "/"));
}

std::string fault_of(const std::set<std::string>& files, const std::string& page, const std::string& target) {
  static const std::regex elsewhere("^[a-z]+:.*");
  if (std::regex_match(target, elsewhere)) return "";
  const std::size_t hash = target.find('#');
  std::string file = target.substr(0, hash), path = page;
  if (!file.empty()) {
    path = (fs::path(page).parent_path() / file).lexically_normal().generic_string();
    if (path.ends_with('/')) path.pop_back();
  }
  if (!is_there(files, path)) return page + ": " + target + ": no committed file " + path;
  if (hash == std::string::npos || !path.ends_with(".md")) return "";
  if (!fragments_of(path).count(target.substr(hash + 1)))
    return page + ": " + target + ": no such heading in " + path;
  return "";
}

std::vector<std::string> pages() {
  std::vector<std::string> all;
  for (const std::string& path : committed_files())
    if (path.ends_with(".md") && !path.starts_with("tests/experiment/golden/")) all.push_back(path);
  return all;
}

TEST(Pages, EveryLinkResolvesOnAFreshClone) {
  static const std::regex link(R"(\]\(([^)\s]+)\))"), definition(R"((?:^|\n)\[[^\]]+\]: +(\S+))"),
      image("<img [^>]*src=\"([^\"]*)\"");
  const std::set<std::string> files = committed_files();
  std::size_t links = 0;
  for (const std::string& page : pages()) {
    const std::string prose = without_code(prose_of(page));
    for (const std::regex* form : {&link, &definition, &image})
      for (std::sregex_iterator it(prose.begin(), prose.end(), *form), end; it != end; ++it, ++links)
        EXPECT_EQ(fault_of(files, page, (*it)[1]), "");
  }
  EXPECT_GT(links, 200u);
}

// If a page contains the path of a source file in a code span, this file must be committed. NAME in a path
// stands for a name that the reader chooses.
TEST(Pages, NameFilesThatAreCommitted) {
  static const std::regex span("`([^`\n]*)`"),
      source(R"((?:models|power|testbench|tests)/[A-Za-z0-9_./-]+\.(?:h|cpp)\b)");
  const std::set<std::string> files = committed_files();
  const std::set<std::string> examples{"models/scheduler/youngest.cpp"};
  std::size_t paths = 0;
  for (const std::string& page : pages()) {
    const std::string prose = prose_of(page);
    for (std::sregex_iterator it(prose.begin(), prose.end(), span), end; it != end; ++it) {
      const std::string text = (*it)[1];
      for (std::sregex_iterator at(text.begin(), text.end(), source); at != end; ++at) {
        const std::string path = at->str();
        if (path.find("NAME") != std::string::npos || examples.count(path)) continue;
        EXPECT_TRUE(files.count(path)) << page << ": " << path;
        ++paths;
      }
    }
  }
  EXPECT_GT(paths, 100u);
}

std::size_t words_of(const std::string& path) {
  std::istringstream text(text_of(path));
  return static_cast<std::size_t>(
      std::distance(std::istream_iterator<std::string>(text), std::istream_iterator<std::string>()));
}

// Generated pages may be long: parameters.md (by `heddle schema`), rtl-report.md (by `heddle rtl`),
// microbenchmarks.md (by scripts/microbench).
TEST(Pages, WrittenByHandAreShort) {
  std::size_t sum = 0;
  for (const std::string& page : pages()) {
    const bool in_docs = page.starts_with("docs/") && page.find('/', 5) == std::string::npos;
    if (!in_docs || page == "docs/parameters.md" || page == "docs/rtl-report.md" ||
        page == "docs/microbenchmarks.md")
      continue;
    const std::size_t words = words_of(page);
    EXPECT_LE(words, 5000u) << page;
    sum += words;
  }
  EXPECT_LE(sum, 45000u) << "words of all hand-written pages of docs/";
}

TEST(Pages, StandInTheIndex) {
  const std::string index = text_of("docs/README.md");
  for (const std::string& page : pages()) {
    if (!page.starts_with("docs/") || page.find('/', 5) != std::string::npos || page == "docs/README.md")
      continue;
    EXPECT_NE(index.find("](" + page.substr(5)), std::string::npos) << page;
  }
}

TEST(Pages, OfReportsComeToTheirFirstTableSoon) {
  std::size_t reports = 0;
  for (const std::string& page : pages()) {
    if (!page.starts_with("docs/reports/") || page.ends_with("/README.md")) continue;
    const std::string text = text_of(page);
    std::istringstream head(text.substr(0, std::min(text.find("\n|"), text.find("\nGenerated by `"))));
    const auto words =
        std::distance(std::istream_iterator<std::string>(head), std::istream_iterator<std::string>());
    EXPECT_LE(words, 120) << page;
    ++reports;
  }
  EXPECT_GT(reports, 30u);
}

TEST(Pages, EveryRoomHasOne) {
  const std::set<std::string> files = committed_files();
  std::set<std::string> rooms{"configs", "power", "rtl", "scripts", "testbench", "tests"};
  for (const std::string& path : files) {
    const std::size_t first = path.find('/');
    if (first == std::string::npos) continue;
    const std::size_t second = path.find('/', first + 1);
    const std::string top = path.substr(0, first);
    if (second != std::string::npos && (top == "models" || top == "testbench"))
      rooms.insert(path.substr(0, second));
  }
  for (const std::string& room : rooms) EXPECT_TRUE(files.count(room + "/README.md")) << room;
}

}  // namespace
}  // namespace heddle
