#pragma once

// The options that `heddle run`, `exec`, `compare`, `experiment` and `price` share. All five parsers, help,
// completion and the manual read this one table. An option has one name and one meaning. A command to which
// an option does not apply refuses it with a reason.
//
// To add an option, add one entry to option_table.cpp. An entry that names a parameter needs no other code.

#include <array>
#include <initializer_list>
#include <string>
#include <vector>

namespace heddle::cli {

/// The commands that share the table.
enum class Command { run, exec, compare, experiment, price };
inline constexpr std::array kSharing = {Command::run, Command::exec, Command::compare, Command::experiment,
                                        Command::price};
/// Returns the command's name, such as "run".
const char* name_of(Command command);

/// The form of an option's value.
enum class OptionKind {
  flag,           ///< no value
  text,           ///< one word
  texts,          ///< one word; the option may be repeated
  optional_text,  ///< no value, or a word after `=`
  count,          ///< an integer, at least 0
  positions,      ///< positions and ranges, such as "0,3-5"
  checks          ///< auto, on, off, or kinds of checks joined by commas
};

/// An option of the table. The member functions below change a declaration and return it.
struct SharedOption {
  /// The reason why a command refuses the option, and the allowed alternative.
  struct Refusal {
    Command command;
    std::string why, allowed;
  };

  std::string name;  ///< name of the option, such as "--gpu"
  OptionKind kind;
  std::string doc;
  /// Path of the parameter that the option sets; empty: the command reads the value itself.
  std::string path{};
  std::string list_path{};    ///< of checks: path of the list of kinds
  std::string switch_path{};  ///< path of the parameter that the option also turns on
  /// Commands that read the value themselves, although the option has a `path`.
  std::vector<Command> readers{};
  std::vector<Refusal> refusals{};
  std::uint64_t least = 0, most = ~std::uint64_t{0};  ///< range of a count
  bool needs_folder = false;                          ///< true: the option writes into the output folder
  std::string excludes{};                             ///< name of the option that contradicts this one
  std::vector<std::string> emptied{};                 ///< paths of the lists that the option empties

  SharedOption sets(std::string parameter, std::string turned_on = {}) &&;
  SharedOption lists(std::string parameter) &&;
  SharedOption within(std::uint64_t from, std::uint64_t to) &&;
  SharedOption into_folder() &&;
  SharedOption without(std::string other) &&;
  SharedOption empties(std::vector<std::string> lists) &&;
  SharedOption read_by(std::initializer_list<Command> commands) &&;
  SharedOption refused_by(std::initializer_list<Command> commands, const std::string& why,
                          const std::string& allowed) &&;

  /// Returns the refusal for the command; nullptr if the option applies to the command.
  const Refusal* refusal(Command command) const;
  bool is_read_by(Command command) const;
};

/// The table, in the order of help. All five parsers have an entry that is added before they are made.
std::vector<SharedOption>& shared_options();

}  // namespace heddle::cli
