#include <string>

#include "models/compiler/analyses/reconvergence.h"
#include "models/compiler/i_compiler_pass.h"
#include "models/core/registry.h"

namespace heddle::compiler {
namespace {

struct ReconvergenceParameters {
  std::string exits = "leave";
  void fields(FieldVisitor& v) {
    v.field("exits", exits, {"end-of-all", "leave"},
            "effect of paths that exit on reconvergence: all lanes meet only at the end, or lanes that exit "
            "do not affect the others");
  }
};

class Reconvergence : public ICompilerPass {
 public:
  Reconvergence(const ReconvergenceParameters& parameters, Context&)
      : rule_(parameters.exits == "leave" ? ExitRule::leave : ExitRule::end_of_all) {}

  PassStage stage() const override { return PassStage::after_allocation; }
  void run(CompilationUnit& unit) override {
    const ControlFlow& flow = unit.control_flow();
    set_reconvergence(unit.annotate(), flow, rule_);
    unit.reconvergence_changed();
  }

 private:
  ExitRule rule_;
};

const Registration<ICompilerPass, Reconvergence, ReconvergenceParameters> reconvergence_entry{
    "reconvergence",
    "sets the reconvergence point of every conditional branch: its immediate post-dominator",
    {.before = {"swap-operands", "strands", "mark", "register-hint", "flags"}, .after = {"allocation"}}};

}  // namespace
}  // namespace heddle::compiler
