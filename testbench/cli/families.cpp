#include "testbench/cli/families.h"

#include "models/compiler/i_compiler_pass.h"
#include "models/core/registry.h"
#include "models/frontend/i_front_end_stage.h"
#include "models/gating/i_gating_policy.h"
#include "models/gpu/i_cta_admission.h"
#include "models/memory/i_memory_model.h"
#include "models/ports/register_stage.h"
#include "models/regfile/i_bank_arbiter.h"
#include "models/scheduler/i_issue_constraint.h"
#include "models/scheduler/i_scheduler_policy.h"
#include "testbench/analysis/i_run_analysis.h"

namespace heddle::cli {
namespace {

template <class Interface>
Family family(const char* place) {
  Family f{Interface::kFamily, place, {}};
  for (const auto& [name, entry] : Registry<Interface>::instance().entries())
    f.parts.push_back({name, entry.doc, entry.describe()});
  return f;
}

}  // namespace

// A new family: one line here.
std::vector<Family> all_families() {
  return {family<SchedulerPolicy>("gpu.sm.scheduler"),
          family<IssueConstraint>("gpu.sm.constraints"),
          family<CtaAdmission>("gpu.admission"),
          family<FrontEndStage>("gpu.sm.front_end.stages"),
          family<RegisterStage>("gpu.sm.register_file.stages"),
          family<BankArbiter>("gpu.sm.register_file.banks.arbiter"),
          family<GatingPolicy>("gpu.sm.gating"),
          family<IMemoryModel>("gpu.memory"),
          family<compiler::ICompilerPass>("compiler.passes"),
          family<RunAnalysis>("output.analyses")};
}

}  // namespace heddle::cli
