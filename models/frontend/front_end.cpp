#include "models/frontend/front_end.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "models/core/part_path.h"
#include "models/core/registry.h"
#include "models/ports/life_channel.h"

namespace heddle {

FrontEnd::FrontEnd(const sc_core::sc_module_name& name, Clock& clock, const FrontEndParameters& parameters,
                   int max_warps, const StatsScope& stats, const LifeChannel* life)
    : ClockedModule(name, clock),
      parameters_(parameters),
      life_(life),
      fetches_when_empty_(parameters.fetches == "when-empty"),
      output_("out", this),
      warps_(static_cast<std::size_t>(max_warps), Warp(parameters.ibuffer_entries)),
      fetches_(stats.add("fetches", "fetches", "fetches made")),
      decodes_(stats.add("decodes", "instructions", "instructions fetched and decoded, stale ones included")),
      metadata_decodes_(stats.add("metadata_decodes", "instructions",
                                  "metadata among the decoded instructions, which is never issued")),
      metadata_passed_(stats.add("metadata_passed", "instructions",
                                 "metadata that a front-end stage held: neither fetched nor decoded")),
      metadata_undecoded_(stats.add("metadata_undecoded", "instructions",
                                    "metadata that a stage held within a wider fetch: not decoded")) {
  rest();
  for (const ConfigNode& choice : parameters.stages) {
    FrontEndStage::Context context{stats.scope(choice_name(choice)), max_warps};
    names_.push_back(part_place_name("stage", stages_.size(), choice_name(choice)));
    stages_.push_back(Registry<FrontEndStage>::instance().make(choice, context));
    const FrontEndWants wants = stages_.back()->wants();
    if (wants & front_end_wants::fetches) holding_.push_back(stages_.back().get());
    if (!(wants & front_end_wants::metadata)) continue;
    following_.push_back(stages_.back().get());
    one_by_one_ = true;
    follows_all_ |= (wants & front_end_wants::instructions) != 0;
  }
}

void FrontEnd::receive(InstructionTransfer& note) {
  if (note.note == ArrowNote::consumed) {
    warps_[note.warp.value].places.give(now());
    space_ |= std::uint64_t{1} << note.warp.value;
  } else {
    redirects_.put(now(), {note.warp, note.program, note.decoded.pc, note.decoded.epoch});
  }
  wake();
}

void FrontEnd::on_kernel_begin() {
  straight_.clear();
  reports_ = life_ && life_->has_subscriber(Life::fetched);
  one_by_one_ = reports_ || !following_.empty();
  for (auto& stage : stages_) stage->on_kernel_begin();
}

void FrontEnd::probes(const ProbeScope& scope) {
  for (std::size_t s = 0; s < stages_.size(); ++s) stages_[s]->probes(scope.part(names_[s]));
}

void FrontEnd::take_redirects() {
  redirects_.take(now(), [this](const Redirect& redirect) {
    Warp& warp = warps_[redirect.warp.value];
    const std::uint64_t bit = std::uint64_t{1} << redirect.warp.value;
    warp.places.reset();
    warp.program = redirect.program;
    warp.straight = redirect.program ? straight_of(*redirect.program) : nullptr;
    warp.pc = redirect.pc;
    warp.epoch = redirect.epoch;
    warp.held_until = warp.started ? now() + static_cast<Cycle>(parameters_.redirect_cycles) : 0;
    warp.started = redirect.program != nullptr;
    warp.missed = kNone;
    warp.latch = 0;
    fetching_ = redirect.program ? fetching_ | bit : fetching_ & ~bit;
    space_ |= bit;
  });
}

void FrontEnd::tick() {
  if (!redirects_.empty()) take_redirects();
  int budget = parameters_.warps_per_cycle;
  const std::uint64_t wanting = fetching_ & space_;
  const std::uint32_t first = turn_;
  for (std::uint64_t rest = std::rotr(wanting, static_cast<int>(first)); rest && budget; rest &= rest - 1) {
    const std::uint32_t w = (first + static_cast<std::uint32_t>(std::countr_zero(rest))) % 64;
    if (!fetch(WarpId(w))) continue;
    --budget;
    turn_ = (w + 1) % 64;
  }
  due_at(next_work());
}

Cycle FrontEnd::next_work() const {
  std::uint64_t rest = fetching_ & space_;
  if (!redirects_.empty() || (rest && holding_.empty() && parameters_.redirect_cycles == 0)) return now() + 1;
  Cycle next = kNever;
  for (; rest; rest &= rest - 1) {
    const Warp& warp = warps_[static_cast<std::size_t>(std::countr_zero(rest))];
    next = std::min(next, std::max(warp.held_until, now() + 1));
  }
  return next;
}

// Fetches the next instructions of a warp. Returns false if the warp fetches nothing in this cycle, because
// its buffer lacks room, or a redirect or a front-end stage delays the fetch.
bool FrontEnd::fetch(WarpId id) {
  Warp& warp = warps_[id.value];
  const std::uint64_t bit = std::uint64_t{1} << id.value;
  auto room = static_cast<std::uint32_t>(warp.places.free(now()));
  if (room == 0) {
    if (warp.places.full()) space_ &= ~bit;
    return false;
  }
  if (fetches_when_empty_ && room < warp.places.places()) return false;
  if (warp.held_until > now()) return false;
  if (!stages_.empty() && !passes_stages(id, warp)) return false;
  ++fetches_;
  auto left = static_cast<std::uint32_t>(parameters_.instructions_per_fetch);
  while (left != 0 && room != 0) {
    const Straight ahead = warp.straight[warp.pc];
    std::uint32_t count = 1;
    if (ahead.count == 0) {
      come_to_metadata(id, warp);
    } else {
      if (!one_by_one_) count = std::min(std::min<std::uint32_t>(ahead.count, left), room);
      send(id, warp, count);
      if (one_by_one_) follow(id, warp);
      room -= count;
    }
    warp.pc += count;
    left -= count;
    if (ahead.ends && count >= ahead.count) {
      fetching_ &= ~bit;
      break;
    }
  }
  if (warp.places.full()) space_ &= ~bit;
  return true;
}

const FrontEnd::Straight* FrontEnd::straight_of(const isa::Program& program) {
  std::vector<Straight>& all = straight_[&program];
  if (!all.empty()) return all.data();
  const std::vector<isa::Instruction>& code = program.code;
  all.resize(code.size());
  for (std::size_t pc = code.size(); pc-- > 0;) {
    const isa::Instruction& in = code[pc];
    const bool jumps = (in.op == isa::Opcode::bra || in.op == isa::Opcode::exit) && !in.guard.present;
    Straight& at = all[pc];
    at.ends = jumps || pc + 1 == code.size();
    if (in.metadata) continue;
    at.count = 1;
    if (at.ends || all[pc + 1].count == 0) continue;
    at = all[pc + 1];
    if (at.count < Straight::kMost) ++at.count;
  }
  return all.data();
}

bool FrontEnd::passes_stages(WarpId id, Warp& warp) {
  if (warp.held_until > now()) return false;
  if (!following_.empty()) pass_over_held(id, warp);
  return holding_.empty() || allowed(id, warp);
}

bool FrontEnd::allowed(WarpId id, Warp& warp) {
  const std::size_t count = std::min(static_cast<std::size_t>(parameters_.instructions_per_fetch),
                                     warp.program->code.size() - warp.pc);
  const Fetch request{now(), id, warp.program->address_of(warp.pc),
                      static_cast<unsigned>(count * isa::kInstructionBytes), warp.program};
  for (FrontEndStage* stage : holding_) {
    warp.held_until = stage->allow(request);
    if (warp.held_until > now()) return false;
  }
  return true;
}

// Skips metadata instructions at the start of a fetch, as long as a front-end stage holds their contents. Stops
// at the first metadata instruction that no stage holds. Sets `missed` to this instruction, so that a delayed
// fetch does not call the stages for this instruction again.
void FrontEnd::pass_over_held(WarpId id, Warp& warp) {
  while (warp.program->code[warp.pc].metadata && warp.missed != warp.pc) {
    if (!held(id, warp)) {
      warp.missed = warp.pc;
      return;
    }
    ++metadata_passed_;
    ++warp.pc;
  }
}

bool FrontEnd::held(WarpId id, Warp& warp) {
  const DecodePlace place{now(), id, warp.pc, warp.program};
  return std::any_of(following_.begin(), following_.end(),
                     [&](FrontEndStage* stage) { return stage->holds(place, warp.latch); });
}

void FrontEnd::come_to_metadata(WarpId id, Warp& warp) {
  if (warp.missed != warp.pc && held(id, warp)) {
    ++metadata_undecoded_;
    return;
  }
  ++decodes_;
  ++metadata_decodes_;
  warp.missed = kNone;
  notify_decoded(id, warp);
}

void FrontEnd::send(WarpId id, Warp& warp, std::uint32_t count) {
  decodes_ += count;
  warp.places.take(count);
  decoded_.warp = id;
  decoded_.decoded = {warp.pc, warp.epoch, now() + static_cast<Cycle>(parameters_.latency_cycles), warp.latch,
                      count};
  if (!output_.offer(decoded_))
    throw InternalError("the front end sent more than an instruction buffer holds");
}

void FrontEnd::follow(WarpId id, Warp& warp) {
  warp.missed = kNone;
  if (reports_) life_->fetched(id, decoded_.decoded);
  if (warp.latch != 0 || follows_all_) notify_decoded(id, warp);
}

void FrontEnd::notify_decoded(WarpId id, Warp& warp) {
  const DecodePlace place{now(), id, warp.pc, warp.program};
  for (FrontEndStage* stage : following_) stage->decoded(place, warp.latch);
}

}  // namespace heddle
