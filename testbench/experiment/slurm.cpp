#include "testbench/experiment/slurm.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <filesystem>

#include "models/core/error.h"
#include "testbench/run/new_file.h"

namespace heddle::experiment {
namespace {

namespace fs = std::filesystem;

std::string shell_quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string shell_quoted(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + shell_quoted(word);
  return text;
}

struct Said {
  int status = 0;
  std::string text;
};

Said run_shell(const std::string& command) {
  std::FILE* const pipe = ::popen((command + " 2>&1").c_str(), "r");
  if (!pipe) throw Error("sbatch", "cannot start a shell");
  Said said;
  std::array<char, 4096> part{};
  while (const std::size_t n = std::fread(part.data(), 1, part.size(), pipe))
    said.text.append(part.data(), n);
  const int status = ::pclose(pipe);
  said.status = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
  while (!said.text.empty() && said.text.back() == '\n') said.text.pop_back();
  return said;
}

// "12", or "12;cluster", in the last line: warnings stand before it.
std::string submit(const std::string& arguments) {
  const Said said = run_shell("sbatch --parsable " + arguments);
  const std::size_t line = said.text.rfind('\n');
  std::string id = said.text.substr(line == std::string::npos ? 0 : line + 1);
  id = id.substr(0, id.find(';'));
  if (said.status == 0 && !id.empty() && id.find_first_not_of("0123456789") == std::string::npos) return id;
  if (said.status == 127)
    throw Error("--slurm", "there is no sbatch here (scripts/setup --full installs one)",
                "a machine with Slurm, or --shard");
  throw Error("sbatch", said.text);
}

std::string script_text(const SlurmRequest& request, const std::string& log, const std::string& last_words) {
  return fmt::format(
      "#!/bin/sh\n"
      "#SBATCH --job-name={}\n"
      "#SBATCH --output={}\n"
      "#SBATCH --requeue\n"
      "cd {} || exit 1\n"
      "exec {} {}\n",
      request.name, log, shell_quoted(fs::current_path().string()), shell_quoted(request.command),
      last_words);
}

}  // namespace

std::vector<std::string> write_slurm_scripts(const SlurmRequest& request) {
  const std::string folder = fs::absolute(request.folder).lexically_normal().string() + "/slurm";
  if (folder.find_first_of(" \t\n'\"") != std::string::npos)
    throw Error("--out", "Slurm's scripts cannot name the folder \"" + folder + "\"",
                "a folder without blanks and quotes");
  std::error_code ec;
  fs::create_directories(folder, ec);
  if (ec) throw Error(folder, "cannot make this folder");
  std::vector<std::string> scripts = {folder + "/runs.sh", folder + "/collect.sh"};
  run::write_text(
      scripts[0],
      script_text(request, folder + "/%A_%a.txt",
                  fmt::format("--shard \"$SLURM_ARRAY_TASK_ID/{}\" --jobs \"${{SLURM_CPUS_PER_TASK:-1}}\"",
                              request.of)));
  run::write_text(scripts[1], script_text(request, folder + "/%j_collect.txt", "--collect"));
  return scripts;
}

SlurmJobs submit_to_slurm(const SlurmRequest& request) {
  const std::vector<std::string> scripts = write_slurm_scripts(request);
  SlurmJobs jobs;
  if (!request.shards.empty())
    jobs.runs =
        submit(fmt::format("{} --array={} {}", request.options, fmt::join(request.shards, ","), scripts[0]));
  const std::string behind = jobs.runs.empty() ? "" : "--dependency=afterany:" + jobs.runs;
  jobs.collect = submit(fmt::format("{} {} {}", request.options, behind, scripts[1]));
  return jobs;
}

}  // namespace heddle::experiment
