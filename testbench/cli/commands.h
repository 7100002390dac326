#pragma once

// The commands of the program `heddle`. Each function adds the options of its command to the parser. It also
// returns a second function. This second function runs the command and returns the exit status.

#include <functional>

namespace CLI {
class App;
}

namespace heddle::cli {

enum ExitStatus : int {
  kSuccess = 0,
  kFailure = 1,
  /// Exit status if outputs differ from the reference, or if a repeated run differs from the first run.
  kDifferent = 3,
  kLaunchFailed = 4,
  kInterrupted = 130
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
Action add_pack(CLI::App& app);
Action add_price(CLI::App& app);
Action add_reference(CLI::App& app);
Action add_report(CLI::App& app);
Action add_rerun(CLI::App& app);
Action add_schema(CLI::App& app);
Action add_unpack(CLI::App& app);
Action add_view(CLI::App& app);
Action add_why(CLI::App& app);

}  // namespace heddle::cli
