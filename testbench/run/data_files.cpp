#include "testbench/run/data_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "models/core/unknown_name.h"

namespace heddle::run {
namespace fs = std::filesystem;

namespace {

// Program next to which data files are searched, if it is not the running program (which may be a user's CUDA
// program); otherwise empty. Set at most once, at the start.
fs::path& other_program() {
  static fs::path program;
  return program;
}

std::vector<fs::path> data_roots() {
  std::error_code ec;
  const fs::path program = other_program().empty() ? fs::read_symlink("/proc/self/exe", ec) : other_program();
  std::vector<fs::path> roots;
  if (!ec) roots.push_back(program.parent_path().parent_path() / "share" / "heddle");
  roots.emplace_back(HEDDLE_SOURCE_FOLDER);
  if (!ec) roots.push_back(program.parent_path().parent_path().parent_path());
  return roots;
}

}  // namespace

void use_data_of(const std::string& program) { other_program() = program; }

std::string find_data(const std::string& relative) {
  std::error_code ec;
  for (const fs::path& root : data_roots())
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

namespace {

std::string find_short(const std::string& name, const std::string& what, const std::string& beginning,
                       const std::string& ending, const std::vector<std::string>& known) {
  std::error_code ec;
  if (name.ends_with(".cu"))
    throw Error(
        name, "this is CUDA source, which is compiled first",
        fmt::format(
            "heddle-cc {0} -o PROGRAM, then heddle exec -- ./PROGRAM; of a kernel alone heddle-cc {0} "
            "-o FILE.ptx",
            name));
  const bool plain = name.find_first_of("/.") == std::string::npos;
  if (name.empty() || fs::exists(name, ec)) return name;
  std::string found = find_data(beginning + name + ending);
  if (!found.empty() && fs::is_regular_file(found, ec)) return found;
  if (!plain)
    return name;  // `name` looks like a file name. If the file is missing, the code that reads it reports
                  // this.
  throw unknown_file("command line", what, name, known);
}

}  // namespace

Error unknown_file(const std::string& where, const std::string& what, const std::string& name,
                   const std::vector<std::string>& known) {
  if (!known.empty()) return unknown_name(where, what, name, known, "or a file");
  std::vector<std::string> roots;
  for (const fs::path& root : data_roots()) roots.push_back(root.lexically_normal().string());
  return unknown_name(
      where, what, name, known,
      fmt::format("a file; those that come with Heddle are not in {}", fmt::join(roots, " or ")));
}

std::vector<std::string> list_kernels() {
  std::vector<std::string> names;
  const std::string place = find_data("testbench/kernels");
  if (place.empty()) return names;
  for (const auto& entry : fs::directory_iterator(place))
    if (fs::exists(entry.path() / "launch.json")) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

bool needs_matrix_units(const std::string& kernel) {
  std::ifstream file(find_data("testbench/kernels/" + kernel + "/kernel.ptx"));
  for (std::string line; std::getline(file, line);)
    if (line.find("mma.sync") != std::string::npos) return true;
  return false;
}

std::string find_scenario(const std::string& name) {
  return find_short(name, "scenario", "configs/scenarios/", ".json", list_data("configs/scenarios", ".json"));
}

std::string find_launch(const std::string& name) {
  std::error_code ec;
  if (const fs::path file = fs::path(name) / "launch.json"; !name.empty() && fs::is_regular_file(file, ec))
    return file.string();
  const std::size_t slash = name.find('/');
  if (slash != std::string::npos && name.find('/', slash + 1) == std::string::npos &&
      !name.ends_with(".json"))
    return find_short(name, "launch file", "testbench/kernels/", ".json", {});
  return find_short(name, "launch file", "testbench/kernels/", "/launch.json", list_kernels());
}

std::string find_ptx(const std::string& name) {
  return find_short(name, "kernel", "testbench/kernels/", "/kernel.ptx", list_kernels());
}

std::string find_named(const std::string& folder, const std::string& name, const std::string& what,
                       const std::string& where) {
  if (is_file_name(name)) return name;
  std::string found = name.empty() ? "" : find_data(fmt::format("{}/{}.json", folder, name));
  if (!found.empty()) return found;
  throw unknown_file(where, what, name, list_data(folder, ".json"));
}

}  // namespace heddle::run
