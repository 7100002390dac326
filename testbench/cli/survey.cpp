#include "testbench/cli/survey.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <map>
#include <memory>
#include <system_error>
#include <utility>

#include "models/core/config_node.h"
#include "models/core/error.h"
#include "models/isa/program.h"
#include "models/ptx/module.h"
#include "models/ptx/source.h"
#include "testbench/output/progress_line.h"

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> ptx_files(const std::string& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error))
    throw Error("--survey", "\"" + folder + "\" is no folder", "a folder with PTX files");
  std::vector<std::string> files;
  fs::recursive_directory_iterator entry(folder, error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    std::error_code unseen;
    if (entry->path().extension() == ".ptx" && entry->is_regular_file(unseen))
      files.push_back(entry->path().string());
  }
  if (error) throw Error("--survey", "cannot read the folder \"" + folder + "\": " + error.message());
  if (files.empty())
    throw Error("--survey", "no *.ptx in or below \"" + folder + "\"", "a folder with PTX files");
  std::sort(files.begin(), files.end());
  return files;
}

/// Returns an error message without file position, quoted line and allowed values. Messages with the same
/// cause are then equal, so they can be counted together.
std::string reason_of(const Error& error) {
  std::string text = error.what();
  const std::string place = error.where() + ": ";
  if (!error.where().empty() && text.starts_with(place)) text.erase(0, place.size());
  for (const char* const tail : {" (allowed: ", " in \""})
    text.resize(std::min(text.find(tail), text.size()));
  return text;
}

class Counts {
 public:
  void add(const std::string& reason, const std::string& example) {
    Survey::Reason& known = reasons_[reason];
    known.text = reason;
    if (known.kernels++ == 0) known.example = example;
  }

  std::vector<Survey::Reason> sorted() const {
    std::vector<Survey::Reason> all;
    for (const auto& [text, reason] : reasons_) all.push_back(reason);
    std::stable_sort(all.begin(), all.end(),
                     [](const auto& a, const auto& b) { return a.kernels > b.kernels; });
    return all;
  }

 private:
  std::map<std::string, Survey::Reason> reasons_;
};

std::string line_of(const std::string& where, const std::string& file) {
  return where.starts_with(file + ":") ? where.substr(0, where.find(':', file.size() + 1)) : file;
}

void survey_kernel(const ptx::Module& module, const std::string& kernel,
                   const compiler::CompilerParameters& parameters, Survey& survey, Counts& counts) {
  try {
    isa::Program program = compiler::compile(ptx::lower_kernel(module, kernel), parameters);
    isa::bind_lane_functions(program);
    ++survey.compiled;
  } catch (const ptx::UnsupportedError& error) {
    counts.add(error.feature(), line_of(error.where(), module.file()));
  } catch (const Error& error) {
    counts.add(reason_of(error), line_of(error.where(), module.file()));
    // Catch internal errors too, because one kernel must not end the survey of all kernels.
  } catch (const std::exception& error) {
    counts.add(fmt::format("an error of Heddle's own: {}", error.what()),
               module.file() + ", kernel " + kernel);
  }
}

double percent(std::size_t part, std::size_t whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

ConfigNode count_node(std::size_t value) { return ConfigNode::make_count(value, {}); }
ConfigNode text_node(const std::string& value) { return ConfigNode::make_string(value); }

}  // namespace

Survey survey_folder(const std::string& folder, const compiler::CompilerParameters& parameters) {
  Survey survey;
  Counts counts;
  survey.folder = folder;
  output::ProgressLine progress(true);
  for (const std::string& file : ptx_files(folder)) {
    ++survey.files;
    progress.say("compiles " + file);
    std::shared_ptr<const ptx::Module> module;
    try {
      module = ptx::parse_module_file(file);
    } catch (const Error& error) {
      survey.unread.push_back({file, error.what()});
      continue;
    }
    for (const ptx::KernelName& kernel : module->kernels()) {
      ++survey.kernels;
      survey_kernel(*module, kernel.mangled, parameters, survey, counts);
    }
  }
  survey.reasons = counts.sorted();
  return survey;
}

std::string survey_text(const Survey& s) {
  std::string text =
      fmt::format("{}: {} kernels in {} files, {} compile ({:.1f} %), {} are refused\n", s.folder, s.kernels,
                  s.files, s.compiled, percent(s.compiled, s.kernels), s.kernels - s.compiled);
  for (const Survey::Reason& reason : s.reasons)
    text += fmt::format("{:>8}  {}  ({})\n", reason.kernels, reason.text, reason.example);
  for (const Survey::Unread& file : s.unread) text += fmt::format("not read: {}\n", file.error);
  return text;
}

std::string survey_json(const Survey& s) {
  ConfigNode reasons = ConfigNode::make_list();
  for (const Survey::Reason& reason : s.reasons) {
    ConfigNode row = ConfigNode::make_object();
    row.members = {{"reason", text_node(reason.text)},
                   {"kernels", count_node(reason.kernels)},
                   {"example", text_node(reason.example)}};
    reasons.items.push_back(std::move(row));
  }
  ConfigNode unread = ConfigNode::make_list();
  for (const Survey::Unread& file : s.unread) {
    ConfigNode row = ConfigNode::make_object();
    row.members = {{"file", text_node(file.file)}, {"error", text_node(file.error)}};
    unread.items.push_back(std::move(row));
  }
  ConfigNode root = ConfigNode::make_object();
  root.members = {{"folder", text_node(s.folder)},    {"files", count_node(s.files)},
                  {"kernels", count_node(s.kernels)}, {"compiled", count_node(s.compiled)},
                  {"reasons", std::move(reasons)},    {"unread", std::move(unread)}};
  return to_json(root);
}

}  // namespace heddle::cli
