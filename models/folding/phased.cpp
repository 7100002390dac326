// Models folding by phases (Abdel-Majeed 2016, 4.3.1.1). At the beginning of a phase, each type (INT or FP)
// gets one contiguous part of the phase in which its instructions fold (N_Fold). One type is the next
// instruction of fewer active warps: it folds for the aggressive part of the phase. The other type folds for
// the conservative part. After a busy phase, no instruction folds for one phase.
//
// The paper leaves these points open. They are decided as follows:
// - Phases are counted from the beginning of a kernel. The first phase folds.
// - If the counts of INT and FP are equal, INT counts as the more frequent type.
// - "Issued instructions" are used issue slots, control instructions included. All issue slots count as
//   possible ones.

#include <algorithm>

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

  // Returns the longer of the folding and the non-folding part of a phase, for the type for which it is
  // shorter.
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
  /// Begins a phase. Returns true if instructions fold in it.
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
  Cycle end_ = 0;  ///< first cycle of the next phase
  Cycle int_until_ = 0, fp_until_ = 0;
  std::uint64_t issued_before_ = 0;  ///< issued slots before the current phase
};

const Registration<FoldPolicy, Phased, PhasedFoldParameters> phased_entry{
    "phased",
    "folds in a part of every phase, depending on the warps' next instructions and on the issue slots used "
    "in the last phase"};

}  // namespace
}  // namespace heddle
