#include <fmt/format.h>
#include <glob.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "models/core/error.h"
#include "models/core/object_form.h"
#include "testbench/experiment/reading.h"
#include "testbench/run/data_files.h"

namespace heddle::experiment {
namespace {

namespace fs = std::filesystem;

const ObjectForm kSizeForm(
    "experiment", "size", "a size",
    {{"kernels!", "path|(path|kernel)[]"},
     {"launch", "path", "name of the launch file in every kernel's folder"},
     {"estimate", "boolean|object",
      "estimates launches that are too large to be timed whole (docs/estimates.md): true, or parameters "
      "of \"estimate\" that differ from their defaults"},
     {"set", "settings"}});
const ObjectForm kKernelForm("experiment", "kernel", "a kernel",
                             {{"name!", "text"}, {"launch!", "path"}, {"set", "settings"}});

constexpr const char* kKernelFolder = "testbench/kernels";

std::string path_next_to(const std::string& file, const std::string& path) {
  const fs::path own(path);
  return own.is_relative() ? (fs::path(file).parent_path() / own).lexically_normal().string() : path;
}

// Returns the launch file that an object names: a path relative to the experiment, a folder with a
// launch.json, or one of Heddle's launch files ("saxpy/small").
std::string launch_of(const ConfigNode& node) {
  const std::string text = ObjectReader::text_of(node);
  const std::string path = path_next_to(node.file, text);
  std::error_code ec;
  if (fs::exists(path, ec) || text.ends_with(".json")) return run::find_launch(path);
  const std::string found = run::find_launch(text);
  return found == text ? path : found;
}

// Returns the kernel's name for a launch file: the file's name, or the folder's name if the file has a usual
// name such as launch.json.
std::string name_of_launch(const std::string& file) {
  const fs::path path = fs::absolute(file).lexically_normal();
  const std::string stem = path.stem().string(), folder = path.parent_path().filename().string();
  return (stem == "launch" || stem == "small") && !folder.empty() ? folder : stem;
}

// Returns the launch files of a path relative to the experiment: one file, the file in a folder, or all files
// that match a pattern, sorted.
std::vector<std::string> launches_of(const ConfigNode& node) {
  const std::string path = path_next_to(node.file, node.text);
  std::vector<std::string> found;
  const auto add = [&found](const std::string& name) {
    std::error_code ec;
    if (!fs::is_directory(name, ec))
      found.push_back(name);
    else if (fs::exists(fs::path(name) / "launch.json", ec))
      found.push_back((fs::path(name) / "launch.json").string());
  };
  if (path.find_first_of("*?[") == std::string::npos) {
    add(path);
  } else {
    glob_t matches{};
    ::glob(path.c_str(), 0, nullptr, &matches);
    for (std::size_t i = 0; i < matches.gl_pathc; ++i) {
      const std::string name = matches.gl_pathv[i];
      if (fs::is_directory(name) || name.ends_with(".json")) add(name);
    }
    ::globfree(&matches);
  }
  if (found.empty())
    throw Error(node.where(), fmt::format("no launch file at {}", path),
                "launch files, and folders of captured launches");
  return found;
}

class SizeReader {
 public:
  SizeReader(ExperimentFile& file, const std::vector<std::string>& all) : file_(file), all_(all) {}

  void read(const ConfigNode& node) {
    const ObjectReader in(node, kSizeForm);
    if (in.has("launch")) launch_ = in.text("launch");
    if (const ConfigNode* estimate = in.find("estimate")) read_estimate(*estimate);
    for (const Assignment& set : read_sets(in.find("set"))) file_.size_sets.push_back(set);
    const ConfigNode& kernels = in.get("kernels");
    for (const ConfigNode& item : kernels.items)
      if (const ConfigNode* name = item.find("name"); name && name->is_string()) given_.insert(name->text);
    if (kernels.is_array())
      for (const ConfigNode& item : kernels.items) read_kernel(item);
    else
      read_kernel(kernels);
    if (file_.kernels.empty()) throw Error(kernels.where(), "no kernels");
  }

 private:
  void read_estimate(const ConfigNode& node) {
    const bool plain = node.kind == ConfigNode::Kind::boolean;
    if (!plain && !node.is_object())
      throw Error(node.where(), "not a way to estimate", R"(true, false, or {"error_percent": 2})");
    file_.size_sets.push_back(
        {"estimate.enabled", ConfigNode::make_boolean(!plain || node.boolean, node.file)});
    for (const auto& [key, value] : node.members) file_.size_sets.push_back({"estimate." + key, value});
  }
  void read_kernel(const ConfigNode& node) {
    if (node.is_object()) {
      const ObjectReader in(node, kKernelForm);
      add(node, {in.text("name"), launch_of(in.get("launch")), read_sets(in.find("set"))});
      return;
    }
    const std::string text = ObjectReader::text_of(node);
    if (text.find('/') != std::string::npos || text.ends_with(".json")) {
      for (const std::string& launch : launches_of(node)) add(node, {name_of_launch(launch), launch, {}});
      return;
    }
    // A pattern of kernel names leaves out kernels that have their own entry with a launch file in the same
    // list `kernels`. It also leaves out kernels that need matrix units, which most presets do not have.
    const bool is_pattern = text == "all" || text.find_first_of("*?[") != std::string::npos;
    for (const std::string& name : select(&node, all_, {}, "kernel"))
      if (!is_pattern || (given_.count(name) == 0 && !run::needs_matrix_units(name)))
        add(node, {name, run::find_data(fmt::format("{}/{}/{}", kKernelFolder, name, launch_)), {}});
  }
  void add(const ConfigNode& node, Kernel kernel) {
    if (kernel.launch.empty())
      throw Error(node.where(), fmt::format("the kernel {} has no launch file {}", kernel.name, launch_));
    for (const Kernel& other : file_.kernels)
      if (other.name == kernel.name)
        throw Error(node.where(), fmt::format("a second kernel named \"{}\"", kernel.name),
                    R"({"name": "another", "launch": "file.json"})");
    file_.kernels.push_back(std::move(kernel));
  }

  ExperimentFile& file_;
  const std::vector<std::string>& all_;
  std::set<std::string> given_;
  std::string launch_ = "launch.json";
};

}  // namespace

std::vector<std::string> kernels_of_heddle() {
  std::vector<std::string> names;
  const std::string place = run::find_data(kKernelFolder);
  if (place.empty()) return names;
  for (const auto& entry : fs::directory_iterator(place))
    if (fs::exists(entry.path() / "launch.json")) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

void read_size(const ConfigNode& node, const std::vector<std::string>& all, ExperimentFile& file) {
  SizeReader(file, all).read(node);
}

}  // namespace heddle::experiment
