#include "testbench/cli/option_values.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <thread>

#include "models/core/error.h"
#include "models/reference/check_kinds.h"
#include "testbench/run/data_files.h"

namespace heddle::cli {
namespace {

constexpr int kMostPositions = 100000;

ConfigNode position_list(const std::string& text, const std::string& flag) {
  const auto wrong = [&] {
    return Error(flag, "\"" + text + "\" is not a list of launch positions", "numbers from 0, as in 0,3-5");
  };
  const auto number = [&](const std::string& digits) {
    constexpr std::size_t kMostDigits = 9;
    if (digits.empty() || digits.size() > kMostDigits ||
        !std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; }))
      throw wrong();
    return std::stoi(digits);
  };
  ConfigNode list = ConfigNode::make_list({}, flag);
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string item = text.substr(begin, end - begin);
    const std::size_t dash = item.find('-');
    const int first = number(item.substr(0, dash));
    const int last = dash == std::string::npos ? first : number(item.substr(dash + 1));
    if (last < first || last - first > kMostPositions) throw wrong();
    for (int at = first; at <= last; ++at) list.items.push_back(ConfigNode::make_integer(at, flag));
    begin = end + 1;
  }
  return list;
}

void add_checks(const SharedOption& option, const std::string& text, run::Flags& flags) {
  const reference::CheckKinds kinds = reference::read_check_kinds(option.name, text, {"auto", "on", "off"});
  flags.emplace_back(option.path, ConfigNode::make_string(kinds.any() ? "on" : text, option.name));
  flags.emplace_back(option.list_path, ConfigNode::make_texts(kinds.names(), option.name));
}

// Returns a validator that refuses negative numbers, because CLI11 would convert them to very large ones.
CLI::Validator not_negative() {
  return {[](const std::string& text) { return text.starts_with("-") ? text + " is below 0" : ""; }, ""};
}

}  // namespace

OptionValues::OptionValues(CLI::App& parser, Command command) : command_(command) {
  for (const SharedOption& option : shared_options()) add(parser, option);
  for (const SharedOption& option : shared_options())
    if (!option.excludes.empty() && !value(option.excludes).option->get_group().empty())
      value(option.name).option->excludes(value(option.excludes).option);
}

void OptionValues::add(CLI::App& parser, const SharedOption& option) {
  Value& to = values_[option.name];
  switch (option.kind) {
    case OptionKind::flag:
      to.option = parser.add_flag(option.name, to.on, option.doc);
      break;
    case OptionKind::count:
      to.option = parser.add_option(option.name, to.count, option.doc)->check(not_negative());
      if (option.most != ~std::uint64_t{0}) to.option->check(CLI::Range(option.least, option.most));
      break;
    case OptionKind::texts:
      to.option = parser.add_option(option.name, to.texts, option.doc)->type_size(1)->allow_extra_args(false);
      break;
    default:
      to.option = parser.add_option(option.name, to.text, option.doc);
  }
  if (option.kind == OptionKind::optional_text) to.option->option_text(option.shown);
  if (option.refusal(command_)) to.option->group("");
}

const OptionValues::Value& OptionValues::value(const std::string& name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) throw InternalError("no shared option " + name);
  return found->second;
}

void OptionValues::check() const {
  for (const SharedOption& option : shared_options())
    if (const SharedOption::Refusal* refusal = option.refusal(command_); refusal && given(option.name))
      throw Error(option.name, fmt::format("heddle {} cannot take it: {}", name_of(command_), refusal->why),
                  refusal->allowed);
  // These two commands also refuse a --set that turns a refused option on. heddle experiment accepts such a
  // --set, which then applies to each run of the experiment.
  if (command_ != Command::exec && command_ != Command::compare) return;
  for (const SharedOption& option : shared_options())
    if (const SharedOption::Refusal* refusal = option.refusal(command_))
      if (const std::string where = turned_on_by(option); !where.empty() && !option.path.empty())
        throw Error(where, fmt::format("heddle {} cannot take it: {}", name_of(command_), refusal->why),
                    refusal->allowed);
}

bool OptionValues::given(const std::string& name) const { return value(name).option->count() > 0; }
const std::string& OptionValues::text(const std::string& name) const { return value(name).text; }
const std::vector<std::string>& OptionValues::texts(const std::string& name) const {
  return value(name).texts;
}
std::uint64_t OptionValues::count(const std::string& name) const { return value(name).count; }

int OptionValues::jobs() const {
  const auto cores = static_cast<std::uint64_t>(std::max(1u, std::thread::hardware_concurrency()));
  return static_cast<int>(given("--jobs") ? count("--jobs") : cores);
}

ConfigNode OptionValues::node(const SharedOption& option) const {
  const Value& from = value(option.name);
  switch (option.kind) {
    case OptionKind::flag:
      return ConfigNode::make_boolean(true, option.name);
    case OptionKind::count:
      return ConfigNode::make_count(from.count, option.name);
    case OptionKind::texts:
      return ConfigNode::make_texts(from.texts, option.name);
    case OptionKind::positions:
      return position_list(from.text, option.name);
    default:
      return ConfigNode::make_string(from.text, option.name);
  }
}

run::Flags OptionValues::flags() const {
  run::Flags flags;
  for (const SharedOption& option : shared_options()) {
    if (!given(option.name) || option.path.empty() || option.is_read_by(command_)) continue;
    for (const std::string& list : option.emptied)
      flags.emplace_back(list, ConfigNode::make_texts({}, option.name));
    if (!option.switch_path.empty())
      flags.emplace_back(option.switch_path, ConfigNode::make_boolean(true, option.name));
    if (option.kind == OptionKind::optional_text && text(option.name) == kNoValue) continue;
    if (option.kind == OptionKind::checks)
      add_checks(option, text(option.name), flags);
    else
      flags.emplace_back(option.path, node(option));
  }
  return flags;
}

run::ScenarioRequest OptionValues::request(const std::string& scenario) const {
  check();
  run::ScenarioRequest request;
  request.scenario = run::find_scenario(scenario);
  request.gpu = text("--gpu");
  request.launch = run::find_launch(text("--launch"));
  request.with = texts("--with");
  request.sets = texts("--set");
  request.flags = flags();
  return request;
}

void OptionValues::check_folder(const std::string& folder) const {
  if (!folder.empty()) return;
  for (const SharedOption& option : shared_options())
    if (option.needs_folder && !option.is_printed_by(command_))
      if (const std::string where = turned_on_by(option); !where.empty())
        throw Error(where, "there is no folder for what it writes", "--out FOLDER");
}

// Returns the words of the command line that turn the option on: its name, or a --set of its parameter. Empty
// if the option is off.
std::string OptionValues::turned_on_by(const SharedOption& option) const {
  if (given(option.name)) return option.name;
  const std::string& path = option.switch_path.empty() ? option.path : option.switch_path;
  for (const std::string& set : texts("--set")) {
    if (path.empty() || !set.starts_with(path + "=")) continue;
    const std::string value = set.substr(path.size() + 1);
    const auto is = [&value](const char* off) { return value == off; };
    if (!is("false") && !is("off") && !is("0") && !is("[]")) return "--set " + set;
  }
  return {};
}

void OptionValues::check_outputs(const OutputParameters& output) const {
  for (const char* part : {"--vcd-select", "--vcd-from", "--vcd-to"})
    if (given(part) && !output.vcd.enabled) throw Error(part, "no waveform is written", "--vcd with it");
  check_folder(output.folder);
  if (!output.folder.empty()) return;
  const std::pair<const char*, bool> outputs[] = {{"output.vcd.enabled", output.vcd.enabled},
                                                  {"output.profile", output.profile},
                                                  {"output.timeline", output.timeline},
                                                  {"output.report", output.report},
                                                  {"output.analyses", !output.analyses.empty()}};
  const auto is_printed = [this](const std::string& path) {
    return std::any_of(shared_options().begin(), shared_options().end(), [&](const SharedOption& option) {
      return option.is_printed_by(command_) && (option.path == path || option.switch_path == path);
    });
  };
  for (const auto& [name, on] : outputs)
    if (on && !is_printed(name))
      throw Error(name, "there is no folder for what it writes", "output.folder, or --out FOLDER");
}

std::vector<std::string> OptionValues::words(const std::vector<std::string>& without) const {
  std::vector<std::string> words;
  for (const SharedOption& option : shared_options()) {
    if (!given(option.name) || std::find(without.begin(), without.end(), option.name) != without.end())
      continue;
    const Value& from = value(option.name);
    if (option.kind == OptionKind::texts) {
      for (const std::string& text : from.texts) words.insert(words.end(), {option.name, text});
      continue;
    }
    words.push_back(option.name);
    if (option.kind == OptionKind::count) words.push_back(std::to_string(from.count));
    if (option.kind == OptionKind::text || option.kind == OptionKind::positions ||
        option.kind == OptionKind::checks)
      words.push_back(from.text);
    if (option.kind == OptionKind::optional_text && from.text != kNoValue) words.back() += "=" + from.text;
  }
  return words;
}

std::shared_ptr<OptionValues> add_shared_options(CLI::App& parser, Command command) {
  return std::make_shared<OptionValues>(parser, command);
}

}  // namespace heddle::cli
