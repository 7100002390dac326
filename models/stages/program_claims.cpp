#include "models/stages/program_claims.h"

#include <algorithm>
#include <array>
#include <utility>

namespace heddle {
namespace {

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

void ProgramClaims::begin(const isa::Program& program) {
  program_ = &program;
  by_strands_ = kept_above_ && std::any_of(program.code.begin(), program.code.end(),
                                           [](const isa::Instruction& i) { return i.begins_strand; });
  strand_words_.assign(by_strands_ ? program.code.size() : 0, std::nullopt);
  sides_ = by_strands_ ? find_sides(program) : isa::BranchSides({}, {}, {});
  words_.clear();
  numbers_.clear();
  first_.assign(1, 0);
  most_ = 0;
  RegisterSet all;
  for (const isa::Instruction& i : program.code) {
    RegisterSet& words = words_.emplace_back();
    for (const isa::Operand& o : i.destinations())
      if (o.is_reg() && comes_down(o.annotation))
        for (int w = 0; w < o.words(); ++w) words.set(o.reg.value + static_cast<std::uint32_t>(w));
    words.for_each([this](std::uint32_t r) { numbers_.push_back(r); });
    most_ = std::max(most_, static_cast<int>(numbers_.size() - first_.back()));
    first_.push_back(static_cast<std::uint32_t>(numbers_.size()));
    all.merge(words);
  }
  if (by_strands_) most_ = std::max(most_, all.count());
}

// Returns the registers that a strand may write, given its first instruction. The set includes the writes on
// both sides of a branch, because a warp that reaches the reconvergence point may continue with the other
// side.
const RegisterSet& ProgramClaims::written_from(std::uint32_t first) const {
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

}  // namespace heddle
