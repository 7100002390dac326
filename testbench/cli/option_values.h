#pragma once

// The values that a command line gives for the shared options (option_table.h).

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "testbench/cli/option_table.h"
#include "testbench/run/scenario.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace heddle::cli {

/// value of an option of kind optional_text that the user gives without a value, as in "--vcd"
inline constexpr const char* kNoValue = ".";

class OptionValues {
 public:
  /// Adds all options of the table to the parser of a command. Options that the command refuses are also
  /// added, so that check() can report the reason; help hides them. The parser must outlive this object.
  OptionValues(CLI::App& parser, Command command);

  /// Throws Error if the user has given an option that the command refuses. The error states the reason from
  /// the table of options (option_table.h).
  void check() const;
  bool given(const std::string& name) const;
  /// Return the value that the user has given to an option; empty or 0 without the option.
  const std::string& text(const std::string& name) const;
  const std::vector<std::string>& texts(const std::string& name) const;
  std::uint64_t count(const std::string& name) const;
  int jobs() const;

  /// Returns the parameters that the options set; --set is not included. Throws Error for a malformed list.
  run::Flags flags() const;
  /// Returns a request for the run that the options describe: preset, launch file, techniques, parameters and
  /// --set. Throws Error for a refused option or a missing file.
  run::ScenarioRequest request(const std::string& scenario = {}) const;
  /// Throws Error if there is no --out, but an option or --set turns on an output into the output folder.
  void check_folder(const std::string& folder) const;
  /// Throws Error if there is no --out, but an option, --set or the scenario turns on an output into the
  /// output folder. Also throws Error if an option selects signals of a waveform that is not written.
  void check_outputs(const OutputParameters& output) const;
  /// Returns the options that the user gave as words of a command line. Leaves out the options in `without`.
  std::vector<std::string> words(const std::vector<std::string>& without) const;

 private:
  struct Value {
    CLI::Option* option = nullptr;
    std::string text;
    std::vector<std::string> texts;
    std::uint64_t count = 0;
    bool on = false;
  };
  void add(CLI::App& parser, const SharedOption& option);
  const Value& value(const std::string& name) const;
  ConfigNode node(const SharedOption& option) const;
  std::string turned_on_by(const SharedOption& option) const;

  Command command_;
  std::map<std::string, Value> values_;
};

std::shared_ptr<OptionValues> add_shared_options(CLI::App& parser, Command command);

}  // namespace heddle::cli
