// Fold policy "phased" (Abdel-Majeed 2016, 4.3.1.1). Time is divided into phases of fixed length. In the
// first cycles of a phase (N_Fold in the paper), instructions are folded. The number of these cycles is
// decided at the start of the phase, separately for INT and FP instructions. The less frequent type gets the
// larger (aggressive) number: INT if fewer active warps have an INT instruction next than have an FP
// instruction next, otherwise FP. No instruction is folded in the phase after a busy phase.
//
// The paper does not define these rules of the model:
// - Phases are counted from the start of a kernel. In the first phase, instructions are folded.
// - If the numbers of INT and FP warps are equal, INT counts as the more frequent type.
// - A phase is busy if at least busy_percent of its issue slots were used, including the slots of control
//   instructions.

#include <algorithm>

#include "models/core/part_arrays.h"
#include "models/core/registry.h"
#include "models/folding/i_fold_policy.h"
#include "models/folding/phased.h"

namespace heddle {
namespace {

class Phased : public FoldPolicy {
 public:
  Phased(const PhasedFoldParameters& p, Context& context) : p_(p), busy_(p.busy(context.slots)) {}

  void begin(Cycle now) override {
    end_ = now;
    issued_before_ = 0;
    first_ = true;
  }

  Cycle steady_cycles() const override {
    const auto longer = [this](int percent) {
      const Cycle folds = p_.window(percent);
      return std::max(folds, static_cast<Cycle>(p_.phase_cycles) - folds);
    };
    return std::min(longer(p_.aggressive_percent), longer(p_.conservative_percent));
  }

  FoldDecision decide(const FoldView& view) override {
    FoldDecision decision;
    if (view.now >= end_) decision.phase_off = !begin_phase(view);
    decision.int_ = view.now < int_until_;
    decision.fp = view.now < fp_until_;
    decision.again = end_;
    for (const Cycle until : {int_until_, fp_until_})
      if (until > view.now) decision.again = std::min(decision.again, until);
    return decision;
  }

 private:
  bool begin_phase(const FoldView& view) {
    const bool folds = first_ || !p_.adaptive || view.issued - issued_before_ < busy_;
    first_ = false;
    issued_before_ = view.issued;
    end_ = view.now + static_cast<Cycle>(p_.phase_cycles);
    const bool more_fp = view.fp_count > view.int_count;
    int_until_ =
        view.now + (folds ? p_.window(more_fp ? p_.aggressive_percent : p_.conservative_percent) : 0);
    fp_until_ = view.now + (folds ? p_.window(more_fp ? p_.conservative_percent : p_.aggressive_percent) : 0);
    return folds;
  }

  PhasedFoldParameters p_;
  std::uint64_t busy_;
  bool first_ = true;
  Cycle end_ = 0;
  Cycle int_until_ = 0, fp_until_ = 0;
  std::uint64_t issued_before_ = 0;
};

const Registration<FoldPolicy, Phased, PhasedFoldParameters> phased_entry{
    "phased",
    "folds in a part of every phase, depending on the warps' next instructions and on the issue slots used "
    "in the last phase"};

const Arrays<FoldPolicy> phased_fold_arrays{"phased", {}};

}  // namespace
}  // namespace heddle
