// heddle completion and heddle man: print completion scripts and the manual page. Both are made from the
// parser of the command line.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>
#include <memory>

#include "models/core/error.h"
#include "models/core/registry.h"
#include "testbench/cli/commands.h"
#include "testbench/run/data_files.h"

namespace heddle::cli {
namespace {

struct Choice {
  std::string name, doc;
};

std::vector<const CLI::Option*> shown_options(const CLI::App& command) {
  return command.get_options([](const CLI::Option* option) { return !option->get_group().empty(); });
}

std::vector<Choice> commands_of(const CLI::App& root) {
  std::vector<Choice> commands;
  for (const CLI::App* command : root.get_subcommands([](const CLI::App*) { return true; }))
    commands.push_back({command->get_name(), command->get_description()});
  return commands;
}

std::vector<Choice> options_of(const CLI::App& command) {
  std::vector<Choice> options;
  for (const CLI::Option* option : shown_options(command))
    for (const std::string& name : option->get_lnames())
      options.push_back({"--" + name, option->get_description()});
  return options;
}

std::map<std::string, std::vector<std::string>> words() {
  std::vector<std::string> schedulers;
  if (const Family* family = Families::instance().named("warp scheduler policy"))
    for (const PartInfo& part : family->parts()) schedulers.push_back(part.name);
  const std::vector<std::string> kernels = run::list_kernels();
  std::vector<std::string> others = run::list_data("configs/techniques", ".json");
  others.insert(others.begin(), "plain");
  return {{"--gpu", run::list_data("configs/gpu", ".json")},
          {"--with", run::list_data("configs/techniques", ".json")},
          {"--against", others},
          {"--scheduler", schedulers},
          {"--launch", kernels},
          {"--check", {"auto", "on", "off", "strict", "memory", "init", "races", "sync", "atomics", "warps"}},
          {"--cosim", {"off", "lockstep", "drive"}},
          {"--size", {"quick", "full"}},
          {"run", run::list_data("configs/scenarios", ".json")},
          {"experiment", run::list_data("configs/experiments", ".json")},
          {"compare", run::list_data("configs/gpu", ".json")},
          {"reference", kernels},
          {"mix", kernels},
          {"compile", kernels},
          {"draft", kernels},
          {"schema",
           {"scenario", "launch", "experiment", "technique", "preset", "program", "result", "technology",
            "parameters"}},
          {"completion", {"bash", "zsh", "fish"}}};
}

std::string names_of(const std::vector<Choice>& choices) {
  std::string text;
  for (const Choice& choice : choices) text += (text.empty() ? "" : " ") + choice.name;
  return text;
}

std::string bash(const CLI::App& root) {
  std::string text =
      "# bash completion for heddle: source <(heddle completion bash)\n"
      "_heddle() {\n"
      "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]} "
      "choices=\n"
      "  if ((COMP_CWORD == 1)); then\n";
  text += fmt::format("    choices='{}'\n  else\n    case $before in\n", names_of(commands_of(root)));
  const auto known = words();
  for (const auto& [name, list] : known)
    if (name[0] == '-') text += fmt::format("      {}) choices='{}' ;;\n", name, fmt::join(list, " "));
  text += "      *) case $command in\n";
  for (const CLI::App* command : root.get_subcommands([](const CLI::App*) { return true; })) {
    const auto it = known.find(command->get_name());
    text +=
        fmt::format("        {}) choices='{} {}' ;;\n", command->get_name(), names_of(options_of(*command)),
                    it == known.end() ? "" : fmt::format("{}", fmt::join(it->second, " ")));
  }
  return text +
         "      esac ;;\n    esac\n  fi\n"
         "  mapfile -t COMPREPLY < <(compgen -W \"$choices\" -- \"$word\"; [[ $word == -* ]] || compgen -f "
         "-- \"$word\")\n"
         "}\ncomplete -o filenames -F _heddle heddle\n";
}

std::string quoted(std::string text) {
  for (std::size_t at = 0; (at = text.find('\'', at)) != std::string::npos; at += 4)
    text.replace(at, 1, "'\\''");
  return "'" + text + "'";
}

std::string fish(const CLI::App& root) {
  std::string text = "# fish completion for heddle: heddle completion fish | source\n";
  for (const Choice& command : commands_of(root))
    text += fmt::format("complete -c heddle -n __fish_use_subcommand -a {} -d {}\n", command.name,
                        quoted(command.doc));
  const auto known = words();
  for (const CLI::App* command : root.get_subcommands([](const CLI::App*) { return true; })) {
    const std::string condition =
        fmt::format("complete -c heddle -n '__fish_seen_subcommand_from {}'", command->get_name());
    if (const auto it = known.find(command->get_name()); it != known.end())
      text += fmt::format("{} -a '{}'\n", condition, fmt::join(it->second, " "));
    for (const Choice& option : options_of(*command)) {
      const auto values = known.find(option.name);
      text += fmt::format(
          "{} -l {} -d {}{}\n", condition, option.name.substr(2), quoted(option.doc),
          values == known.end() ? "" : fmt::format(" -x -a '{}'", fmt::join(values->second, " ")));
    }
  }
  return text;
}

std::string script_for(const std::string& shell, const CLI::App& root) {
  if (shell == "bash") return bash(root);
  if (shell == "fish") return fish(root);
  return "#compdef heddle\n# zsh completion for heddle: source <(heddle completion zsh)\n"
         "autoload -U +X bashcompinit && bashcompinit\n" +
         bash(root);
}

// Escapes text for roff (the format of manual pages). "-" becomes a minus, and a dot or a quote at the
// beginning of a line is escaped.
std::string roff(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else if (c == '\n')
      out += ' ';
    else
      out += c;
  }
  return out.starts_with('.') || out.starts_with('\'') ? "\\&" + out : out;
}

std::string manual(const CLI::App& root) {
  std::string text = fmt::format(
      ".TH HEDDLE 1 \"\" \"heddle {}\" \"User Commands\"\n.SH NAME\nheddle \\- {}\n.SH SYNOPSIS\n.B heddle\n"
      "[\\fB\\-\\-plugin\\fR \\fIFILE\\fR] \\fIcommand\\fR [\\fIargument\\fR...]\n.SH COMMANDS\n",
      HEDDLE_VERSION, roff(root.get_description().substr(root.get_description().find(':') + 2)));
  for (const CLI::App* command : root.get_subcommands([](const CLI::App*) { return true; })) {
    text += fmt::format(".SS heddle {}\n{}.\n", roff(command->get_name()), roff(command->get_description()));
    for (const CLI::Option* option : shown_options(*command)) {
      if (option->get_lnames().empty() && option->get_positional()) {
        text += fmt::format(".TP\n\\fI{}\\fR\n{}\n", roff(option->get_name(true)),
                            roff(option->get_description()));
      } else {
        for (const std::string& name : option->get_lnames())
          text += fmt::format(".TP\n\\fB\\-\\-{}\\fR{}\n{}\n", roff(name),
                              option->get_items_expected_max() > 0 ? " \\fIvalue\\fR" : "",
                              roff(option->get_description()));
      }
    }
  }
  return text + ".SH EXIT STATUS\n" + roff(root.get_footer()) +
         "\n.SH FILES\n.TP\n\\fIshare/heddle\\fR\npresets, techniques, scenarios, technologies, experiments, "
         "kernels\n";
}

}  // namespace

Action add_completion(CLI::App& app) {
  auto shell = std::make_shared<std::string>();
  app.add_option("shell", *shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  return [shell, &app] {
    fmt::print("{}", script_for(*shell, *app.get_parent()));
    return kSuccess;
  };
}

Action add_man(CLI::App& app) {
  return [&app] {
    fmt::print("{}", manual(*app.get_parent()));
    return kSuccess;
  };
}

}  // namespace heddle::cli
