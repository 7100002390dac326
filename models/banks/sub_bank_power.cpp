#include "models/banks/sub_bank_power.h"

#include <fmt/format.h>

#include <utility>

#include "models/core/registry.h"

namespace heddle {

SubBankPower::SubBankPower(EntryFormat::Context& context, int sub_banks,
                           const DomainGroupParameters& parameters, Lost lost)
    : sub_banks_(sub_banks), lost_(std::move(lost)) {
  if (context.power == nullptr || choice_name(parameters.policy) == "none") return;
  for (std::size_t b = 0; b < context.depths.size(); ++b) {
    groups_.emplace_back();
    groups_.back().domains = &context.power->make(
        {fmt::format("bank{}", b), sub_banks, DomainKind::parts, parameters, context.stats});
  }
}

DomainSet SubBankPower::Group::needed() const {
  DomainSet set = 0;
  for (std::size_t s = 0; s < users.size(); ++s)
    if (users[s]) set |= DomainSet{1} << s;
  return set;
}

// At the start of a kernel, all sub-banks are on and count as unused. Exception: a row of the previous kernel
// may have been written after its warp had ended. The sub-banks of such a row count as used at once.
void SubBankPower::kernel_begins(Cycle now) {
  for (Group& group : groups_) {
    group.used = group.wanted = 0;
    group.awake = (DomainSet{1} << sub_banks_) - 1;
    use(now, group);
  }
  cycle_ = kNever;
  leaves_ = false;
}

void SubBankPower::advance(Cycle now) {
  cycle_ = now;
  leaves_ = false;
  for (std::size_t b = 0; b < groups_.size(); ++b)
    if (const DomainSet asleep = advance(now, groups_[b]))
      lost_(BankId(static_cast<std::uint32_t>(b)), static_cast<std::uint8_t>(asleep));
}

// Updates one bank for this cycle. Returns the sub-banks that went to sleep.
DomainSet SubBankPower::advance(Cycle now, Group& group) {
  group.domains->advance(now);
  const DomainSet needed = group.needed();
  if (const DomainSet unused = group.used & ~needed) {
    group.domains->left(now, unused);
    group.used &= needed;
  }
  const DomainSet asleep = group.awake & ~group.domains->awake();
  group.awake = group.domains->awake();
  use(now, group);
  return asleep;
}

void SubBankPower::use(Cycle now, Group& group) {
  const DomainSet needed = group.needed(), awake = group.domains->awake();
  if (const DomainSet fresh = needed & awake & ~group.used) {
    group.domains->use(now, fresh);
    group.used |= fresh;
  }
  if (const DomainSet wanted = needed & ~awake; wanted != group.wanted) {
    group.wanted = wanted;
    group.domains->set_inputs(now, {0, 0, wanted, 0});
  }
}

void SubBankPower::add(BankId bank, std::uint8_t sub_banks) {
  if (!gates()) return;
  Group& group = groups_[bank.value];
  for (std::size_t s = 0; s < group.users.size(); ++s) group.users[s] += sub_banks >> s & 1;
  if (cycle_ != kNever) use(cycle_, group);
}

void SubBankPower::remove(BankId bank, std::uint8_t sub_banks) {
  if (!gates()) return;
  Group& group = groups_[bank.value];
  leaves_ = true;
  for (std::size_t s = 0; s < group.users.size(); ++s) group.users[s] -= sub_banks >> s & 1;
}

std::uint64_t SubBankPower::users() const {
  std::uint64_t users = 0;
  for (const Group& group : groups_)
    for (const std::uint16_t of_one : group.users) users += of_one;
  return users;
}

}  // namespace heddle
