#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "models/core/error.h"
#include "testbench/pack/contents.h"

namespace heddle::pack {
namespace {

namespace fs = std::filesystem;

/// Files and folders that are packed. Files that have a meaning only on this machine are left out, such as locks of
/// running simulations (claims.h) and measured CPU times (costs.h).
constexpr const char* kFiles[] = {"experiment.json", "results.csv",      "sweeps.csv",
                                  "columns.csv",     "results-wide.csv", "results.sqlite",
                                  "points.csv",      "report.md",        "report.html"};
constexpr const char* kPictures = "figures";
constexpr const char* kPoints = "points";

bool is_file(const fs::path& path) {
  std::error_code ec;
  return fs::is_regular_file(path, ec);
}

// Adds those files of the subfolder `name` whose names have one of the `endings`, sorted by name.
void add_folder(const fs::path& folder, const char* name, const std::vector<std::string>& endings,
                Contents& contents) {
  std::vector<fs::path> files;
  std::error_code ec;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder / name, ec))
    if (is_file(entry.path()) &&
        std::find(endings.begin(), endings.end(), entry.path().extension().string()) != endings.end())
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files)
    contents.entries.push_back(
        {fmt::format("{}/{}/{}", kExperimentFolder, name, file.filename().string()), file.string(), ""});
}

}  // namespace

bool is_experiment(const std::string& folder) {
  return is_file(fs::path(folder) / "results.csv") && is_file(fs::path(folder) / "points.csv");
}

Contents experiment_contents(const std::string& folder, bool with_counters) {
  if (!is_experiment(folder))
    throw Error(folder, "this folder has no tables of an experiment",
                "a folder that heddle experiment has written");
  Contents contents;
  contents.list.kind = Kind::experiment;
  contents.list.result = kExperimentFolder;
  for (const char* name : kFiles)
    if (const fs::path file = fs::path(folder) / name; is_file(file))
      contents.entries.push_back({fmt::format("{}/{}", kExperimentFolder, name), file.string(), ""});
  add_folder(folder, kPictures, {".csv", ".svg"}, contents);
  if (with_counters)
    add_folder(folder, kPoints, {".json"}, contents);
  else
    contents.list.lacks.emplace_back("the raw counters of each run (heddle pack --counters packs them)");
  contents.list.lacks.emplace_back("launch files, PTX and data (heddle experiment runs an experiment again)");
  return contents;
}

}  // namespace heddle::pack
