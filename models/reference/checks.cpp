#include "models/reference/checks.h"

#include "models/reference/atomic_order.h"
#include "models/reference/race_check.h"
#include "models/reference/warp_hazards.h"

namespace heddle::reference {

Checks::Checks(const CheckOptions& options) {
  if (options.races || options.strict)
    checks_.push_back(std::make_unique<RaceCheck>(findings_, options.strict));
  if (options.atomic_order) checks_.push_back(std::make_unique<AtomicOrder>(findings_));
  if (options.warps) checks_.push_back(std::make_unique<WarpHazards>(findings_));
}

void Checks::before(const ExecutedInstruction& e) {
  for (const auto& check : checks_) check->before(e);
}
void Checks::after(const ExecutedInstruction& e) {
  for (const auto& check : checks_) check->after(e);
}
void Checks::accessed(const ExecutedInstruction& e, std::span<const std::uint64_t, kLanes> addresses) {
  for (const auto& check : checks_) check->accessed(e, addresses);
}
void Checks::arrived(const ExecutedInstruction& e, std::uint32_t barrier) {
  for (const auto& check : checks_) check->arrived(e, barrier);
}
void Checks::synchronized(std::uint64_t cta, std::uint32_t barrier, std::uint32_t released) {
  for (const auto& check : checks_) check->synchronized(cta, barrier, released);
}

}  // namespace heddle::reference
