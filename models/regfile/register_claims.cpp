#include "models/regfile/register_claims.h"

#include <algorithm>
#include <numeric>

namespace heddle {
namespace {
constexpr std::size_t kCtaSlots = 64;  ///< at most a CTA for each warp slot
}

ClaimBook::ClaimBook(const BankParameters& banks, int warps, bool pooled)
    : layout_(banks.home()), pooled_(pooled), warps_(static_cast<std::size_t>(warps)) {
  const std::vector<int> depths = banks.depths();
  if (pooled)
    capacity_ = {std::accumulate(depths.begin(), depths.end(), 0)};
  else
    capacity_ = depths;
  unclaimed_ = capacity_;
  charged_.resize(unclaimed_.size() * kCtaSlots);
}

std::span<const int> ClaimBook::charged(CtaSlot cta) const {
  return {charged_.data() + cta.value * unclaimed_.size(), unclaimed_.size()};
}

RegisterSet ClaimBook::written_by(const isa::Instruction& instruction) const {
  RegisterSet words;
  for (const isa::Operand& o : instruction.destinations())
    if (o.is_reg() && comes_down(o.annotation))
      for (int w = 0; w < o.words(); ++w) words.set(o.reg.value + static_cast<std::uint32_t>(w));
  return words;
}

void ClaimBook::program_begins(const isa::Program& program) {
  program_ = &program;
  words_.clear();
  for (const isa::Instruction& i : program.code) words_.push_back(written_by(i));
  strands_ = levels_above_ && std::any_of(program.code.begin(), program.code.end(),
                                          [](const isa::Instruction& i) { return i.begins_strand; });
  for (std::uint32_t n = 0; strands_ && n < program.code.size(); ++n)
    if (program.code[n].begins_strand) claim_strand(n);
  numbers_.clear();
  first_.assign(1, 0);
  most_ = 0;
  for (const RegisterSet& words : words_) {
    words.for_each([this](std::uint32_t r) { numbers_.push_back(r); });
    most_ = std::max(most_, static_cast<int>(numbers_.size() - first_.back()));
    first_.push_back(static_cast<std::uint32_t>(numbers_.size()));
  }
}

// Whatever can be reached from the first instruction without the strand's end or another one's beginning.
void ClaimBook::claim_strand(std::uint32_t first) {
  const std::vector<isa::Instruction>& code = program_->code;
  std::vector<bool> seen(code.size(), false);
  std::vector<std::uint32_t> open{first};
  RegisterSet words;
  while (!open.empty()) {
    const std::uint32_t n = open.back();
    open.pop_back();
    if (n >= code.size() || seen[n] || (code[n].begins_strand && n != first)) continue;
    seen[n] = true;
    words.merge(written_by(code[n]));
    if (code[n].ends_strand) continue;
    if (code[n].is_branch()) open.push_back(static_cast<std::uint32_t>(code[n].target));
    if (!code[n].is_branch() || code[n].guard.present) open.push_back(n + 1);
  }
  words_[first] = words;
}

void ClaimBook::warp_begins(WarpId warp, CtaSlot cta) {
  warps_[warp.value] = {};
  warps_[warp.value].cta = cta;
}

RegisterSet ClaimBook::claims_of(WarpId warp, const isa::Instruction& instruction) const {
  return words_[static_cast<std::size_t>(&instruction - program_->code.data())].without(
      warps_[warp.value].claimed);
}

void ClaimBook::charge(WarpId id, const RegisterSet& words) {
  words.for_each([&](std::uint32_t r) { charge(id, warps_[id.value], r); });
}

void ClaimBook::claim(WarpId warp, RegId reg) { charge(warp, warps_[warp.value], reg.value); }

void ClaimBook::issued(WarpId id, const isa::Instruction& instruction, LaneMask mask) {
  if (!strands_) {
    if (mask == 0) return;
    const auto n = static_cast<std::size_t>(&instruction - program_->code.data());
    Warp& warp = warps_[id.value];
    for (std::uint32_t at = first_[n]; at != first_[n + 1]; ++at)
      if (!warp.claimed.test(numbers_[at])) charge(id, warp, numbers_[at]);
    return;
  }
  Warp& warp = warps_[id.value];
  if (instruction.begins_strand) {
    end_strand(id);
    const RegisterSet anew = claims_of(id, instruction);
    charge(id, anew);
    warp.unused = anew;
    warp.strand = words_[static_cast<std::size_t>(&instruction - program_->code.data())];
  }
  if (mask != 0) {
    const RegisterSet written = written_by(instruction);
    charge(id, written.without(warp.claimed));
    warp.unused = warp.unused.without(written);
  }
  if (instruction.ends_strand) end_strand(id);
}

void ClaimBook::end_strand(WarpId id) {
  Warp& warp = warps_[id.value];
  warp.unused.for_each([&](std::uint32_t r) { credit(warp.cta, pool_of(id, RegId(r))); });
  warp.claimed = warp.claimed.without(warp.unused);
  warp.unused = warp.strand = {};
}

bool ClaimBook::release(WarpId id, RegId reg) {
  Warp& warp = warps_[id.value];
  if (!warp.claimed.test(reg.value)) return false;
  if (warp.strand.test(reg.value)) {
    warp.unused.set(reg.value);
    return false;
  }
  warp.claimed.clear(reg.value);
  return true;
}

void ClaimBook::warp_ends(WarpId id, const RegisterSet& mapped) {
  Warp& warp = warps_[id.value];
  warp.claimed.without(mapped).for_each([&](std::uint32_t r) { credit(warp.cta, pool_of(id, RegId(r))); });
  warp.claimed = warp.unused = warp.strand = {};
}

}  // namespace heddle
