#include "testbench/pack/launch_inputs.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "models/core/config_node.h"
#include "models/core/error.h"
#include "testbench/launch/launch_format.h"
#include "testbench/launch/npy.h"
#include "testbench/pack/contents.h"

namespace heddle::pack {
namespace {

namespace fs = std::filesystem;

void add_symbols(const std::vector<launch::SymbolSpec>& symbols, std::vector<std::string>& files) {
  for (const launch::SymbolSpec& symbol : symbols) files.push_back(symbol.source.file);
}

void add_steps(const std::vector<launch::Step>& steps, std::vector<std::string>& files) {
  for (const launch::Step& step : steps) {
    add_symbols(step.symbols, files);
    add_steps(step.body, files);
  }
}

bool is_table(const fs::path& file) { return file.parent_path().generic_string().ends_with(kTableFolder); }

fs::path common_folder(const std::vector<fs::path>& files) {
  fs::path common = files.empty() ? fs::path("/") : files[0].parent_path();
  for (const fs::path& file : files)
    while (common.has_relative_path() && *file.lexically_relative(common).begin() == "..")
      common = common.parent_path();
  return common;
}

// Replaces absolute paths of inputs in a JSON tree by relative paths. Returns true if there was such a path.
bool make_relative(ConfigNode& node, const InputPlaces& places, const std::string& from) {
  bool changed = false;
  if (node.is_string() && fs::path(node.text).is_absolute() && places.has(node.text)) {
    node.text = places.seen_from(from, node.text);
    changed = true;
  }
  for (ConfigNode& item : node.items) changed |= make_relative(item, places, from);
  for (auto& [key, member] : node.members) changed |= make_relative(member, places, from);
  return changed;
}

// Returns the contents of the file of memory pages of a capture. Sets the pages that the launch does not use
// to zero.
std::string pages_of(const launch::LaunchFile& launch) {
  const std::string all = launch::read_binary(launch.pages);
  std::string kept;
  const auto keep = [&](const launch::PageSource& source) {
    for (const launch::PageRun& run : source.runs) {
      const std::size_t begin = std::min<std::uint64_t>(all.size(), run.first * launch::kPageBytes);
      const std::size_t bytes = std::min<std::uint64_t>(all.size() - begin, run.count * launch::kPageBytes);
      if (kept.size() < begin + bytes) kept.resize(begin + bytes);
      kept.replace(begin, bytes, all, begin, bytes);
    }
  };
  for (const launch::BufferSpec& buffer : launch.buffers) {
    keep(buffer.source.pages);
    if (buffer.expected) keep(*buffer.expected);
  }
  return kept;
}

}  // namespace

std::vector<std::string> files_of_launch(const std::string& launch_file) {
  const launch::LaunchFile launch = launch::read_launch_file(launch_file);
  std::vector<std::string> files = launch.ptx;
  for (const launch::BufferSpec& buffer : launch.buffers) files.push_back(buffer.source.file);
  add_symbols(launch.symbols, files);
  add_steps(launch.steps, files);
  for (const launch::OutputSpec& output : launch.outputs) add_symbols(output.symbol, files);
  files.push_back(launch.pages);
  std::erase(files, "");
  return files;
}

std::string InputPlaces::absolute(const std::string& file) {
  return file.empty() ? "" : fs::absolute(file).lexically_normal().string();
}

InputPlaces::InputPlaces(const std::vector<std::string>& files) {
  std::vector<fs::path> inputs;
  for (const std::string& file : files) {
    const fs::path path = absolute(file);
    if (is_table(path))
      places_[path.string()] = (fs::path(kTableFolder) / path.filename()).string();
    else
      inputs.push_back(path);
  }
  const fs::path common = common_folder(inputs);
  for (const fs::path& path : inputs)
    places_[path.string()] = (fs::path(kInputFolder) / path.lexically_relative(common)).string();
}

std::string InputPlaces::seen_from(const std::string& from, const std::string& file) const {
  return fs::path(of(file)).lexically_relative(fs::path(from).parent_path()).string();
}

Entry InputPlaces::entry(const std::string& file, const std::string& launch_file) const {
  Entry entry{of(file), absolute(file), ""};
  const bool is_launch = entry.source == absolute(launch_file);
  if (!is_launch && !launch_file.empty() && !is_table(entry.source)) {
    const launch::LaunchFile launch = launch::read_launch_file(launch_file);
    if (!launch.pages.empty() && absolute(launch.pages) == entry.source)
      return {entry.name, "", pages_of(launch)};
  }
  if (!entry.source.ends_with(".json")) return entry;
  ConfigNode tree = parse_config_file(entry.source);
  if (make_relative(tree, *this, entry.name)) return {entry.name, "", to_json(tree)};
  return entry;
}

}  // namespace heddle::pack
