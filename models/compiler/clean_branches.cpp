// Removes branches to the next instruction. The order in which a warp executes the two sides of any branch
// does not change.

#include "models/compiler/i_compiler_pass.h"
#include "models/compiler/rewrite.h"

namespace heddle::compiler {
namespace {

class CleanBranches : public ICompilerPass {
 public:
  CleanBranches(const NoParameters&, Context&) {}
  PassStage stage() const override { return PassStage::before_allocation; }

  void run(CompilationUnit& unit) override {
    isa::Program& program = unit.edit();
    std::vector<bool> removed(program.code.size(), false);
    for (std::size_t n = 0; n < removed.size(); ++n)
      removed[n] = program.code[n].is_branch() && program.code[n].target == static_cast<std::int32_t>(n + 1);
    remove_instructions(program, removed);
  }
};

const Registration<ICompilerPass, CleanBranches> clean_branches_entry{
    "clean-branches",
    "removes branches to the next instruction",
    {.kinds = {"clean-up"}, .before = {"transformation", "allocation"}}};

}  // namespace
}  // namespace heddle::compiler
