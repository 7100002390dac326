// heddle rerun: repeats the run of a result.json and compares the new result with the stored result. The
// command can also compare two stored results.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>

#include "models/core/counted.h"
#include "models/core/error.h"
#include "testbench/cli/commands.h"
#include "testbench/cli/repeated_run.h"
#include "testbench/output/progress_line.h"
#include "testbench/output/result_file.h"
#include "testbench/pack/opened_pack.h"
#include "testbench/run/out_folder.h"

namespace heddle::cli {
namespace {

constexpr std::size_t kShown = 10;

// Collects the paths of values that differ between the JSON trees `a` and `b`. With `known_only`, ignores
// members that only `b` has.
void compare(const ConfigNode& a, const ConfigNode& b, bool known_only, const std::string& path,
             std::vector<std::string>& out) {
  if (a.is_object() && b.is_object()) {
    for (const auto& [key, member] : a.members) {
      const ConfigNode* other = b.find(key);
      if (other)
        compare(member, *other, known_only, path + "." + key, out);
      else
        out.push_back(fmt::format("{}.{} is missing now", path, key));
    }
    for (const auto& [key, member] : b.members)
      if (!known_only && !a.find(key)) out.push_back(fmt::format("{}.{} is new", path, key));
    return;
  }
  if (a.is_array() && b.is_array()) {
    for (std::size_t i = 0; i < std::min(a.items.size(), b.items.size()); ++i)
      compare(a.items[i], b.items[i], known_only, fmt::format("{}[{}]", path, i), out);
    if (a.items.size() != b.items.size())
      out.push_back(fmt::format("{} had {} items, has {}", path, a.items.size(), b.items.size()));
    return;
  }
  std::string was = to_json(a), is = to_json(b);
  if (was == is) return;
  std::erase(was, '\n');
  std::erase(is, '\n');
  out.push_back(fmt::format("{} was {}, is {}", path, was, is));
}

int report(const std::vector<std::string>& differences, std::uint64_t launches, bool known_only) {
  if (differences.empty()) {
    fmt::print("equal: all {}counters of {}\n", known_only ? "recorded " : "", counted(launches, "launch"));
    return kSuccess;
  }
  for (std::size_t i = 0; i < std::min(kShown, differences.size()); ++i) fmt::print("{}\n", differences[i]);
  fmt::print("different: {}\n", counted(differences.size(), "value"));
  return kDifferent;
}

class Repetition {
 public:
  Repetition(const run::RunParameters& parameters, const std::string& out) {
    run::RunHooks hooks;
    hooks.on_built = [this, out](Gpu&) { begin(out); };
    hooks.on_launch_end = [this](const run::LaunchRecord& record) {
      launches_.items.push_back(entries_->entry(record));
      if (writer_) writer_->launch_ended(record);
    };
    session_ = std::make_unique<run::RunSession>(parameters, hooks);
  }
  run::RunSession& session() { return *session_; }

  void claim(const std::string& out, const std::string& first) {
    std::vector<std::string> read = {first};
    for (const run::InputFile& input : session_->inputs()) read.push_back(input.path);
    folder_ = std::make_unique<run::OutFolder>(out);
    folder_->expect({"result.json"}, read, "--out");
  }

  /// Repeats the run and returns its result, which has all launches. Paths in the result are relative to
  /// `folder`.
  ConfigNode run(const std::string& folder) {
    output::ProgressLine progress(true);
    progress.say("repeats the run");
    session_->run();
    if (folder_) {
      writer_->end(folder_.get(), output::counters_by_name(session_->stats()));
      folder_->commit();
    }
    ConfigNode result = output::make_result(*session_, folder);
    *result.find("launches") = std::move(launches_);
    return result;
  }

 private:
  void begin(const std::string& out) {
    entries_ = std::make_unique<output::LaunchEntries>(*session_);
    if (!folder_) return;
    launch::NewFile& file = folder_->add("result.json");
    writer_ = std::make_unique<output::ResultWriter>(*session_, out,
                                                     [&file](std::string_view text) { file.write(text); });
  }

  // folder_ is declared before writer_ and therefore destroyed after it: the writer writes a file of the
  // folder.
  std::unique_ptr<run::OutFolder> folder_;
  std::unique_ptr<output::ResultWriter> writer_;
  std::unique_ptr<output::LaunchEntries> entries_;
  ConfigNode launches_ = ConfigNode::make_list();
  std::unique_ptr<run::RunSession> session_;
};

struct Options {
  std::string result, out, made;
  bool known_only = false, counters = false;
};

ConfigNode repeat(const ConfigNode& first, const Options& options) {
  check_unchanged(first, options.result, options.known_only);
  Repetition repetition(repeated_parameters(first, options.result, options.out), options.out);
  check_complete(first, repetition.session(), options.result, options.known_only);
  if (!options.out.empty()) repetition.claim(options.out, options.result);
  return repetition.run(std::filesystem::path(options.result).parent_path().string());
}

void keep_counters(ConfigNode& part) {
  std::erase_if(part.members,
                [](const auto& member) { return member.first == "energy" || member.first == "metrics"; });
  for (ConfigNode& item : part.items) keep_counters(item);
}

int rerun_result(const Options& options) {
  ConfigNode first = read_result(options.result);
  ConfigNode second = options.made.empty() ? repeat(first, options) : read_result(options.made);
  std::vector<std::string> differences;
  for (const char* part : {"check", "launches", "total"}) {
    ConfigNode *a = first.find(part), *b = second.find(part);
    if (!a) throw Error(options.result, fmt::format("no \"{}\"", part), "a result.json of heddle run");
    if (!b) throw Error(options.made, fmt::format("no \"{}\"", part), "a result.json of heddle run");
    if (options.counters)
      for (ConfigNode* node : {a, b}) keep_counters(*node);
    compare(*a, *b, options.known_only, part, differences);
  }
  return report(differences, first.find("launches")->items.size(), options.known_only);
}

int rerun_pack(Options options) {
  if (!options.out.empty())
    throw Error("--out", "the inputs of a pack are in a temporary folder",
                fmt::format("heddle unpack {} --out FOLDER, then heddle rerun FOLDER/run/result.json",
                            options.result));
  const pack::OpenedPack opened(options.result);
  pack::check_repeatable(opened);
  options.result = opened.result();
  try {
    return rerun_result(options);
  } catch (const Error& error) {
    throw Error("", opened.shown(error.what()));
  }
}

int rerun(const Options& options) {
  return pack::is_pack(options.result) ? rerun_pack(options) : rerun_result(options);
}

}  // namespace

Action add_rerun(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("result", options->result, "result.json of an earlier run, or a pack of it")->required();
  app.add_option("--out", options->out, "folder for the new result.json");
  app.add_flag("--known-only", options->known_only, "ignore counters that the earlier run does not have");
  app.add_flag("--counters", options->counters, "compare only cycles and counters, not energies");
  app.add_option("--made", options->made,
                 "result.json of an existing repetition: compare with it and run nothing")
      ->excludes("--out");
  return [options] { return rerun(*options); };
}

}  // namespace heddle::cli
