// Tests that every text for users cites a paper by the same name, author and year (docs/papers.md).

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {
namespace {

namespace fs = std::filesystem;

std::string read_text(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::string text_of(const std::string& file) { return read_text(fs::path(HEDDLE_SOURCE_FOLDER) / file); }

std::vector<fs::path> files_in(const std::string& folder, const std::set<std::string>& extensions) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(HEDDLE_SOURCE_FOLDER) / folder))
    if (extensions.contains(entry.path().extension().string())) files.push_back(entry.path());
  return files;
}

std::set<std::string> found(const std::string& text, const char* pattern) {
  const std::regex expression(pattern, std::regex::ECMAScript | std::regex::multiline);
  std::set<std::string> groups;
  for (std::sregex_iterator at(text.begin(), text.end(), expression), end; at != end; ++at)
    groups.insert((*at)[1]);
  return groups;
}

const std::set<std::string>& names() {
  static const std::set<std::string> all = found(text_of("docs/papers.md"), R"(^\| \[([^\]]+)\]\(#)");
  return all;
}

// Returns lines with a three-digit number such as 002 that may stand for a paper. Leaves out numbers that are
// part of a longer number or of a name.
std::vector<std::string> numbered_papers(const std::string& text) {
  const auto digit = [&text](std::size_t at) {
    return at < text.size() && text[at] >= '0' && text[at] <= '9';
  };
  std::vector<std::string> lines;
  for (std::size_t at = text.find("00"); at != std::string::npos; at = text.find("00", at + 1)) {
    if (at + 2 >= text.size() || text[at + 2] < '0' || text[at + 2] > '4') continue;
    if (digit(at + 3) || (at + 3 < text.size() && text[at + 3] == '-')) continue;
    if (at > 0 && (digit(at - 1) || std::string_view(".,-").find(text[at - 1]) != std::string_view::npos))
      continue;
    if (at > 1 && text[at - 1] == ' ' && digit(at - 2)) continue;
    const std::size_t begin = text.rfind('\n', at) + 1;
    lines.push_back(text.substr(begin, text.find('\n', at) - begin));
  }
  return lines;
}

TEST(Papers, AreExplainedAndCited) {
  const std::string page = text_of("docs/papers.md"), citation = text_of("CITATION.cff");
  EXPECT_EQ(names().size(), 14u);
  EXPECT_EQ(found(citation, R"(^  - notes: (.+)$)"), names());
  for (const std::string& name : names())
    EXPECT_NE(page.find("\n## " + name + "\n"), std::string::npos) << name << " has no section";
  const std::string flat = std::regex_replace(page, std::regex("\n"), " ");
  for (const std::string& title : found(citation, R"re(^    title: "?([^"\n]+)"?$)re"))
    EXPECT_NE(flat.find("*" + title + ".*"), std::string::npos) << title;
}

TEST(Papers, OfPublishedFiguresHaveTheirNames) {
  for (const std::string& paper : found(text_of("configs/published.json"), R"re("paper": "([^"]+)")re"))
    EXPECT_TRUE(names().contains(paper)) << paper;
}

TEST(Papers, OfTechniquesHaveTheirNames) {
  for (const fs::path& file : files_in("configs/techniques", {".json"})) {
    const std::set<std::string> paper = found(read_text(file), R"("paper": "([^",]+), )");
    // Some techniques only add hardware that presets lack, and follow no paper. The files of these techniques
    // have a note that says so.
    if (read_text(file).find("\n  \"note\": ") != std::string::npos) continue;
    ASSERT_EQ(paper.size(), 1u) << file << " names no paper with a section";
    EXPECT_TRUE(names().contains(*paper.begin())) << file << ": " << *paper.begin();
  }
}

TEST(Papers, AreNoNumbersOnPages) {
  std::vector<fs::path> pages = files_in("docs", {".md", ".json", ".svg"});
  pages.push_back(fs::path(HEDDLE_SOURCE_FOLDER) / "README.md");
  for (const fs::path& page : pages)
    EXPECT_EQ(numbered_papers(read_text(page)), std::vector<std::string>{}) << page;
}

// A three-digit number such as 002 before a section number would stand for a paper, so it is not allowed.
// Elsewhere such a number may be bits or data.
TEST(Papers, AreNoNumbersBeforeSections) {
  const char* cited =
      R"((?:^|[^\w.,'#-])(00[0-4](?:,? (?:\d+\.|[IVX]+\b|Table|Fig|section|chapter)|'s)[^\n]*))";
  for (const char* folder : {"models", "power", "testbench", "tests", "rtl", "configs"})
    for (const fs::path& file : files_in(folder, {".h", ".cpp", ".v", ".json", ".md"})) {
      const std::string text = read_text(file);
      if (numbered_papers(text).empty() || file.string().find("/on_gpu/") != std::string::npos) continue;
      EXPECT_EQ(found(text, cited), std::set<std::string>{}) << file;
    }
}

TEST(Papers, NumbersAreFound) {
  EXPECT_EQ(numbered_papers("what 003 says\nthe 16 000 of\n"), std::vector<std::string>{"what 003 says"});
  EXPECT_EQ(numbered_papers("`000-hierarchy`, 1,003 and 0.004\n").size(), 0u);
  EXPECT_EQ(numbered_papers("(002)").size(), 1u);
}

}  // namespace
}  // namespace heddle
