// The shape of the sources: who includes whom, and how long files are.

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace heddle {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestFile = 330;
constexpr const char* kIncludes = "#include \"";

struct File {
  std::string path;                   ///< from the top of the tree
  std::vector<std::string> includes;  ///< likewise
  std::size_t lines = 0;
};

File read(const fs::path& path, const fs::path& top) {
  File file{fs::relative(path, top).generic_string(), {}, 0};
  std::ifstream in(path);
  for (std::string line; std::getline(in, line); ++file.lines) {
    if (!line.starts_with(kIncludes)) continue;
    line.erase(0, std::string(kIncludes).size());
    file.includes.push_back(line.substr(0, line.find('"')));
  }
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
      {"a/x.h", {"a/y.h"}, 1}, {"a/y.h", {}, 1}, {"a/y.cpp", {"a/x.h", "b/z.h"}, 1}, {"b/z.h", {}, 1}};
  EXPECT_EQ(circles(files, part_of), std::vector<std::string>{"a/x a/y "});
  EXPECT_EQ(circles(files, folder_of), std::vector<std::string>{});
}

TEST(Structure, FilesOfModelsAreShort) {
  for (const File& file : sources({"models"})) EXPECT_LE(file.lines, kLongestFile) << file.path;
}

}  // namespace
}  // namespace heddle
