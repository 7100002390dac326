// A plug-in register stage that maps registers to entries. Every new value (a write of all live lanes) gets
// another entry, and the old entry is released. Does nothing if a later stage maps registers.

#include <deque>
#include <vector>

#include "models/core/registry.h"
#include "models/ports/register_file_parameters.h"
#include "models/ports/register_stage.h"

namespace heddle {
namespace {

class RotatingMap : public RegisterMapping {
 public:
  RotatingMap(const BankParameters& banks, int max_warps)
      : places_(static_cast<std::size_t>(max_warps) * 256) {
    for (const int depth : banks.depths()) {
      free_.emplace_back();
      for (int e = 0; e < depth; ++e) free_.back().push_back(static_cast<std::uint32_t>(e));
      entries_ += static_cast<std::uint32_t>(depth);
    }
  }

  void bind_warp(WarpId, std::uint32_t) override {}
  void release_warp(WarpId warp) override {
    for (std::uint32_t r = 0; r < 256; ++r) {
      RegisterPlace& place = at(warp, RegId(r));
      if (place.set) give_back(place);
      place = {};
    }
  }
  RegisterPlace place_of(WarpId warp, RegId row) const override {
    return places_[warp.value * std::size_t{256} + row.value];
  }
  std::uint32_t entries() const override { return entries_; }
  std::uint32_t free_entries(BankId bank) const override {
    return static_cast<std::uint32_t>(free_[bank.value].size());
  }

  RegisterPlace& at(WarpId warp, RegId row) { return places_[warp.value * std::size_t{256} + row.value]; }
  /// Takes the next bank in turn that has a free entry, and returns its entry that has been free for the
  /// longest time. If no entry is free, `set` is false in the result.
  RegisterPlace take() {
    for (std::size_t step = 0; step < free_.size(); ++step) {
      next_ = (next_ + 1) % free_.size();
      if (free_[next_].empty()) continue;
      const RegisterPlace place{BankId(static_cast<std::uint32_t>(next_)), free_[next_].front(), true};
      free_[next_].pop_front();
      return place;
    }
    return {};
  }
  void give_back(const RegisterPlace& place) { free_[place.bank.value].push_back(place.entry); }

 private:
  /// free entries of each bank, longest free first
  std::vector<std::deque<std::uint32_t>> free_;
  std::vector<RegisterPlace> places_;
  std::uint32_t entries_ = 0;
  std::size_t next_ = 0;
};

class Rotating : public PassingStage {
 public:
  Rotating(const NoParameters&, Context& context)
      : PassingStage(context),
        map_(context.parameters->banks, context.max_warps),
        moves_(context.stats.add("moves", "values", "values that got another entry than the one before")) {}

  RegisterMapping* provided_mapping() override { return &map_; }
  std::optional<StageBalance> balance(const RegisterFlow& came) const override {
    return StageBalance{came, {}};
  }
  bool flip_bit(RegisterAccess& access, int, int) override {
    access.place = map_.place_of(access.warp, access.row);
    return false;
  }

 protected:
  Answer take(RegisterAccess& access) override {
    if (&mapping() != &map_) return forward(access);
    RegisterPlace& place = map_.at(access.warp, access.row);
    access.place = place;
    if (access.command == RegisterCommand::write) return write(access, place);
    if (access.command == RegisterCommand::release) return release(access, place);
    if (access.command == RegisterCommand::prepare)
      for (RegisterWord& word : access.prepare->words) word.place = map_.place_of(access.warp, word.row);
    return forward(access);
  }
  void answered(RegisterAccess& access) override {
    if (access.command == RegisterCommand::release && &mapping() == &map_) free_later(access.place);
    if (access.stage == this)
      own_free_.push_back(&access);
    else
      respond(access);
  }
  void debug_read(RegisterAccess& access) override {
    access.place = map_.place_of(access.warp, access.row);
    initiator->transport_dbg(access);
  }
  void space_below() override {
    credit_.retried(now());
    room_in_ = now();
    clock().wake();
  }
  // A freed entry becomes available in the next cycle, so results are independent of module order.
  void tick() override {
    std::erase_if(freed_, [this](const Freed& freed) {
      if (freed.at >= now()) return false;
      map_.give_back(freed.place);
      return true;
    });
    send_releases();
    if (refusals().any_before(now())) retry();
    if (refusals().any() || !freed_.empty() || !pending_.empty()) clock().wake();
  }

 private:
  struct Freed {
    RegisterPlace place;
    Cycle at;
  };

  Answer write(RegisterAccess& access, RegisterPlace& place) {
    const bool whole = (access.mask & access.live) == access.live;
    const RegisterPlace old = place;
    RegisterPlace fresh;
    if (whole || !old.set) fresh = map_.take();
    if (!fresh.set && !old.set) {
      clock().wake();
      return Answer::refused;
    }
    access.place = fresh.set ? fresh : old;
    const Answer answer = forward(access);
    if (answer == Answer::refused) {
      if (fresh.set) map_.give_back(fresh);
      clock().wake();
      return answer;
    }
    place = access.place;
    if (!fresh.set || !old.set) return answer;
    ++moves_;
    if (own_free_.empty()) own_free_.push_back(&own_.emplace_back());
    RegisterAccess& release = *own_free_.back();
    own_free_.pop_back();
    release = {};
    release.command = RegisterCommand::release;
    release.set_register(access.warp, access.home);
    release.place = old;
    release.stage = this;
    release.source = RegisterAccess::kResultBus;
    pending_.push_back(&release);
    send_releases();
    return answer;
  }

  Answer release(RegisterAccess& access, RegisterPlace& place) {
    const Answer answer = forward(access);
    if (answer == Answer::refused) return answer;
    if (answer == Answer::answered && place.set) free_later(place);
    place = {};
    return answer;
  }

  void send_releases() {
    while (!pending_.empty() && credit_.may_send(now())) {
      RegisterAccess& release = *pending_.front();
      const Answer answer = forward(release);
      if (answer == Answer::refused) {
        credit_.refused(now());
        return;
      }
      pending_.pop_front();
      if (answer == Answer::accepted) continue;
      free_later(release.place);
      own_free_.push_back(&release);
    }
  }

  void free_later(const RegisterPlace& place) {
    if (!place.set) return;
    freed_.push_back({place, now()});
    clock().wake();
  }

  RotatingMap map_;
  std::vector<Freed> freed_;
  std::deque<RegisterAccess> own_;
  std::vector<RegisterAccess*> own_free_;
  std::deque<RegisterAccess*> pending_;
  CycleCredit credit_;
  Cycle room_in_ = kNever;
  Counter& moves_;
};

const Registration<RegisterStage, Rotating> toy_rotating_entry{"toy-rotating",
                                                               "every new value gets another entry"};

}  // namespace
}  // namespace heddle
