#pragma once

// Entries on their way back (Jeon 2015, 7.1). A register is given up by a release, which goes to the banks
// after every older access of its entry; the entry can be given again, and what it was charged to is
// credited, from the cycle after the one in which the banks answer. Releases come from above, or are the
// stage's own: those of what an ended warp leaves, and of entries that a new value does not need.

#include <deque>
#include <vector>

#include "models/core/cycle_credit.h"
#include "models/core/cycle_inbox.h"
#include "models/ports/register_stage.h"
#include "models/stages/register_claims.h"
#include "models/stages/register_entries.h"

namespace heddle {

class EntryReleases {
 public:
  /// `claims`: nullptr if nobody follows them.
  EntryReleases(const RegisterStage& stage, RegisterEntries& entries, ClaimBook* claims)
      : stage_(&stage), entries_(&entries), claims_(claims), leaving_(entries.numbers()) {}

  /// The stage below has taken the release of a register that has an entry, or answered it at once: the register is given
  /// up. True if its entry is on its way into the next cycle.
  bool taken(Cycle now, const RegisterAccess& release, RegisterAnswer answer);
  /// A register that has no entry is given up.
  void unmapped(const RegisterAccess& release) {
    if (claims_ && claims_->release(release.warp, release.home)) credit(charge_of(release, true));
  }
  /// The banks have answered a release that was taken: true if its entry is on its way into the next cycle.
  bool answered(Cycle now, const RegisterAccess& release);
  /// Entries whose release was answered in an earlier cycle can be given again. True if there were any; any() knows it before.
  bool free(Cycle now, bool gates);
  bool any(Cycle now) const { return freed_.any(now); }
  /// All whose release was answered: no warp is resident.
  void free_all(Cycle now);

  /// The stage gives up the entry itself: to_send() soon. `charged`: a register was charged for it.
  void give_up(WarpId warp, RegId reg, const RegisterPlace& place, bool charged);
  /// The next of its own releases; nullptr if there is none, or the stage below has no room.
  RegisterAccess* to_send(Cycle now) const {
    return pending_.empty() || !credit_.may_send(now) ? nullptr : pending_.front();
  }
  void sent() { pending_.pop_front(); }
  void refused(Cycle now) { credit_.refused(now); }
  void retried(Cycle now) { credit_.retried(now); }
  bool pending() const { return !pending_.empty(); }
  /// to_send() says more in the next cycle.
  bool sends_later(Cycle now) const {
    return pending() && !credit_.may_send(now) && credit_.may_send(now + 1);
  }
  /// One of its own has been answered.
  void reuse(RegisterAccess& release) { own_free_.push_back(&release); }

  /// Entries out of the table and not free yet.
  std::uint64_t returning() const {
    return leave_ + static_cast<std::uint64_t>(freed_.end() - freed_.begin());
  }
  /// Of those whose release was answered, how many somebody is charged for.
  std::uint64_t charged() const {
    std::uint64_t count = 0;
    for (const Freed& freed : freed_) count += freed.charge.charged;
    return count;
  }

 private:
  /// What a register's claim is charged to until its entry can be given again.
  struct Charge {
    CtaSlot cta{};
    std::uint32_t pool = 0;
    bool charged = false;
  };
  struct Freed {
    RegisterPlace place;
    Charge charge;
  };
  /// A release that the banks have not answered: what its end gives back.
  struct Leaving {
    const RegisterAccess* access = nullptr;  ///< nullptr: none
    Charge charge;
  };

  Charge charge_of(const RegisterAccess& release, bool charged) const {
    if (!charged) return {};
    return {claims_->cta_of(release.warp),
            static_cast<std::uint32_t>(claims_->pool_of(release.warp, release.home)), true};
  }
  void leave(const RegisterAccess& release, bool charged) {
    leaving_[entries_->number_of(release.place)] = {&release, charge_of(release, charged)};
    ++leave_;
  }
  void credit(const Charge& charge) {
    if (charge.charged) claims_->credit(charge.cta, charge.pool);
  }

  const RegisterStage* stage_;
  RegisterEntries* entries_;
  ClaimBook* claims_;
  std::vector<Leaving> leaving_;  ///< by entry: nobody else has it until the answer
  std::size_t leave_ = 0;         ///< how many
  CycleInbox<Freed> freed_;       ///< of which the banks have answered the release
  std::deque<RegisterAccess> own_;
  std::vector<RegisterAccess*> own_free_;
  std::deque<RegisterAccess*> pending_;  ///< own ones that the stage below has not taken yet
  CycleCredit credit_;
};

}  // namespace heddle
