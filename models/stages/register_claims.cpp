#include "models/stages/register_claims.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace heddle {
namespace {

constexpr std::size_t kCtaSlots = 64;  ///< at most a CTA for each warp slot

// What a thread may execute after instruction n, kNoTarget where it is nothing.
std::array<int, 2> next_of(const std::vector<isa::Instruction>& code, int n) {
  const isa::Instruction& i = code[static_cast<std::size_t>(n)];
  const bool last = static_cast<std::size_t>(n) + 1 == code.size();
  const bool goes_on = !last && !isa::ends_path(i) && (!i.is_branch() || i.guard.present);
  return {goes_on ? n + 1 : isa::kNoTarget, i.is_branch() ? i.target : isa::kNoTarget};
}

isa::BranchSides find_sides(const isa::Program& program) {
  std::vector<int> meeting;
  std::vector<isa::BranchSides::Side> sides;
  std::vector<bool> leave;
  for (int n = 0; n < static_cast<int>(program.code.size()); ++n) {
    const isa::Instruction& i = program.code[static_cast<std::size_t>(n)];
    const auto next = next_of(program.code, n);
    const bool splits = i.is_branch() && i.guard.present;
    meeting.push_back(splits ? i.reconvergence : std::max(next[0], next[1]));
    leave.push_back(i.op == isa::Opcode::exit && i.guard.present);
    for (const int side : next)
      if (splits && side != meeting.back()) sides.push_back({n, side});
  }
  return {std::move(meeting), std::move(sides), leave};
}

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
  strand_words_.assign(strands_ ? program.code.size() : 0, std::nullopt);
  sides_ = strands_ ? find_sides(program) : isa::BranchSides({}, {}, {});
  numbers_.clear();
  first_.assign(1, 0);
  most_ = 0;
  RegisterSet all;
  for (const RegisterSet& words : words_) {
    words.for_each([this](std::uint32_t r) { numbers_.push_back(r); });
    most_ = std::max(most_, static_cast<int>(numbers_.size() - first_.back()));
    first_.push_back(static_cast<std::uint32_t>(numbers_.size()));
    all.merge(words);
  }
  if (strands_) all.for_each([this, n = 0](std::uint32_t) mutable { most_ = std::max(most_, ++n); });
}

// Whatever the warp may issue from the first instruction on without the end of a strand: a warp that has come to
// the meeting point of a branch takes up the other side.
const RegisterSet& ClaimBook::written_from(std::uint32_t first) const {
  std::optional<RegisterSet>& known = strand_words_[first];
  if (known) return *known;
  const std::vector<isa::Instruction>& code = program_->code;
  std::vector<bool> seen(code.size(), false);
  std::vector<int> open{static_cast<int>(first)};
  const auto go_on = [&](int n) {
    for (const int next : next_of(code, n))
      if (next != isa::kNoTarget) open.push_back(next);
  };
  isa::BranchSides::Search search(sides_);
  known.emplace();
  while (!open.empty()) {
    const int n = open.back();
    const auto at = static_cast<std::size_t>(n);
    open.pop_back();
    if (seen[at]) continue;
    seen[at] = true;
    known->merge(words_[at]);
    search.around(n, [&](const isa::BranchSides::Side& side) {
      if (!side.cut) go_on(side.branch);
    });
    if (!code[at].ends_strand) go_on(n);
  }
  return *known;
}

void ClaimBook::warp_begins(WarpId warp, CtaSlot cta) {
  warps_[warp.value] = {};
  warps_[warp.value].cta = cta;
  for (std::uint32_t r = 0; r < pinned_registers_; ++r) warps_[warp.value].claimed.set(r);
}

RegisterSet ClaimBook::claims_of(WarpId warp, const isa::Instruction& instruction) const {
  const std::uint32_t n = index_of(instruction);
  const Warp& of = warps_[warp.value];
  return (strands_ && !of.in_strand ? written_from(n) : words_[n]).without(of.claimed);
}

void ClaimBook::charge(WarpId id, const RegisterSet& words) {
  words.for_each([&](std::uint32_t r) { charge(id, warps_[id.value], r); });
}

void ClaimBook::claim(WarpId warp, RegId reg) { charge(warp, warps_[warp.value], reg.value); }

void ClaimBook::issued(WarpId id, const isa::Instruction& instruction, LaneMask mask) {
  if (strands_) return issued_in_strand(id, instruction, mask);
  if (mask == 0) return;
  const std::uint32_t n = index_of(instruction);
  Warp& warp = warps_[id.value];
  for (std::uint32_t at = first_[n]; at != first_[n + 1]; ++at)
    if (!warp.claimed.test(numbers_[at])) charge(id, warp, numbers_[at]);
}

void ClaimBook::issued_in_strand(WarpId id, const isa::Instruction& instruction, LaneMask mask) {
  Warp& warp = warps_[id.value];
  if (!warp.in_strand) {
    const RegisterSet anew = claims_of(id, instruction);
    charge(id, anew);
    warp.unused = anew;
    warp.strand = written_from(index_of(instruction));
    warp.in_strand = true;
    changed();
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
