#include "testbench/program/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

#include "models/core/error.h"
#include "testbench/launch/stop_signals.h"
#include "testbench/launch/temporary_folder.h"
#include "testbench/program/elf_needs.h"
#include "testbench/program/program_counts.h"
#include "testbench/program/program_estimate.h"
#include "testbench/run/energy_setup.h"

namespace heddle::program {
namespace {

namespace fs = std::filesystem;

constexpr std::array kRuntimes = {"libcudart.so.11.0", "libcudart.so.12", "libcudart.so.13"};

constexpr const char* kSettings = "/exec.json";

volatile std::sig_atomic_t stop_requested = 0;
volatile std::sig_atomic_t child_process = 0;
void on_signal(int) {
  stop_requested = 1;
  if (child_process) ::kill(child_process, SIGTERM);
}

/// Returns the folder with Heddle's CUDA runtime libraries. `program`: path of `heddle`.
fs::path library_folder(const std::string& program) {
  const fs::path root = fs::path(program).parent_path().parent_path();
  for (const char* const folder : {"lib", HEDDLE_LIBRARY_FOLDER})
    if (std::error_code ec; fs::exists(root / folder / "heddle" / kRuntimes.back(), ec))
      return root / folder / "heddle";
  if (std::error_code ec; fs::exists(root / "CMakeCache.txt", ec))
    throw Error(
        (root / "lib" / "heddle").string(), "Heddle's CUDA runtime is not built",
        fmt::format("after scripts/demo, or cmake --build {} --target heddle_product", root.string()));
  throw Error((root / "lib" / "heddle").string(), "Heddle's CUDA runtime is not installed",
              "an installation with it: scripts/demo, then cmake --install build");
}

/// While the program runs, reads new rows of the table of launches, and reports the progress.
class RowsSoFar {
 public:
  RowsSoFar(std::string file, const ProgramProgress& progress)
      : file_(std::move(file)), progress_(progress) {}
  void wait() {
    if (!progress_) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    if (++waits_ % 25) return;
    std::ifstream in(file_);
    in.seekg(read_);
    std::string line, last;
    while (std::getline(in, line) && !in.eof()) {
      read_ = in.tellg();
      if (LaunchRow::is_refined_line(line)) continue;
      ++launches_;
      last = std::move(line);
    }
    if (!last.empty()) progress_(launches_, LaunchRow::from_line(last, file_));
  }

 private:
  std::string file_;
  const ProgramProgress& progress_;
  std::streamoff read_ = 0;
  std::uint64_t launches_ = 0, waits_ = 0;
};

/// Makes the paths of technologies absolute, because the program may change its working folder before the
/// paths are used.
void make_absolute(run::PowerParameters& power) {
  for (auto* const names : {&power.technologies, &power.stand_back})
    for (std::string& name : *names)
      name = fs::absolute(run::find_technology(name, "power.technologies")).lexically_normal().string();
}

void prepend(const char* variable, const std::string& value, char separator) {
  const char* const old = std::getenv(variable);
  ::setenv(variable, old && *old ? (value + separator + old).c_str() : value.c_str(), 1);
}

/// Returns the CUDA runtime library that the program file names as needed, and sets `named` to true. If the file names
/// none, because the program uses only the driver interface, returns the newest runtime library.
std::string runtime_of(const std::string& file, bool& named) {
  if (const auto needs = read_elf_needs(file))
    for (const std::string& library : needs->libraries)
      if (std::find(kRuntimes.begin(), kRuntimes.end(), library) != kRuntimes.end()) {
        named = true;
        return library;
      }
  return kRuntimes.back();
}

[[noreturn]] void become(const std::string& file, const std::vector<std::string>& command,
                         const fs::path& libraries, const std::string& work, bool silent) {
  // End the program if this process ends, because only this process reads the program's results.
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  ::setenv(kExecVariable, (work + kSettings).c_str(), 1);
  bool named = false;
  const std::string runtime = (libraries / runtime_of(file, named)).string();
  // The library of the runtime also contains the driver interface, so libcuda.so.1 is a link to this library.
  std::error_code ec;
  fs::create_symlink(runtime, work + "/libcuda.so.1", ec);
  prepend("LD_LIBRARY_PATH", work + ":" + libraries.string(), ':');
  // Preload the runtime: a program with its own search path for libraries (DT_RPATH) would find another CUDA
  // runtime first.
  if (named) prepend("LD_PRELOAD", runtime, ':');
  // Switch off address randomisation, so that host addresses are the same in every run. Programs may pass
  // such addresses to kernels.
  ::personality(ADDR_NO_RANDOMIZE);
  launch::let_stop_signals_end();
  ::signal(SIGXFSZ, SIG_DFL);  // Heddle ignores SIGXFSZ; the program must not inherit this
  if (const int nowhere = silent ? ::open("/dev/null", O_WRONLY) : -1; nowhere >= 0)
    ::dup2(nowhere, STDOUT_FILENO);
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  ::execv(file.c_str(), arguments.data());
  fmt::print(stderr, "error: {}: cannot be started: {}\n", file, std::strerror(errno));
  std::_Exit(127);
}

}  // namespace

std::string ProgramEnd::unusual_end() const {
  if (interrupted) return "ended early by a signal";
  if (signal) return fmt::format("ended by signal {} ({})", signal, ::strsignal(signal));
  if (status) return fmt::format("ended with status {}", status);
  return used_cuda ? "" : "it has made no CUDA call";
}

bool ProgramEnd::has_timed() const {
  return !interrupted &&
         std::any_of(launches.begin(), launches.end(), [](const LaunchRow& row) { return row.timed; });
}

std::string find_program(const std::string& command) {
  if (command.find('/') != std::string::npos) return command;
  const char* const path = std::getenv("PATH");
  std::string folders = path ? path : "";
  for (std::size_t at = 0; at <= folders.size();) {
    const std::size_t colon = std::min(folders.find(':', at), folders.size());
    const fs::path file = fs::path(folders.substr(at, colon - at)) / command;
    if (std::error_code ec; fs::is_regular_file(file, ec) && ::access(file.c_str(), X_OK) == 0)
      return file.string();
    at = colon + 1;
  }
  throw Error(command, "no program of this name in PATH", "./" + command + " for one in this folder");
}

void check_program(const std::string& file) {
  std::error_code ec;
  if (!fs::is_regular_file(file, ec)) throw Error(file, "no such program");
  if (::access(file.c_str(), X_OK) != 0) throw Error(file, "not a program: it may not be executed");
  const auto needs = read_elf_needs(file);
  if (!needs) return;
  bool runtime = false;
  for (const std::string& library : needs->libraries) {
    runtime = runtime || library.starts_with("libcuda.so");
    if (!library.starts_with("libcudart.so")) continue;
    runtime = true;
    if (std::find(kRuntimes.begin(), kRuntimes.end(), library) == kRuntimes.end())
      throw Error(file, "it was built for " + library, fmt::format("{}", fmt::join(kRuntimes, ", ")));
  }
  if (needs->has_fat_binary && !runtime)
    throw Error(file, "the CUDA runtime is linked into it, so that its calls cannot be taken",
                "nvcc -cudart shared");
}

ProgramEnd run_program(const std::vector<std::string>& command, ExecParameters parameters,
                       const ProgramProgress& progress, bool silent) {
  const fs::path libraries = library_folder(parameters.program);
  const launch::TemporaryFolder work("exec");
  parameters.work = work.path();
  const std::string file = find_program(command.front());
  check_program(file);
  make_absolute(parameters.run.power);
  write_exec_parameters(parameters, work.path() + kSettings);
  std::fflush(nullptr);
  stop_requested = 0;
  const launch::StopActions before = launch::catch_stop_signals(on_signal);
  const pid_t child = ::fork();
  if (child < 0) throw Error(file, fmt::format("no process for it: {}", std::strerror(errno)));
  if (child == 0) become(file, command, libraries, work.path(), silent);
  child_process = child;
  if (stop_requested) ::kill(child, SIGTERM);
  int status = 0;
  RowsSoFar rows(rows_file(work.path(), 0), progress);
  while (::waitpid(child, &status, progress ? WNOHANG : 0) != child) rows.wait();
  child_process = 0;
  launch::restore_stop_signals(before);
  ProgramEnd end;
  end.interrupted = stop_requested != 0;
  end.status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  end.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  std::vector<std::uint64_t> estimated, timed;
  for (unsigned process = 0; fs::exists(rows_file(work.path(), process)); ++process) {
    end.used_cuda = true;
    const std::vector<LaunchRow> all = read_rows(rows_file(work.path(), process));
    end.launches.insert(end.launches.end(), all.begin(), all.end());
    timed.push_back(static_cast<std::uint64_t>(
        std::count_if(all.begin(), all.end(), [](const LaunchRow& row) { return row.timed; })));
    estimated.push_back(static_cast<std::uint64_t>(std::count_if(
        all.begin(), all.end(), [](const LaunchRow& row) { return row.estimate.has_value(); })));
  }
  end.counted = read_counts(work.path(), timed);
  end.estimate = read_estimates(work.path(), estimated, parameters.run.estimate.unsampled_percent);
  return end;
}

}  // namespace heddle::program
