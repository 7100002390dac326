#include "models/compiler/pipeline.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/compiler/i_compiler_pass.h"
#include "models/compiler/verify.h"

namespace heddle::compiler {
namespace {

struct Step {
  std::string name;
  std::unique_ptr<ICompilerPass> pass;
};

Step make_step(const ConfigNode& choice, const PassContext& context) {
  return {choice_name(choice), Registry<ICompilerPass>::instance().make(choice, context)};
}

std::vector<Step> make_steps(const CompilerParameters& parameters, const PassContext& context) {
  const auto required = [&](const char* name) { return make_step(ConfigNode::make_string(name), context); };
  std::vector<Step> steps;
  bool allocated = false;
  bool reconvergence_listed = false;
  std::string last;
  for (const ConfigNode& choice : parameters.passes)
    reconvergence_listed |= choice_name(choice) == "reconvergence";
  const auto allocate_first = [&] {
    if (!allocated) steps.push_back(required("allocate-registers"));
    allocated = true;
    if (!reconvergence_listed) steps.push_back(required("reconvergence"));
    reconvergence_listed = true;
  };
  for (const ConfigNode& choice : parameters.passes) {
    Step step = make_step(choice, context);
    const PassStage stage = step.pass->stage();
    if (stage == PassStage::after_allocation) allocate_first();
    if (allocated && (stage == PassStage::before_allocation || stage == PassStage::allocation))
      throw Error(choice.where(), "compiler pass \"" + step.name + "\" stands after register allocation",
                  "clean-ups, then allocate-registers, then passes that annotate");
    if (!last.empty())
      throw Error(choice.where(), "compiler pass \"" + step.name + "\" stands after \"" + last + "\"",
                  "\"" + last + "\" as the last pass");
    if (Registry<ICompilerPass>::instance().find(choice).traits.kinds == std::vector<std::string>{"control"})
      last = step.name;
    allocated = allocated || stage == PassStage::allocation;
    steps.push_back(std::move(step));
  }
  allocate_first();
  return steps;
}

// Checks the program, and the data that the passes up to `last` have attached to it.
void verify_after(const std::vector<Step>& steps, std::size_t last, const isa::Program& program) {
  verify_after_pass(steps[last].name, program);
  for (std::size_t n = 0; n <= last; ++n) try {
      steps[n].pass->check(program);
    } catch (const Error& e) {
      throw InternalError(
          fmt::format("after compiler pass \"{}\", a fact that \"{}\" attached does not hold: {}",
                      steps[last].name, steps[n].name, e.what()));
    }
}

}  // namespace

std::vector<ConfigNode> default_passes() {
  std::vector<ConfigNode> passes;
  for (const char* name : {"fold-parameters", "fold-conversions", "propagate-copies", "simplify-predicates",
                           "propagate-copies", "remove-dead-code", "clean-branches"})
    passes.push_back(ConfigNode::make_string(name));
  return passes;
}

isa::Program compile(const isa::Program& parsed, const CompilerParameters& parameters,
                     PassObserver* observer) {
  const PassContext context{parameters.max_registers, parameters.predicates, parameters.resident_warps,
                            parameters.latencies};
  std::vector<Step> steps = make_steps(parameters, context);
  if (parameters.verify) verify_program(parsed);
  if (observer) observer->after_pass("", parsed);
  CompilationUnit unit(parsed);
  for (std::size_t n = 0; n < steps.size(); ++n) {
    steps[n].pass->run(unit);
    if (parameters.verify) verify_after(steps, n, unit.program());
    if (observer) observer->after_pass(steps[n].name, unit.program());
  }
  isa::Program program = unit.take();
  isa::bind_lane_functions(program);
  return program;
}

}  // namespace heddle::compiler
