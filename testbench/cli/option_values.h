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

/// The value of an option of kind optional_text that is given without one, as in "--vcd".
inline constexpr const char* kNoValue = ".";

class OptionValues {
 public:
  /// Adds every option of the table to the parser of a command. Options that the command refuses are parsed,
  /// so that check() can give the reason, but help leaves them out. The parser must outlive this object.
  OptionValues(CLI::App& parser, Command command);

  /// Throws Error with the table's reason if an option is given that the command refuses.
  void check() const;
  bool given(const std::string& name) const;
  /// Return the value of a given option; empty or 0 if the option is not given. The table must have an option
  /// of this name.
  const std::string& text(const std::string& name) const;
  const std::vector<std::string>& texts(const std::string& name) const;
  std::uint64_t count(const std::string& name) const;
  /// Returns the value of --jobs; without it, the number of cores.
  int jobs() const;

  /// Returns the parameters that the given options set, without --set. Throws Error for a malformed list.
  run::Flags flags() const;
  /// Returns preset, launch file, techniques, flags and --set. Throws Error as check() does, and for missing
  /// files.
  run::ScenarioRequest request(const std::string& scenario = {}) const;
  /// Throws Error if a given option writes into the output folder of a run and no folder is given.
  void check_folder(const std::string& folder) const;
  /// Returns the given options as words of a command line, except those of `without`.
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

/// Adds the shared options to the parser and returns the object that holds their values after parsing.
std::shared_ptr<OptionValues> add_shared_options(CLI::App& parser, Command command);

}  // namespace heddle::cli
