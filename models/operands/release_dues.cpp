#include "models/operands/release_dues.h"

#include <fmt/format.h>

#include "models/core/error.h"
#include "models/core/register_set.h"
#include "models/isa/release_flags.h"

namespace heddle {

void ReleaseDues::subscribe(LifeChannel& life) {
  life.subscribe(*this, {Life::kernel_begins, Life::issued, Life::released});
}

void ReleaseDues::kernel_begins(const KernelBegins& kernel) {
  due_at_.clear();
  isa::ReleaseLatch latch;
  RegisterSet listed;
  for (const isa::Instruction& i : kernel.program->code) {
    const isa::ReleaseWord kind = isa::release_word(i);
    if (kind == isa::ReleaseWord::pir) latch.receive_pir(isa::release_field(i.payload));
    isa::for_each_listed_register(kind, i.payload, [&](std::uint32_t r) { listed.set(r); });
    std::uint8_t& due = due_at_.emplace_back(std::uint8_t{0});
    if (i.metadata) continue;
    RegisterSet written;
    for (const isa::Operand& o : i.destinations())
      for (int w = 0; o.is_reg() && w < o.words(); ++w)
        written.set(o.reg.value + static_cast<std::uint32_t>(w));
    listed.without(written).for_each([&](std::uint32_t) { ++due; });
    isa::for_each_released_word(i, latch.flags(), [&](std::uint32_t) { ++due; });
    latch.pass(i);
    listed = {};
  }
}

void ReleaseDues::issued(const InFlight& item) {
  if (item.pc < due_at_.size()) due_ += due_at_[item.pc];
}

void ReleaseDues::check(const std::string& owner, std::uint64_t not_come) const {
  if (due_ == done_ + dropped_ + not_come) return;
  throw InternalError(
      fmt::format("{}: {} releases of registers were due: {} came, and {} wait, were dropped because their "
                  "warps ended, or were served by an earlier release",
                  owner, due_, done_, dropped_ + not_come));
}

}  // namespace heddle
