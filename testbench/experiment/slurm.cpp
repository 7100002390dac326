#include "testbench/experiment/slurm.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "models/core/error.h"
#include "models/core/read_file.h"
#include "testbench/experiment/command.h"
#include "testbench/launch/command.h"
#include "testbench/launch/new_file.h"

namespace heddle::experiment {
namespace {

namespace fs = std::filesystem;

// Throws Error for a word that is no option, because sbatch would submit it as a script.
std::vector<std::string> sbatch_options(const std::string& text) {
  const std::vector<std::string> words = split_words(text, "--slurm-options");
  bool may_be_value = false;
  for (const std::string& word : words) {
    const bool option = word.size() > 1 && word[0] == '-' && word != "--";
    if (!option && !may_be_value)
      throw Error("--slurm-options", fmt::format("\"{}\" is no option", printable(word)),
                  "options of sbatch, as \"--partition=long --time=60\"");
    may_be_value = option && word.find('=') == std::string::npos;
  }
  return words;
}

// Returns the job's number. sbatch prints "12" or "12;cluster" in its last line, after any warnings.
std::string submit(const std::vector<std::string>& arguments) {
  std::vector<std::string> command = {"sbatch", "--parsable"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const launch::CommandOutcome outcome = launch::run_command(command);
  if (outcome.start_error == ENOENT && !launch::is_on_path("sbatch"))
    throw Error("--slurm", "there is no sbatch here (scripts/setup --full installs one)",
                "a machine with Slurm, or --shard");
  if (outcome.start_error != 0)
    throw Error("--slurm", fmt::format("cannot start sbatch: {}", std::strerror(outcome.start_error)));
  const std::size_t line = outcome.text.rfind('\n');
  std::string id = outcome.text.substr(line == std::string::npos ? 0 : line + 1);
  id = id.substr(0, id.find(';'));
  if (outcome.ok() && !id.empty() && id.find_first_not_of("0123456789") == std::string::npos) return id;
  throw Error("sbatch", outcome.text.empty()
                            ? fmt::format("ended with status {}, and said nothing", outcome.status)
                            : on_one_line(outcome.text));
}

// Quotes a word after #SBATCH. Slurm removes quotes and backslashes and keeps quoted text together.
std::string directive_quoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\\\"") : std::string(1, c);
  return quoted + "\"";
}

// Escapes a folder's name in a file pattern of Slurm. (In such a pattern, %j means the job's number.)
std::string pattern_quoted(const std::string& folder) {
  std::string quoted;
  for (const char c : folder) quoted += c == '%' ? std::string("%%") : std::string(1, c);
  return quoted;
}

std::string script_text(const SlurmRequest& request, const std::string& log, const std::string& last_words) {
  return fmt::format(
      "#!/bin/sh\n"
      "#SBATCH --job-name={}\n"
      "#SBATCH --output={}\n"
      "#SBATCH --requeue\n"
      "cd {} || exit 1\n"
      "exec {} {}\n",
      directive_quoted(request.name), directive_quoted(log), shell_quoted(fs::current_path().string()),
      shell_quoted(request.command), last_words);
}

bool is_named_by_directives(const std::string& folder) {
  return std::none_of(folder.begin(), folder.end(),
                      [](unsigned char c) { return c < ' ' || c == 0x7f || c == '\\'; });
}

}  // namespace

std::vector<std::string> write_slurm_scripts(const SlurmRequest& request) {
  const std::string folder = fs::absolute(request.folder).lexically_normal().string() + "/slurm";
  if (!is_named_by_directives(folder))
    throw Error("--out", fmt::format("Slurm's scripts cannot name the folder \"{}\"", printable(folder)),
                "a folder without backslashes and control characters in its path");
  std::error_code ec;
  fs::create_directories(folder, ec);
  if (ec) throw Error(folder, "cannot make this folder: " + ec.message());
  std::vector<std::string> scripts = {folder + "/runs.sh", folder + "/collect.sh"};
  const std::string logs = pattern_quoted(folder);
  launch::write_text(
      scripts[0],
      script_text(request, logs + "/%A_%a.txt",
                  fmt::format("--shard \"$SLURM_ARRAY_TASK_ID/{}\" --jobs \"${{SLURM_CPUS_PER_TASK:-1}}\"",
                              request.of)));
  launch::write_text(scripts[1], script_text(request, logs + "/%j_collect.txt", "--collect"));
  return scripts;
}

SlurmJobs submit_to_slurm(const SlurmRequest& request) {
  const std::vector<std::string> options = sbatch_options(request.options);
  const std::vector<std::string> scripts = write_slurm_scripts(request);
  SlurmJobs jobs;
  if (!request.shards.empty()) {
    std::vector<std::string> arguments = options;
    arguments.push_back(fmt::format("--array={}", fmt::join(request.shards, ",")));
    arguments.push_back(scripts[0]);
    jobs.runs = submit(arguments);
  }
  std::vector<std::string> arguments = options;
  if (!jobs.runs.empty()) arguments.push_back("--dependency=afterany:" + jobs.runs);
  arguments.push_back(scripts[1]);
  jobs.collect = submit(arguments);
  return jobs;
}

}  // namespace heddle::experiment
