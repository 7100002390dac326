#include "testbench/run/data_files.h"

#include <algorithm>
#include <filesystem>

#include "models/core/error.h"

namespace heddle::run {
namespace fs = std::filesystem;

std::string find_data(const std::string& relative) {
  std::error_code ec;
  const fs::path program = fs::read_symlink("/proc/self/exe", ec);
  std::vector<fs::path> roots;
  if (!ec) roots.push_back(program.parent_path().parent_path() / "share" / "heddle");
  roots.emplace_back(HEDDLE_SOURCE_FOLDER);
  if (!ec) roots.push_back(program.parent_path().parent_path().parent_path());
  for (const fs::path& root : roots)
    if (fs::exists(root / relative, ec)) return (root / relative).lexically_normal().string();
  return {};
}

std::vector<std::string> list_data(const std::string& folder, const std::string& extension) {
  std::vector<std::string> names;
  const std::string place = find_data(folder);
  if (place.empty()) return names;
  for (const auto& entry : fs::directory_iterator(place))
    if (entry.path().extension() == extension) names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

bool is_file_name(const std::string& name) {
  return name.find('/') != std::string::npos || name.ends_with(".json");
}

std::string find_preset(const std::string& name, const std::string& where) {
  if (is_file_name(name)) return name;
  const std::string found = name.empty() ? "" : find_data("configs/gpu/" + name + ".json");
  if (!found.empty()) return found;
  std::string known;
  for (const std::string& preset : list_data("configs/gpu", ".json"))
    known += (known.empty() ? "" : ", ") + preset;
  throw Error(where, "unknown GPU preset \"" + name + "\"",
              (known.empty() ? "" : known + ", or ") + std::string("a file"));
}

}  // namespace heddle::run
