#pragma once

// The options that `heddle run`, `exec`, `compare`, `experiment` and `price` share: one table, read by all five
// parsers, by help, completion and manual. An option has one name and one meaning; a command in which it cannot hold
// refuses it and says why.
//
// One more option is one more entry of option_table.cpp. An entry that names a parameter needs no other code.

#include <array>
#include <initializer_list>
#include <string>
#include <vector>

namespace heddle::cli {

/// The commands that share the table.
enum class Command { run, exec, compare, experiment, price };
inline constexpr std::array kSharing = {Command::run, Command::exec, Command::compare, Command::experiment,
                                        Command::price};
/// "run"
const char* name_of(Command command);

/// What follows an option's name.
enum class OptionKind {
  flag,           ///< nothing
  text,           ///< a word
  texts,          ///< a word; the option may be given again
  optional_text,  ///< nothing, or a word after `=`
  count,          ///< a number from 0
  positions       ///< "0,3-5"
};

/// An option of the table. The functions are for its declaration, and return the option.
struct SharedOption {
  /// Why a command refuses the option, and what is allowed in its place.
  struct Refusal {
    Command command;
    std::string why, allowed;
  };

  std::string name;  ///< "--gpu"
  OptionKind kind;
  std::string doc;
  std::string path{};              ///< of the parameter that it sets; empty: the command reads the value
  std::string switch_path{};       ///< of a parameter that it turns on as well
  std::vector<Command> readers{};  ///< commands that read the value, although there is a path
  std::vector<Refusal> refusals{};
  std::uint64_t least = 0, most = ~std::uint64_t{0};  ///< of a count
  bool needs_folder = false;                          ///< writes into the output folder
  std::string excludes{};                             ///< an option that contradicts it
  std::vector<std::string> emptied{};                 ///< lists among the parameters that it empties

  SharedOption sets(std::string parameter, std::string turned_on = {}) &&;
  SharedOption within(std::uint64_t from, std::uint64_t to) &&;
  SharedOption into_folder() &&;
  SharedOption without(std::string other) &&;
  SharedOption empties(std::vector<std::string> lists) &&;
  SharedOption read_by(std::initializer_list<Command> commands) &&;
  SharedOption refused_by(std::initializer_list<Command> commands, const std::string& why,
                          const std::string& allowed) &&;

  /// nullptr where the option holds.
  const Refusal* refusal(Command command) const;
  bool is_read_by(Command command) const;
};

/// The table, in the order of help. What is added to it before the parsers are made, all five have.
std::vector<SharedOption>& shared_options();

}  // namespace heddle::cli
