#pragma once

// What a command line gives of the shared options (option_table.h).

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

/// What stands for the value of an option of kind optional_text that is given without: "--vcd".
inline constexpr const char* kNoValue = ".";

class OptionValues {
 public:
  /// Adds every option of the table to the parser of a command. Options that the command refuses are parsed, so that the
  /// refusal has its reason, and do not stand in help. The parser must outlive the values.
  OptionValues(CLI::App& parser, Command command);

  /// Throws Error for an option that the command refuses, with the table's reason.
  void check() const;
  bool given(const std::string& name) const;
  /// Values of a given option; empty, or 0, of one that is not given. The name is one of the table.
  const std::string& text(const std::string& name) const;
  const std::vector<std::string>& texts(const std::string& name) const;
  std::uint64_t count(const std::string& name) const;
  /// Of --jobs, or as many as the machine has cores.
  int jobs() const;

  /// The parameters that given options set, without --set. Throws Error for a list that is none.
  run::Flags flags() const;
  /// Preset, launch file, techniques, flags and --set. Throws Error as check() does, and for files that are not there.
  run::ScenarioRequest request(const std::string& scenario = {}) const;
  /// Throws Error if an option writes into the output folder of a run and there is none.
  void check_folder(const std::string& folder) const;
  /// The given options as words of a command line, but for those of `without`.
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

  Command command_;
  std::map<std::string, Value> values_;
};

/// The values of a command that has just been given its options.
std::shared_ptr<OptionValues> add_shared_options(CLI::App& parser, Command command);

}  // namespace heddle::cli
