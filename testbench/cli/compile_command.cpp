// heddle compile: prints the annotated listing of a kernel. With a folder of PTX files, counts the features
// in them that Heddle does not support.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "models/compiler/listing.h"
#include "models/compiler/pipeline.h"
#include "models/core/error.h"
#include "models/ptx/module.h"
#include "testbench/cli/commands.h"
#include "testbench/cli/program_json.h"
#include "testbench/cli/survey.h"
#include "testbench/output/terminal_text.h"
#include "testbench/run/data_files.h"
#include "testbench/run/run_parameters.h"
#include "testbench/run/scenario.h"

namespace heddle::cli {
namespace {

struct CompileOptions {
  std::string file, kernel, passes, survey, gpu;
  std::vector<std::string> sets;
  std::uint64_t registers = 0;
  bool passes_given = false, registers_given = false, after_each = false, json = false;
};

class Printer : public compiler::PassObserver {
 public:
  void after_pass(const std::string& pass, const isa::Program& program) override {
    fmt::print("==== {}\n{}\n", pass.empty() ? "as parsed" : "after " + pass,
               compiler::make_listing(program));
  }
};

ConfigNode pass_list(const std::string& names) {
  ConfigNode list = ConfigNode::make_list({}, "--passes");
  for (std::size_t begin = 0; begin < names.size();) {
    const std::size_t end = std::min(names.find(',', begin), names.size());
    list.items.push_back(ConfigNode::make_string(names.substr(begin, end - begin), "--passes"));
    begin = end + 1;
  }
  return list;
}

struct CompilerPart {
  compiler::CompilerParameters compiler;
  void fields(FieldVisitor& v) { v.group("compiler", compiler, "from PTX to the program that runs"); }
};

// Returns the compiler's parameters for a GPU: largest number of registers per thread, latencies of
// instructions, and the compiler passes that the GPU's preset names.
compiler::CompilerParameters parameters_for_gpu(const CompileOptions& options) {
  run::ScenarioRequest request;
  request.gpu = options.gpu;
  request.sets = options.sets;
  if (options.registers_given)
    request.flags.emplace_back("compiler.max_registers",
                               ConfigNode::make_count(options.registers, "--registers"));
  if (options.passes_given) request.flags.emplace_back("compiler.passes", pass_list(options.passes));
  run::RunParameters run = run::read_scenario(request);
  run.compiler.max_registers = std::min(run.compiler.max_registers, run.gpu.sm.max_registers_per_thread);
  return run.compiler;
}

compiler::CompilerParameters parameters_of(const CompileOptions& options) {
  if (!options.gpu.empty()) return parameters_for_gpu(options);
  CompilerPart part;
  ConfigNode tree = dump_fields(part);
  ConfigNode& compiler = *tree.find("compiler");
  if (options.registers_given)
    *compiler.find("max_registers") = ConfigNode::make_count(options.registers, "--registers");
  if (options.passes_given) *compiler.find("passes") = pass_list(options.passes);
  for (const std::string& assignment : options.sets) set_config(tree, assignment);
  read_fields(tree, part);
  return part.compiler;
}

int compile(const CompileOptions& options) {
  const compiler::CompilerParameters parameters = parameters_of(options);
  if (!options.survey.empty()) {
    const Survey survey = survey_folder(options.survey, parameters);
    if (options.json)
      fmt::print("{}", survey_json(survey));
    else
      output::print_wrapped(survey_text(survey));
    return kSuccess;
  }
  if (options.file.empty())
    throw Error("heddle compile", "nothing to compile", "a PTX file, or --survey FOLDER");
  const auto module = ptx::parse_module_file(run::find_ptx(options.file));
  const auto& kernels = module->kernels();
  if (kernels.empty()) throw Error(options.file, "there is no kernel in this file");
  if (options.kernel.empty() && kernels.size() > 1) {
    fmt::print("{} kernels; name one with --kernel:\n", kernels.size());
    for (const auto& kernel : kernels) {
      fmt::print("  {}{}\n", kernel.mangled,
                 kernel.plain == kernel.mangled ? "" : "  (" + kernel.plain + ")");
    }
    return kSuccess;
  }
  const std::string name =
      options.kernel.empty() ? kernels.front().mangled : module->resolve_kernel(options.kernel);
  Printer printer;
  const isa::Program program = compiler::compile(ptx::lower_kernel(*module, name), parameters,
                                                 options.after_each ? &printer : nullptr);
  if (options.json)
    fmt::print("{}", program_json(program));
  else if (!options.after_each)
    fmt::print("{}", compiler::make_listing(program));
  return kSuccess;
}

}  // namespace

Action add_compile(CLI::App& app) {
  auto options = std::make_shared<CompileOptions>();
  CLI::Option* file = app.add_option("ptx", options->file, "PTX file");
  CLI::Option* kernel = app.add_option("--kernel", options->kernel, "kernel, by mangled or plain name");
  CLI::Option* registers =
      app.add_option("--registers", options->registers, "architected registers a thread may use");
  CLI::Option* passes = app.add_option("--passes", options->passes,
                                       "compiler passes in order, separated by commas (\"\": none)");
  CLI::Option* after_each =
      app.add_flag("--print-after-each", options->after_each, "print the program after every pass");
  app.add_option("--survey", options->survey,
                 "instead of a listing: number of kernels in the folder's *.ptx files that compile, and the "
                 "reasons why others do not")
      ->excludes(file)
      ->excludes(kernel)
      ->excludes(after_each);
  app.add_option("--gpu", options->gpu,
                 "preset whose registers and latencies the passes use, and whose passes run");
  app.add_flag("--json", options->json, "the program with its notes and control bits, or the survey, as JSON")
      ->excludes(after_each);
  app.add_option("--set", options->sets, "path.key=value: any parameter, as compiler.predicates=5")
      ->type_size(1)
      ->allow_extra_args(false);
  return [=] {
    options->registers_given = registers->count() > 0;
    options->passes_given = passes->count() > 0;
    return compile(*options);
  };
}

}  // namespace heddle::cli
