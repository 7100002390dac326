#include "models/stages/register_claims.h"

#include <algorithm>
#include <numeric>

namespace heddle {
namespace {

constexpr std::size_t kCtaSlots = 64;

}  // namespace

ClaimBook::ClaimBook(const BankParameters& banks, int warps, bool pooled)
    : layout_(banks.home()), pooled_(pooled), warps_(static_cast<std::size_t>(warps)) {
  const std::vector<int> depths = banks.depths();
  if (pooled)
    capacity_ = {std::accumulate(depths.begin(), depths.end(), 0)};
  else
    capacity_ = depths;
  unclaimed_ = capacity_;
  charged_.resize(unclaimed_.size() * kCtaSlots);
  reserved_.resize(unclaimed_.size());
}

void ClaimBook::pin(std::span<const std::uint32_t> reserved, std::uint32_t registers) {
  for (std::size_t pool = 0; pool < unclaimed_.size(); ++pool) unclaimed_[pool] += reserved_[pool];
  std::fill(reserved_.begin(), reserved_.end(), 0);
  for (std::size_t bank = 0; bank < reserved.size(); ++bank)
    reserved_[pooled_ ? 0 : bank] += static_cast<int>(reserved[bank]);
  for (std::size_t pool = 0; pool < unclaimed_.size(); ++pool) {
    unclaimed_[pool] -= reserved_[pool];
    for (int entry = 0; entry <= reserved_[pool]; ++entry) changed();
  }
  pinned_registers_ = registers;
}

std::span<const int> ClaimBook::charged(CtaSlot cta) const {
  return {charged_.data() + cta.value * unclaimed_.size(), unclaimed_.size()};
}

void ClaimBook::warp_begins(WarpId warp, CtaSlot cta) {
  warps_[warp.value] = {};
  warps_[warp.value].cta = cta;
  for (std::uint32_t r = 0; r < pinned_registers_; ++r) warps_[warp.value].claimed.set(r);
}

RegisterSet ClaimBook::claims_of(WarpId warp, const isa::Instruction& instruction) const {
  const std::uint32_t n = program_.index_of(instruction);
  const Warp& of = warps_[warp.value];
  const bool strand_begins = program_.by_strands() && !of.in_strand;
  return (strand_begins ? program_.written_from(n) : program_.written_by(n)).without(of.claimed);
}

void ClaimBook::charge(WarpId id, const RegisterSet& words) {
  words.for_each([&](std::uint32_t r) { charge(id, warps_[id.value], r); });
}

void ClaimBook::claim(WarpId warp, RegId reg) { charge(warp, warps_[warp.value], reg.value); }

void ClaimBook::issued(WarpId id, const isa::Instruction& instruction, LaneMask mask) {
  if (program_.by_strands()) return issued_in_strand(id, instruction, mask);
  if (mask == 0) return;
  Warp& warp = warps_[id.value];
  for (const std::uint32_t reg : program_.numbers_of(program_.index_of(instruction)))
    if (!warp.claimed.test(reg)) charge(id, warp, reg);
}

void ClaimBook::issued_in_strand(WarpId id, const isa::Instruction& instruction, LaneMask mask) {
  Warp& warp = warps_[id.value];
  if (!warp.in_strand) {
    const RegisterSet anew = claims_of(id, instruction);
    charge(id, anew);
    warp.unused = anew;
    warp.strand = program_.written_from(program_.index_of(instruction));
    warp.in_strand = true;
    changed();
  }
  if (mask != 0) {
    const RegisterSet& written = program_.written_by(program_.index_of(instruction));
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
  warp.in_strand = false;
  changed();
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
  warp.claimed.without(mapped).for_each([&](std::uint32_t r) {
    if (r >= pinned_registers_) credit(warp.cta, pool_of(id, RegId(r)));
  });
  warp.claimed = warp.unused = warp.strand = {};
}

}  // namespace heddle
