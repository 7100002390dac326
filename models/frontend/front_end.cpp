#include "models/frontend/front_end.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "models/core/part_path.h"
#include "models/core/registry.h"

namespace heddle {

FrontEnd::FrontEnd(const sc_core::sc_module_name& name, Clock& clock, const FrontEndParameters& parameters,
                   int max_warps, const StatsScope& stats)
    : ClockedModule(name, clock),
      parameters_(parameters),
      output_("out", this),
      warps_(static_cast<std::size_t>(max_warps), Warp(parameters.ibuffer_entries)),
      fetches_(stats.add("fetches", "fetches", "fetches made")),
      decodes_(stats.add("decodes", "instructions", "instructions fetched and decoded, stale ones included")),
      metadata_decodes_(stats.add("metadata_decodes", "instructions", "of these, metadata: never issued")),
      metadata_passed_(stats.add("metadata_passed", "instructions",
                                 "metadata that a front-end stage held: neither fetched nor decoded")),
      metadata_undecoded_(stats.add("metadata_undecoded", "instructions",
                                    "metadata that a stage held within a wider fetch: not decoded")) {
  rest();
  for (const ConfigNode& choice : parameters.stages) {
    FrontEndStage::Context context{stats.scope(choice_name(choice)), max_warps};
    names_.push_back(part_place_name("stage", stages_.size(), choice_name(choice)));
    stages_.push_back(Registry<FrontEndStage>::instance().make(choice, context));
    if (stages_.back()->holds_fetches()) holding_.push_back(stages_.back().get());
    if (!stages_.back()->follows_metadata()) continue;
    following_.push_back(stages_.back().get());
    follows_all_ |= stages_.back()->follows_instructions();
  }
}

void FrontEnd::hear(InstructionTransfer& note) {
  if (note.note == ArrowNote::consumed) {
    warps_[note.warp.value].places.give(now());
    space_ |= std::uint64_t{1} << note.warp.value;
  } else {
    redirects_.put(now(), {note.warp, note.program, note.decoded.pc, note.decoded.epoch});
  }
  wake();
}

void FrontEnd::on_kernel_begin() {
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
    warp.end = redirect.program ? static_cast<std::uint32_t>(redirect.program->code.size()) : 0;
    warp.pc = redirect.pc;
    warp.epoch = redirect.epoch;
    warp.held_until = 0;
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
  // Round-robin: the warps from turn_ upwards, then those below.
  const std::uint32_t first = turn_;
  for (std::uint64_t rest = std::rotr(wanting, static_cast<int>(first)); rest && budget; rest &= rest - 1) {
    const std::uint32_t w = (first + static_cast<std::uint32_t>(std::countr_zero(rest))) % 64;
    if (!fetch(WarpId(w))) continue;
    --budget;
    turn_ = (w + 1) % 64;
  }
  due_at(next_work());
}

// What came in this cycle is looked at in the next one.
Cycle FrontEnd::next_work() const {
  std::uint64_t rest = fetching_ & space_;
  if (!redirects_.empty() || (rest && holding_.empty())) return now() + 1;
  Cycle next = kNever;
  for (; rest; rest &= rest - 1) {
    const Warp& warp = warps_[static_cast<std::size_t>(std::countr_zero(rest))];
    next = std::min(next, std::max(warp.held_until, now() + 1));
  }
  return next;
}

// Brings the next instructions of a warp; false if none could come in this cycle.
bool FrontEnd::fetch(WarpId id) {
  Warp& warp = warps_[id.value];
  const std::uint64_t bit = std::uint64_t{1} << id.value;
  std::size_t room = warp.places.free(now());
  if (room == 0) {
    if (warp.places.full()) space_ &= ~bit;
    return false;
  }
  if (warp.held_until > now()) return false;
  if (!following_.empty()) pass_over_held(id, warp);
  const std::uint32_t count =
      std::min(static_cast<std::uint32_t>(parameters_.instructions_per_fetch), warp.end - warp.pc);
  if (!holding_.empty() && !allowed(id, warp, count)) return false;
  ++fetches_;
  for (std::uint32_t i = 0; i < count && room != 0; ++i) {
    const isa::Instruction& instruction = warp.program->code[warp.pc];
    if (!instruction.metadata) --room;
    if (instruction.metadata && warp.missed != warp.pc && held(id, warp))
      ++metadata_undecoded_;
    else
      decode(id, warp, instruction);
    ++warp.pc;
    const bool ends = (instruction.op == isa::Opcode::bra || instruction.op == isa::Opcode::exit) &&
                      !instruction.guard.present;
    if (ends || warp.pc == warp.end) {
      fetching_ &= ~bit;
      break;
    }
  }
  if (warp.places.full()) space_ &= ~bit;
  return true;
}

bool FrontEnd::allowed(WarpId id, Warp& warp, std::uint32_t count) {
  const Fetch request{now(), id, warp.program->address_of(warp.pc),
                      count * static_cast<unsigned>(isa::kInstructionBytes), warp.program};
  for (FrontEndStage* stage : holding_) {
    warp.held_until = stage->allow(request);
    if (warp.held_until > now()) return false;
  }
  return true;
}

// Metadata at the start of a fetch that a stage holds need not be fetched. That none holds it is remembered,
// so that a fetch that is held back asks once.
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

void FrontEnd::decode(WarpId id, Warp& warp, const isa::Instruction& instruction) {
  ++decodes_;
  if (instruction.metadata)
    ++metadata_decodes_;
  else
    send(id, warp);
  warp.missed = kNone;
  if (following_.empty() || (warp.latch == 0 && !instruction.metadata && !follows_all_)) return;
  const DecodePlace place{now(), id, warp.pc, warp.program};
  for (FrontEndStage* stage : following_) stage->decoded(place, warp.latch);
}

void FrontEnd::send(WarpId id, Warp& warp) {
  warp.places.take();
  decoded_.warp = id;
  decoded_.decoded = {warp.pc, warp.epoch, now() + static_cast<Cycle>(parameters_.latency_cycles),
                      warp.latch};
  if (!output_.offer(decoded_))
    throw InternalError("the front end sent more than an instruction buffer holds");
}

}  // namespace heddle
