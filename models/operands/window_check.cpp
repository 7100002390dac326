#include "models/operands/window_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "models/core/error.h"

namespace heddle {
namespace {

std::string text_of(const isa::Instruction& i) {
  return fmt::format("\"{}\" (line {})", isa::to_string(i), i.location.ptx_line);
}

std::string register_in(const RegisterSet& a, const RegisterSet& b) {
  for (std::size_t w = 0; w < kRegisterWords; ++w)
    if (const std::uint64_t both = a.bits[w] & b.bits[w])
      return fmt::format("r{}", 64 * w + static_cast<std::size_t>(std::countr_zero(both)));
  return {};
}

std::string predicate_in(std::uint64_t both) {
  return both == 0 ? std::string() : fmt::format("p{}", std::countr_zero(both));
}

[[noreturn]] void refuse(const InFlight& item, const std::string& what) {
  const isa::Program& program = *item.context->launch->program;
  throw Error(fmt::format("{}:{}:{}: kernel {}, CTA {}, warp {}", program.file,
                          item.instruction->location.ptx_line, item.instruction->location.ptx_column,
                          program.kernel, item.context->cta, item.context->warp_in_cta),
              what, "control bits that keep every dependence");
}

std::string missing(Cycle now, Cycle at) {
  if (at == kNever) return "before";
  return fmt::format("{} cycle{} before", at - now, at - now == 1 ? "" : "s");
}

std::uint64_t operand_predicates(const isa::Instruction& i) {
  std::uint64_t all = 0;
  for (const isa::Operand& o : i.sources())
    if (o.is_pred()) all |= std::uint64_t{1} << o.pred.value;
  return all;
}

}  // namespace

std::vector<WindowCheck::Pending>& WindowCheck::of(const InFlight& item) {
  if (pending_.size() <= item.warp().value) pending_.resize(item.warp().value + 1);
  return pending_[item.warp().value];
}

WindowCheck::Pending* WindowCheck::find(const InFlight& item) {
  for (Pending& p : of(item))
    if (p.uid == item.uid) return &p;
  return nullptr;
}

// Records an issued instruction, and checks the predicates that it reads at issue. Deletes the records of
// earlier instructions whose reads and writes ended before cycle `now`. The record of an instruction that
// writes its result in cycle `now` stays: reads at issue get this result only from cycle now + 1 on.
void WindowCheck::issued(Cycle now, const InFlight& item, bool fixed) {
  std::vector<Pending>& all = of(item);
  std::erase_if(all, [now](const Pending& p) { return p.written_at < now && p.read_at < now; });
  std::uint64_t predicates =
      item.footprint->guarded ? std::uint64_t{1} << item.footprint->guard : std::uint64_t{0};
  if (!fixed) predicates |= operand_predicates(*item.instruction);
  if (predicates != 0) refuse_predicates(now, item, predicates);
  if (!item.collects()) return;
  all.push_back({item.uid, item.instruction, item.footprint, item.mask, kNever, kNever, kNever});
}

void WindowCheck::refuse_predicates(Cycle now, const InFlight& item, std::uint64_t predicates) {
  for (const Pending& p : of(item))
    if (p.uid < item.uid && p.written_at >= now && (p.mask & item.active))
      if (const std::string name = predicate_in(p.footprint->predicate_writes & predicates); !name.empty())
        refuse(item, fmt::format("{} reads {} {} {} writes it", text_of(*item.instruction), name,
                                 missing(now, p.result_at == kNever ? kNever : p.result_at + 1),
                                 text_of(*p.instruction)));
}

void WindowCheck::writes_at(const InFlight& item, Cycle cycle) {
  if (Pending* const p = find(item)) p->result_at = cycle;
}

void WindowCheck::read(Cycle now, const InFlight& item, bool fixed) {
  const std::uint64_t predicates = fixed ? operand_predicates(*item.instruction) : 0;
  for (const Pending& p : of(item)) {
    if (p.uid >= item.uid || p.written_at != kNever || !(p.mask & item.mask)) continue;
    std::string name = register_in(p.footprint->writes, item.footprint->reads);
    if (name.empty()) name = predicate_in(p.footprint->predicate_writes & predicates);
    if (name.empty()) continue;
    refuse(item, fmt::format("{} reads {} {} {} writes it", text_of(*item.instruction), name,
                             missing(now, p.result_at), text_of(*p.instruction)));
  }
}

void WindowCheck::completed(Cycle now, const InFlight& item) {
  Pending* const own = find(item);
  if (!own) return;
  own->written_at = now;
  for (const Pending& p : of(item)) {
    if (p.uid >= item.uid || !(p.mask & item.mask)) continue;
    std::string name = p.read_at == kNever ? register_in(p.footprint->reads, item.footprint->writes) : "";
    if (!name.empty())
      refuse(item, fmt::format("{} writes {} before {} has read it", text_of(*item.instruction), name,
                               text_of(*p.instruction)));
    if (p.written_at != kNever) continue;
    name = register_in(p.footprint->writes, item.footprint->writes);
    if (name.empty()) name = predicate_in(p.footprint->predicate_writes & item.footprint->predicate_writes);
    if (!name.empty())
      refuse(item, fmt::format("{} writes {} before {} does", text_of(*item.instruction), name,
                               text_of(*p.instruction)));
  }
}

}  // namespace heddle
