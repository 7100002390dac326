#pragma once

// Declares the table of options that `heddle run`, `exec`, `compare`, `experiment` and `price` share.
// Parsers, help, completion and the manual page are made from this table. If an option does not apply to a
// command, the command refuses the option and prints the reason. To add an option, add one entry to
// option_table.cpp.

#include <array>
#include <initializer_list>
#include <string>
#include <vector>

namespace heddle::cli {

enum class Command { run, exec, compare, experiment, price };
inline constexpr std::array kSharing = {Command::run, Command::exec, Command::compare, Command::experiment,
                                        Command::price};
const char* name_of(Command command);

enum class OptionKind {
  flag,
  text,
  texts,
  optional_text,  ///< The user gives the option alone or with `=VALUE`.
  count,
  positions,  ///< The value lists launch indices, such as "0,3-5".
  checks      ///< The value is auto, on, off, or kinds of checks joined by commas.
};

/// An option in the table of shared options. Each member function sets one property and returns the option,
/// so that calls can be chained.
struct SharedOption {
  /// A command that refuses the option, the reason, and what the user can do instead.
  struct Refusal {
    Command command;
    std::string why, allowed;
  };

  std::string name;
  OptionKind kind;
  std::string doc;
  /// path of the parameter that the option sets; empty: the command reads the option's value itself
  std::string path{};
  /// For options of the kind `checks`: path of the parameter whose value is the list of checks.
  std::string list_path{};
  std::string switch_path{};  ///< path of a boolean parameter that the option also sets to true
  /// Commands that read the option's value themselves, although the option also sets a parameter.
  std::vector<Command> readers{};
  std::vector<Refusal> refusals{};
  std::uint64_t least = 0, most = ~std::uint64_t{0};
  bool needs_folder = false;  ///< The option writes a file into the output folder.
  std::vector<Command> printed_by{};
  std::string excludes{};
  std::vector<std::string> emptied{};  ///< paths of list parameters that the option empties
  std::string shown = "[=FILE]";       ///< text that help shows for the value of an optional_text option

  SharedOption sets(std::string parameter, std::string turned_on = {}) &&;
  SharedOption lists(std::string parameter) &&;
  SharedOption within(std::uint64_t from, std::uint64_t to) &&;
  SharedOption into_folder(std::initializer_list<Command> but_printed_by = {}) &&;
  SharedOption without(std::string other) &&;
  SharedOption shown_as(std::string value) &&;
  SharedOption empties(std::vector<std::string> lists) &&;
  SharedOption read_by(std::initializer_list<Command> commands) &&;
  SharedOption refused_by(std::initializer_list<Command> commands, const std::string& why,
                          const std::string& allowed) &&;

  const Refusal* refusal(Command command) const;
  bool is_read_by(Command command) const;
  bool is_printed_by(Command command) const;
};

/// Returns all shared options, in the order in which the help shows them. If you add entries, do so before
/// the parsers are made.
std::vector<SharedOption>& shared_options();

}  // namespace heddle::cli
