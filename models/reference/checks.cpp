#include "models/reference/checks.h"

#include <fmt/format.h>

#include "models/reference/atomic_order.h"
#include "models/reference/heap_check.h"
#include "models/reference/init_check.h"
#include "models/reference/race_check.h"
#include "models/reference/sync_check.h"
#include "models/reference/warp_hazards.h"

namespace heddle::reference {

template <class Check, class... Arguments>
Check& Checks::add(Arguments&... arguments) {
  auto check = std::make_unique<Check>(arguments...);
  Check& added = *check;
  checks_.push_back(std::move(check));
  return added;
}

Checks::Checks(CheckKinds kinds, std::uint64_t limit) : findings_(limit) {
  if (kinds.has(CheckKind::memory) || kinds.has(CheckKind::init)) {
    DeviceHeap& heap = add<DeviceHeap>();
    if (kinds.has(CheckKind::memory)) add<HeapCheck>(findings_, heap);
    if (kinds.has(CheckKind::init)) add<InitCheck>(findings_, heap);
  }
  if (kinds.has(CheckKind::races) || kinds.has(CheckKind::atomics)) {
    HappensBefore& order = add<HappensBefore>();
    if (kinds.has(CheckKind::races)) races_ = &add<RaceCheck>(findings_, order);
    if (kinds.has(CheckKind::atomics)) add<AtomicOrder>(findings_, order);
  }
  if (kinds.has(CheckKind::sync)) add<SyncCheck>(findings_);
  if (kinds.has(CheckKind::warps)) add<WarpHazards>(findings_);
  need_steps_ = kinds.has(CheckKind::init) || kinds.has(CheckKind::sync) || kinds.has(CheckKind::warps);
}

void Checks::observe(ReferenceOptions& run) {
  if (!any()) return;
  run.observer = this;
  run.observes_steps = need_steps_;
}

Checks::~Checks() = default;

void Checks::before(const ExecutedInstruction& e) {
  for (const auto& check : checks_) check->before(e);
}
void Checks::after(const ExecutedInstruction& e) {
  for (const auto& check : checks_) check->after(e);
}
void Checks::accessed(const ExecutedInstruction& e, std::span<const std::uint64_t, kLanes> addresses) {
  for (const auto& check : checks_) check->accessed(e, addresses);
}
void Checks::fenced(const ExecutedInstruction& e) {
  for (const auto& check : checks_) check->fenced(e);
}
void Checks::noted(const ExecutedInstruction& e) {
  for (const auto& check : checks_) check->noted(e);
}
void Checks::arrived(const ExecutedInstruction& e, std::uint32_t barrier) {
  for (const auto& check : checks_) check->arrived(e, barrier);
}
void Checks::synchronized(std::uint64_t cta, std::uint32_t barrier, std::uint32_t released) {
  for (const auto& check : checks_) check->synchronized(cta, barrier, released);
}

std::vector<std::string> Checks::report() const {
  std::vector<std::string> lines = findings_.lines();
  if (findings_.further()) lines.push_back(fmt::format("and {} more", findings_.further()));
  if (races_)
    for (const std::string& bound : races_->bounds()) lines.push_back("races: a bound was reached: " + bound);
  lines.push_back("checks: " + findings_.summary());
  return lines;
}

}  // namespace heddle::reference
