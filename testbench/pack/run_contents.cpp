#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "models/core/error.h"
#include "models/core/part_path.h"
#include "models/core/read_file.h"
#include "models/core/registry.h"
#include "testbench/comparison/comparison.h"
#include "testbench/launch/new_file.h"
#include "testbench/output/csv_table.h"
#include "testbench/pack/contents.h"
#include "testbench/pack/launch_inputs.h"
#include "testbench/run/data_files.h"
#include "testbench/run/energy_setup.h"
#include "testbench/run/plugins.h"
#include "testbench/run/tree_path.h"

namespace heddle::pack {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAllowed = "a result.json of heddle run, or a program.json of heddle exec";

std::string name_in(const char* folder, const std::string& name) {
  return fmt::format("{}/{}", folder, name);
}

class RunContents {
 public:
  explicit RunContents(const std::string& file)
      : file_(file), folder_(fs::path(file).parent_path().string()), result_(parse_config_file(file)) {
    if (!comparison::is_result(result_)) throw Error(file, "this is no result", kAllowed);
    if (const ConfigNode* interrupted = result_.find("interrupted"); interrupted && interrupted->boolean)
      throw Error(file, "this run was ended early: its result is partial", "a run that has ended");
    const bool program = result_.find("command") != nullptr;
    made_.list.kind = program ? Kind::program : Kind::run;
    made_.list.result = name_in(kRunFolder, program ? "program.json" : "result.json");
  }

  Contents take() {
    add_inputs();
    add_files();
    add_missing_parts();
    if (made_.list.kind == Kind::program) lack("the program and its data (heddle exec runs a program again)");
    return std::move(made_);
  }

 private:
  void lack(std::string what) { made_.list.lacks.push_back(std::move(what)); }
  std::string placed(const std::string& file) const {
    return run::present_technology((fs::path(folder_) / file).lexically_normal().string());
  }

  /// Returns the launch file's path; empty if there is none, or if it cannot be packed.
  std::string launch_file() const {
    const ConfigNode* launch = run::find_path(result_, "configuration.launch");
    return launch && launch->is_string() && !launch->text.empty() ? placed(launch->text) : "";
  }

  // Returns true if the file has not changed since the run. Otherwise adds the file to the list of files that
  // the pack lacks.
  bool check_input(const std::string& path, const ConfigNode& input) {
    std::error_code ec;
    const ConfigNode* hash = input.find("fnv1a64");
    if (!hash) throw Error(input.where(), "not an input", "{\"file\": ..., \"fnv1a64\": ...}");
    if (!fs::is_regular_file(path, ec)) {
      lack(fmt::format("{} (there is no such file)", InputPlaces::absolute(path)));
      return false;
    }
    if (launch::hash_of_file(path) == hash->text) return true;
    lack(fmt::format("{} (it has changed since the run)", InputPlaces::absolute(path)));
    return false;
  }

  // Adds the files that the run has read, and replaces their paths in the result.
  void add_inputs() {
    ConfigNode* listed = result_.find("inputs");
    if (!listed) return;
    std::vector<std::string> files;
    for (const ConfigNode& input : listed->items)
      if (const std::string path = path_of(input); is_packed(path) && check_input(path, input))
        files.push_back(path);
    const std::string launch = launch_file();
    const bool has_launch = std::find(files.begin(), files.end(), launch) != files.end();
    if (has_launch)
      for (const std::vector<std::string>& more : {files_of_launch(launch), sources(files)})
        for (const std::string& file : more)
          if (std::error_code ec; fs::is_regular_file(file, ec)) files.push_back(file);
    const InputPlaces places(files);
    std::map<std::string, std::string> rewritten;
    std::set<std::string> added;
    for (const std::string& file : files) {
      if (!added.insert(InputPlaces::absolute(file)).second) continue;
      Entry entry = places.entry(file, has_launch ? launch : "");
      if (entry.source.empty()) rewritten[InputPlaces::absolute(file)] = launch::hash_of_text(entry.text);
      made_.entries.push_back(std::move(entry));
    }
    for (ConfigNode& input : listed->items) {
      const std::string path = path_of(input);
      if (const auto at = rewritten.find(InputPlaces::absolute(path)); at != rewritten.end())
        input.find("fnv1a64")->text = at->second;
      point_to(*input.find("file"), path, places);
    }
    point_all(places);
  }

  std::vector<std::string> sources(const std::vector<std::string>& inputs) const {
    const std::string profile = (fs::path(folder_) / "profile.csv").string();
    std::vector<std::string> files;
    if (std::error_code ec; !fs::is_regular_file(profile, ec)) return files;
    const output::CsvTable table = output::read_csv(read_text_file(profile, "the profile"), profile);
    const std::size_t column = table.column("source_file");
    std::set<std::string> names;
    for (const std::vector<std::string>& row : table.rows)
      if (column < row.size() && !row[column].empty() && fs::path(row[column]).is_relative())
        names.insert(row[column]);
    for (const std::string& input : inputs)
      if (input.ends_with(".ptx"))
        for (const std::string& name : names)
          files.push_back((fs::path(input).parent_path() / name).string());
    return files;
  }

  // Returns true if a file is packed. The program of `heddle exec` is not packed, because it runs only on
  // machines of the type for which it was compiled.
  bool is_packed(const std::string& path) const {
    return made_.list.kind == Kind::run || path.ends_with(".json");
  }

  std::string path_of(const ConfigNode& input) const {
    const ConfigNode* file = input.find("file");
    if (!file || !file->is_string()) throw Error(input.where(), "not an input", kAllowed);
    return placed(file->text);
  }

  // Sets a path in the result. A packed file gets its path in the pack; a file that is not packed keeps its
  // absolute path, which error messages show.
  void point_to(ConfigNode& name, const std::string& path, const InputPlaces& places) const {
    name.text = places.has(path) ? places.seen_from(made_.list.result, path) : InputPlaces::absolute(path);
  }

  void point_all(const InputPlaces& places) {
    if (ConfigNode* launch = run::find_path(result_, "configuration.launch"); launch && !launch->text.empty())
      point_to(*launch, placed(launch->text), places);
    for (const char* key : {"technologies", "stand_back"})
      if (ConfigNode* names = run::find_path(result_, fmt::format("configuration.power.{}", key)))
        for (ConfigNode& name : names->items)
          point_to(name,
                   run::is_file_name(name.text) ? placed(name.text)
                                                : run::find_technology(name.text, name.where()),
                   places);
    if (ConfigNode* technologies = result_.find("technologies"))
      for (ConfigNode& technology : technologies->items)
        if (ConfigNode* file = technology.find("file")) point_to(*file, placed(file->text), places);
    // Clears the setting watch.untimed_store in the packed result: it names a folder of this machine, and
    // does not affect results.
    if (ConfigNode* store = run::find_path(result_, "configuration.watch.untimed_store")) store->text.clear();
  }

  void add_files() {
    made_.entries.insert(made_.entries.begin(), {made_.list.result, "", to_json(result_)});
    std::set<std::string> names;
    for (const ConfigNode& name : written().items) names.insert(name.text);
    names.erase(fs::path(file_).filename().string());
    for (const std::string& name : names) {
      const std::string path = (fs::path(folder_) / name).string();
      if (std::error_code ec; fs::is_regular_file(path, ec))
        made_.entries.push_back({name_in(kRunFolder, name), path, ""});
      else
        lack(fmt::format("{} (there is no such file)", InputPlaces::absolute(path)));
    }
  }

  // Returns the names of the files that the run wrote. Takes the names from "files" of the result. If the
  // result has no "files", takes them from the list `.heddle` in the run's folder.
  ConfigNode written() const {
    if (const ConfigNode* files = result_.find("files")) return *files;
    const std::string list = (fs::path(folder_) / ".heddle").string();
    if (std::error_code ec; !fs::is_regular_file(list, ec)) return ConfigNode::make_list();
    const ConfigNode tree = parse_config_file(list);
    const ConfigNode* files = tree.find("files");
    return files ? *files : ConfigNode::make_list();
  }

  // Lists what a repetition of the run needs but the pack lacks: all plug-ins, and the parts of the
  // configuration that this build of Heddle does not contain.
  void add_missing_parts() {
    for (const run::Plugin& plugin : run::loaded_plugins())
      lack(fmt::format("the plug-in {} (--plugin loads it)", plugin.path));
    const ConfigNode* configuration = result_.find("configuration");
    if (!configuration) return;
    for (const auto& [place, family] : Families::instance().by_place())
      if (const ConfigNode* chosen = run::find_path(*configuration, place)) check_parts(*chosen, *family);
  }

  void check_parts(const ConfigNode& chosen, const Family& family) {
    for (const ConfigNode& item : chosen.items) check_parts(item, family);
    const std::string name(type_of_part(chosen));
    const std::vector<PartInfo> parts = family.parts();
    if (name.empty() ||
        std::any_of(parts.begin(), parts.end(), [&](const PartInfo& p) { return p.name == name; }))
      return;
    lack(fmt::format("the plug-in with the {} \"{}\"", family.name(), name));
  }

  std::string file_, folder_;
  ConfigNode result_;
  Contents made_;
};

}  // namespace

Contents run_contents(const std::string& result) { return RunContents(result).take(); }

}  // namespace heddle::pack
