// heddle schema: prints the JSON Schema of a file format, or the table of all parameters.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "models/core/error.h"
#include "models/core/object_form.h"
#include "models/core/unknown_name.h"
#include "testbench/cli/commands.h"
#include "testbench/cli/format_schema.h"
#include "testbench/cli/schema.h"
#include "testbench/cli/stored_schemas.h"

namespace heddle::cli {
namespace {

int print_schema(const std::string& format, bool json) {
  if (json && format != "parameters")
    throw Error("--json", fmt::format("the schema of {} is JSON already", format),
                "heddle schema parameters --json");
  if (format == "run" || format == "scenario")
    fmt::print("{}", scenario_schema());
  else if (format == "parameters")
    fmt::print("{}", json ? parameters_json() : parameters_page());
  else if (format == "preset")
    fmt::print("{}", preset_schema());
  else if (const auto file = file_forms().find(format); file != file_forms().end() && file->second.root)
    fmt::print("{}", format_schema(format));
  else if (format == "program")
    fmt::print("{}", kProgramSchema);
  else if (format == "result")
    fmt::print("{}", kResultSchema);
  else
    throw unknown_name("heddle schema", "format", format,
                       {"scenario", "launch", "experiment", "technique", "pack", "preset", "program",
                        "result", "rules", "technology", "parameters"});
  return kSuccess;
}

}  // namespace

Action add_schema(CLI::App& app) {
  struct Options {
    std::string format;
    bool json = false;
  };
  auto options = std::make_shared<Options>();
  app.add_option(
         "format", options->format,
         "scenario, launch, experiment, technique, pack, preset, program, result, technology; parameters: a "
         "table of all of them")
      ->required();
  app.add_flag("--json", options->json, "with parameters: the table as JSON");
  return [options] { return print_schema(options->format, options->json); };
}

}  // namespace heddle::cli
