#include "models/sm/issue_accounts.h"

#include <fmt/format.h>

#include <bit>
#include <utility>

#include "models/core/error.h"

namespace heddle {

IssueAccounts::IssueAccounts(const StatsScope& stats, int schedulers, int issue_width, bool matrix_units,
                             const std::vector<std::string>& reasons)
    : instructions(stats.add("issued", "warp-instructions", "instructions issued, spills included")),
      completed(stats.add("completed", "warp-instructions", "instructions whose results are all visible")),
      guarded_off(stats.add("guarded_off", "warp-instructions", "issued with every lane guarded off")),
      branches(stats.add("branches", "warp-instructions", "branches issued")),
      divergent_branches(stats.add("divergent_branches", "warp-instructions", "branches that split a warp")),
      barriers(stats.add("barriers", "warp-instructions", "arrivals of warps at barriers")),
      barrier_wait_cycles(
          stats.add("barrier_wait_cycles", "warp-cycles", "warps waited at barriers for other warps")),
      thread_instructions_(
          stats.add("thread_instructions", "lanes", "lanes that executed, summed over instructions")),
      overhead_(stats.add("overhead", "warp-instructions",
                          "issued instructions that a compiler pass added (spills, fills)")),
      source_words_(
          stats.add("source_words", "accesses", "source register words of instructions sent to collectors")),
      result_words_(stats.add("result_words", "accesses", "result register words of issued instructions")),
      pair_words_(
          stats.add("pair_words", "accesses", "source and result words that belong to 64-bit operands")),
      warps_(stats),
      slots_(stats.add("issue_slots", "slots", "issue slots of all schedulers, used or idle")),
      width_(static_cast<std::uint64_t>(issue_width)) {
  for (std::size_t u = 0; u < by_unit_.size(); ++u) {
    const auto unit = static_cast<isa::UnitClass>(u);
    if (unit == isa::UnitClass::matrix && !matrix_units) continue;
    by_unit_[u] = &stats.add(fmt::format("issued_{}", isa::name_of(unit)), "warp-instructions",
                             "issued instructions of this unit class");
  }
  for (std::size_t c = 0; c < by_class_.size(); ++c)
    if (matrix_units || !isa::is_matrix(static_cast<isa::OpClass>(c)))
      by_class_[c] = &stats.add(fmt::format("class_{}", isa::name_of(static_cast<isa::OpClass>(c))),
                                "warp-instructions", "issued instructions of this operation class");
  for (const IssueNote& note : issue_notes())
    notes_.push_back(notes_.empty() ? nullptr : &stats.add(note.counter, "warp-instructions", note.doc));
  static constexpr const char* kLaneRanges[] = {"1_4", "5_8", "9_12", "13_16", "17_24", "25_31", "32"};
  for (std::size_t r = 0; r < by_lanes_.size(); ++r)
    by_lanes_[r] = &stats.add(fmt::format("lanes_{}", kLaneRanges[r]), "warp-instructions",
                              "issued instructions with this number of executing lanes");
  for (int s = 0; s < schedulers; ++s) {
    const StatsScope scope = stats.scope(fmt::format("scheduler{}", s));
    Scheduler& scheduler = schedulers_.emplace_back();
    scheduler.issued = &scope.add("issued", "warp-instructions", "instructions issued by this scheduler");
    add_reasons(stats, reasons);
  }
}

void IssueAccounts::add_reasons(const StatsScope& stats, const std::vector<std::string>& reasons) {
  for (std::size_t s = 0; s < schedulers_.size(); ++s) {
    const StatsScope scope = stats.scope(fmt::format("scheduler{}", s));
    std::vector<Counter*>& idle = schedulers_[s].idle;
    for (std::size_t r = idle.size(); r < reasons.size(); ++r)
      idle.push_back(&scope.add(fmt::format("idle_{}", reasons[r]), "slots",
                                fmt::format("idle issue slots, reason {}", reasons[r])));
  }
}

void IssueAccounts::begin(Cycle cycle, std::span<const InstructionFootprint> footprints) {
  accounted_to_ = cycle;
  warps_.begin(cycle);
  footprints_ = footprints;
  issued_.assign(footprints.size(), 0);
  partial_.assign(footprints.size(), {});
}

void IssueAccounts::issued_in_part(std::uint32_t pc, LaneMask mask) {
  ++partial_[pc].in_part;
  if (mask == 0) {
    ++partial_[pc].off;
    return;
  }
  const auto lanes = static_cast<std::size_t>(std::popcount(mask));
  thread_instructions_ += lanes;
  ++*by_lanes_[lanes <= 16 ? (lanes - 1) / 4 : lanes <= 24 ? 4 : 5];
}

void IssueAccounts::sum_up() {
  warps_.count_to(accounted_to_);
  for (std::size_t pc = 0; pc < issued_.size(); ++pc) {
    const std::uint64_t count = std::exchange(issued_[pc], 0);
    if (count == 0) continue;
    const Partial partial = std::exchange(partial_[pc], {});
    const InstructionFootprint& instruction = footprints_[pc];
    const std::uint64_t in_full = count - partial.in_part;
    *by_unit_[index_of(instruction.unit)] += count;
    *by_class_[index_of(instruction.op_class())] += count;
    *by_lanes_.back() += in_full;
    thread_instructions_ += in_full * kLanes;
    if (instruction.overhead) overhead_ += count;
    if (instruction.note != 0) *notes_[instruction.note] += count;
    if (instruction.unit == isa::UnitClass::control) continue;
    const std::uint64_t sent = count - partial.off;
    source_words_ += sent * instruction.read_words;
    result_words_ += sent * instruction.write_words;
    pair_words_ += sent * instruction.pair_words;
  }
}

void IssueAccounts::sent_result(const InstructionFootprint& instruction) {
  result_words_ += instruction.write_words;
  ++results_of_barriers_;
}

IssueAccounts::WarpCycles::WarpCycles(const StatsScope& stats)
    : active_cycles_(stats.add("active_warp_cycles", "warp-cycles",
                               "warps that held an active slot of their scheduler")),
      resident_cycles_(stats.add("resident_warp_cycles", "warp-cycles", "warps on the SM")) {}

void IssueAccounts::WarpCycles::change(Cycle cycle, WarpSet resident, WarpSet active) {
  count_to(cycle);
  resident_ = resident;
  active_ = active;
  resident_count_ = static_cast<std::uint64_t>(resident.count());
  active_count_ = static_cast<std::uint64_t>((resident & active).count());
}

void IssueAccounts::WarpCycles::count_to(Cycle cycle) {
  if (cycle <= counted_to_) return;
  const Cycle cycles = cycle - counted_to_;
  resident_cycles_ += cycles * resident_count_;
  active_cycles_ += cycles * active_count_;
  counted_to_ = cycle;
}

void IssueAccounts::check_conservation(const std::string& owner, std::uint64_t in_flight) const {
  std::uint64_t idle = 0, by_scheduler = 0;
  for (const Scheduler& scheduler : schedulers_) {
    by_scheduler += scheduler.issued->value();
    for (const Counter* slots : scheduler.idle) idle += slots->value();
  }
  const std::uint64_t issued = instructions.value();
  if (issued + results_of_barriers_ != completed.value() + in_flight)
    throw InternalError(fmt::format("{}: {} instructions issued, {} completed, {} in flight", owner, issued,
                                    completed.value(), in_flight));
  if (by_scheduler != issued)
    throw InternalError(
        fmt::format("{}: {} instructions issued, {} by its schedulers", owner, issued, by_scheduler));
  if (idle + issued != slots_.value())
    throw InternalError(
        fmt::format("{}: {} issue slots, {} issued, {} idle", owner, slots_.value(), issued, idle));
}

}  // namespace heddle
