#include <fcntl.h>
#include <fmt/format.h>
#include <malloc.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <new>
#include <string_view>
#include <system_error>
#include <systemc>

#include "models/core/error.h"
#include "models/core/exception_text.h"
#include "models/core/read_file.h"
#include "models/core/unknown_name.h"
#include "models/ptx/kernel_name.h"
#include "testbench/cli/commands.h"
#include "testbench/cli/help_text.h"
#include "testbench/cli/option_values.h"
#include "testbench/cli/program.h"
#include "testbench/run/plugins.h"

namespace heddle::cli {
namespace {

// Suppresses the banner that SystemC's main function prints before it calls sc_main.
[[maybe_unused]] const int no_banner = ::setenv("SC_COPYRIGHT_MESSAGE", "DISABLE", 1);

constexpr const char* kEndOfOptions = "--";
constexpr const char* kLostOutput = "standard output: cannot be written to";

// Opens /dev/null for standard descriptors that are closed. Otherwise a file that is opened later would get
// the descriptor's number and receive printed text.
void keep_standard_descriptors() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(descriptor, F_GETFD) < 0) {
      [[maybe_unused]] const int opened =
          ::open("/dev/null", descriptor == STDOUT_FILENO ? O_RDONLY : O_RDWR);
    }
}

std::atomic<bool> memory_failed = false;
std::terminate_handler usual_end = nullptr;

[[noreturn]] void end_without_memory() {
  if (!memory_failed && usual_end) usual_end();
  for (const std::string_view part :
       {std::string_view("error: "), std::string_view(kNoMemory), std::string_view("\n")}) {
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, part.data(), part.size());
  }
  std::_Exit(kFailure);
}

int fail(const std::string& text) {
  fmt::print(stderr, "error: {}\n", on_one_line(printable(ptx::with_plain_names(text))));
  return kFailure;
}

// Prints SystemC's warnings for the user and turns its errors into exceptions.
void report(const sc_core::sc_report& report, const sc_core::sc_actions& actions) {
  if (report.get_severity() == sc_core::SC_WARNING)
    fmt::print(stderr, "warning: SystemC: {}: {}\n", report.get_msg_type(), report.get_msg());
  else if (report.get_severity() != sc_core::SC_INFO)
    sc_core::sc_report_handler::default_handler(report, actions);
}

// Loads the plug-ins of --plugin FILE and returns the other words of the command line. Plug-ins must register
// their parts before any other option is read.
std::vector<std::string> take_plugins(int argc, char** argv) {
  std::vector<std::string> rest;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == kEndOfOptions) {
      rest.insert(rest.end(), argv + i, argv + argc);
      break;
    }
    if (word.starts_with("--plugin=")) {
      run::load_plugin(word.substr(9));
    } else if (word == "--plugin") {
      if (i + 1 == argc) throw Error("command line", "--plugin names no file", "--plugin FILE.so");
      run::load_plugin(argv[++i]);
    } else {
      rest.push_back(word);
    }
  }
  return rest;
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    if (!option->get_group().empty())
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

void check_options(const CLI::App& app) {
  for (const CLI::App* command : app.get_subcommands())
    for (std::string word : command->remaining()) {
      word = word.substr(0, word.find('='));
      const std::vector<std::string> known = option_names(*command);
      if (word.starts_with("-") && std::find(known.begin(), known.end(), word) == known.end())
        throw unknown_name("command line", "option", word, known,
                           "see heddle " + command->get_name() + " --help");
    }
}

// Enlarges the heap once, at the start. Building a GPU touches thousands of pages, and many small
// enlargements would cost a system call each. Without fast bins (M_MXFAST 0), large blocks are freed without
// a search for small ones to join.
void grow_heap() {
  constexpr int kBytes = 32 << 20;
  constexpr std::uintptr_t kLarge = std::uintptr_t{2} << 20;
  if (!::mallopt(M_TOP_PAD, kBytes) || !::mallopt(M_TRIM_THRESHOLD, 2 * kBytes) ||
      !::mallopt(M_MMAP_THRESHOLD, kBytes) || !::mallopt(M_MXFAST, 0))
    return;
  const auto place = [] { return reinterpret_cast<std::uintptr_t>(::sbrk(0)); };
  const std::uintptr_t begin = (place() + kLarge - 1) / kLarge * kLarge;
  // `volatile` keeps the compiler from removing malloc and free.
  void* volatile grown = std::malloc(kLarge);
  std::free(grown);
  const std::uintptr_t end = place() / kLarge * kLarge;
  if (begin < end) ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
}

// Handles the SIGUSR1 that reports the end of the parent process (end_with_parent()). Linux sends it once for
// each thread of the parent. Only the first SIGUSR1 becomes a SIGTERM, because a second SIGTERM would end
// this process without storing results.
extern "C" void end_once(int) {
  static volatile std::sig_atomic_t ended = 0;
  if (!ended) ::raise(SIGTERM);
  ended = 1;
}

// Ends this process when its parent ends. The process then stores the results so far, as after SIGTERM. The
// Python package sets HEDDLE_PARENT to the parent's process number.
void end_with_parent() {
  const char* const parent = std::getenv("HEDDLE_PARENT");
  if (!parent || std::to_string(::getppid()) != parent) return;
  ::signal(SIGUSR1, end_once);
  ::prctl(PR_SET_PDEATHSIG, SIGUSR1);
  if (std::to_string(::getppid()) != parent) ::raise(SIGUSR1);
}

int run(int argc, char** argv) {
  std::vector<std::string> words = take_plugins(argc, argv);
  CLI::App app{"Heddle: a SystemC model of a GPU's streaming multiprocessors that runs PTX kernels",
               "heddle"};
  // Set the formatter before commands are added, because a command copies it when it is added.
  app.formatter(std::make_shared<WrappedHelp>());
  app.set_version_flag("--version", HEDDLE_VERSION);
  app.require_subcommand(1);
  app.add_option("--plugin", "shared object with your own parts; may be given again, at any place")
      ->type_name("FILE");
  app.footer(
      "Exit status: 0 success, 1 error, 3 results differ, 4 a failed launch (exec --fail-on launch), 130 "
      "ended early by a signal.");
  struct Command {
    CLI::App* parser;
    Action action;
  };
  std::vector<Command> commands;
  const bool is_option = words.empty() || words[0].empty() || words[0][0] == '-';
  // Add the options of all commands only if the command line needs them. Otherwise, add only the options of
  // the named command: CLI11 compares each name with all others, which takes long for many options.
  const bool lists_all = is_option || words[0] == "completion" || words[0] == "man";
  const auto add = [&](const char* name, const char* doc, Action (*make)(CLI::App&)) {
    CLI::App* parser = app.add_subcommand(name, doc);
    commands.push_back({parser, lists_all || words[0] == name ? make(*parser) : Action{}});
  };
  add("run", "run a scenario, or a launch file on a GPU preset", add_run);
  add("compare", "run variants of a configuration and print them side by side", add_compare);
  add("exec", "run a whole CUDA program without a GPU: its launches timed, checked, captured", add_exec);
  add("experiment",
      "run variants x kernels x sweeps of a file; tables, plots, measured next to published values",
      add_experiment);
  add("completion", "print the completion script of a shell: bash, zsh, fish", add_completion);
  add("compile", "print the annotated listing of a kernel", add_compile);
  add("draft", "write a launch file for a kernel, with \"?\" for values that only you can give", add_draft);
  add("list", "list policies, stages, passes and memories with their parameters; presets, scenarios, kernels",
      add_list);
  add("man", "print the manual page", add_man);
  add("mix", "print the dynamic instruction mix of launch files", add_mix);
  add("pack", "write a result and all that it needs into one file", add_pack);
  add("price", "price a stored run with other technologies; nothing is simulated", add_price);
  add("reference", "run a launch file untimed", add_reference);
  add("report", "make the HTML or Markdown page of a stored result or a pack", add_report);
  add("rerun", "repeat the run of a result.json and compare the statistics", add_rerun);
  add("rtl", "synthesise the Verilog blocks: area, timing, equivalence, netlists against a run", add_rtl);
  add("schema", "print the JSON schema of a file format, or the table of all parameters", add_schema);
  add("unpack", "write the files of a pack into a folder", add_unpack);
  add("view", "write a page that shows an SM of a stored run, cycle by cycle", add_view);
  add("why", "state why a stored run takes its cycles and energy, or why two runs differ", add_why);
  std::vector<std::string> names;
  for (const Command& command : commands) names.push_back(command.parser->get_name());
  if (!is_option && std::find(names.begin(), names.end(), words[0]) == names.end())
    throw unknown_name("command line", "command", words[0], names);
  // Gives --vcd without `=` the value kNoValue. Otherwise CLI11 would take the next word of the command line
  // as the value of --vcd.
  for (auto word = words.begin(); word != std::find(words.begin(), words.end(), kEndOfOptions); ++word)
    for (const SharedOption& option : shared_options())
      if (option.kind == OptionKind::optional_text && *word == option.name)
        *word += std::string("=") + kNoValue;
  try {
    std::reverse(words.begin(), words.end());
    app.parse(words);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return app.exit(e);
    check_options(app);
    return fail(std::string("command line: ") + e.what() + " (see heddle --help)");
  }
  for (const Command& command : commands)
    if (command.parser->parsed()) return command.action();
  return kFailure;
}

int guarded(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const Error& e) {
    return fail(e.what());
  } catch (const InternalError& e) {
    return fail(std::string("internal error: ") + e.what() + "; please report this");
  } catch (const sc_core::sc_report& e) {
    return fail(
        fmt::format("internal error: SystemC: {}: {}; please report this", e.get_msg_type(), e.get_msg()));
  } catch (const std::filesystem::filesystem_error& e) {
    return fail(e.path1().string() + ": " + e.code().message());
  } catch (const std::system_error& e) {
    return fail(std::ferror(stdout) ? kLostOutput : std::string("internal error: ") + e.what());
  } catch (const std::bad_alloc&) {
    return fail(kNoMemory);
  } catch (const std::exception& e) {
    return fail(std::string("internal error: ") + e.what() + "; please report this");
  }
}

}  // namespace

void end_at_memory_failures() {
  std::set_new_handler([] {
    memory_failed = true;
    throw std::bad_alloc();
  });
  const std::terminate_handler before = std::set_terminate(end_without_memory);
  if (before != end_without_memory) usual_end = before;
}

int run_program(int argc, char** argv) {
  end_at_memory_failures();
  ::signal(
      SIGXFSZ,
      SIG_IGN);  // Ignore SIGXFSZ (file too large): the write then fails with an error that names the reason.
  keep_standard_descriptors();
  grow_heap();
  end_with_parent();
  sc_core::sc_report_handler::set_handler(report);
  const int status = guarded(argc, argv);
  const bool lost = std::fflush(stdout) != 0 || std::ferror(stdout);
  if (lost && status == kSuccess) return fail(kLostOutput);
  return status;
}

}  // namespace heddle::cli
