#pragma once

// The commands of the program. Each function adds its options to the parser and returns the function that
// runs the command. That function returns the exit status.

#include <functional>

namespace CLI {
class App;
}

namespace heddle::cli {

enum ExitStatus : int {
  kSuccess = 0,
  kFailure = 1,       ///< an error was reported
  kDifferent = 3,     ///< outputs differ from the reference, or a repeated run from the first
  kLaunchFailed = 4,  ///< a launch of a program failed, where --fail-on asks for it
  kInterrupted = 130  ///< ended early by a signal; partial results are written
};

using Action = std::function<int()>;

Action add_rtl(CLI::App& app);
Action add_run(CLI::App& app);
Action add_compare(CLI::App& app);
Action add_compile(CLI::App& app);
Action add_completion(CLI::App& app);
Action add_draft(CLI::App& app);
Action add_exec(CLI::App& app);
Action add_experiment(CLI::App& app);
Action add_list(CLI::App& app);
Action add_man(CLI::App& app);
Action add_mix(CLI::App& app);
Action add_price(CLI::App& app);
Action add_reference(CLI::App& app);
Action add_rerun(CLI::App& app);
Action add_schema(CLI::App& app);

}  // namespace heddle::cli
