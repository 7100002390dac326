#include "models/reference/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "models/core/error.h"

namespace heddle::reference {
namespace {

constexpr std::uint32_t kMaxThreads = 1024;

void fill_poison(std::vector<std::uint8_t>& bytes, std::size_t size) {
  bytes.resize(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::uint8_t>(kPoison >> (i % 4 * 8));
}

std::string position(const isa::Dim3& d) { return fmt::format("({},{},{})", d.x, d.y, d.z); }

void check_launch(const isa::KernelLaunch& launch, const ReferenceOptions& options) {
  const isa::Program& program = *launch.program;
  const std::string where = "kernel " + program.kernel;
  const std::uint64_t threads = launch.block.count();
  if (threads == 0 || threads > kMaxThreads)
    throw Error(where, fmt::format("a block of {} threads", threads), "1..1024");
  if (launch.grid.count() == 0) throw Error(where, "an empty grid", "at least one CTA");
  if (launch.parameters.size() != program.parameter_bytes)
    throw Error(where, fmt::format("{} bytes of parameters", launch.parameters.size()),
                std::to_string(program.parameter_bytes));
  if (options.resident_ctas < 1 || options.quantum < 1)
    throw Error(where, "no resident CTA, or no instruction a turn", "1 and more");
}

}  // namespace

Machine::Machine(const isa::KernelLaunch& launch, MemoryImage& memory, const ReferenceOptions& options)
    : launch_(launch),
      program_(*launch.program),
      memory_(memory),
      options_(options),
      decoded_((check_launch(launch, options), launch)),
      parameters_(launch.parameters) {
  result_.issues.resize(program_.code.size());
  result_.threads.resize(program_.code.size());
  constexpr std::uint64_t kNone = ~std::uint64_t{0};
  limit_ = options.max_warp_instructions ? options.max_warp_instructions : kNone;
  stretch_end_ = options.endless_after ? options.endless_after : kNone;
  next_look_ = std::min(limit_, stretch_end_);
  progress_ = options.endless_after == 0;
}

ReferenceResult Machine::run() {
  const std::uint64_t grid = launch_.grid.count();
  std::uint64_t next = std::min(options_.first_cta, grid);
  const std::uint64_t end = next + std::min(options_.cta_count, grid - next);
  // 1. The first CTAs take their places.
  while (next < end && ctas_.size() < static_cast<std::size_t>(options_.resident_ctas)) {
    ctas_.push_back(std::make_unique<CtaState>());
    place_cta(*ctas_.back(), next++);
  }
  // 2. Every warp that can run gets its turn; a place that falls free goes to the next CTA.
  for (bool busy = !ctas_.empty(); busy;) {
    busy = false;
    if (options_.stop && options_.stop())
      throw StoppedError(program_.file, fmt::format("kernel {} was stopped", program_.kernel));
    for (auto& cta : ctas_) {
      if (!cta->occupied) continue;
      for (WarpState& warp : cta->warps) {
        if (warp.runs()) run_warp(warp);
      }
      if (cta->live_warps == 0) {
        cta->occupied = false;
        if (next < end) place_cta(*cta, next++);
      }
      busy = busy || cta->occupied;
    }
  }
  // 3. Counts that follow from those of the static instructions.
  finish_counts();
  return std::move(result_);
}

void Machine::place_cta(CtaState& cta, std::uint64_t linear) {
  const std::uint32_t warps = launch_.warps_per_cta();
  cta.occupied = true;
  cta.linear = linear;
  cta.position = cta_position(launch_.grid, linear);
  cta.live_warps = warps;
  cta.waiting_warps = 0;
  cta.barriers = BarrierSet(warps);
  fill_poison(cta.shared, launch_.shared_bytes());
  cta.warps.resize(warps);
  for (std::uint32_t w = 0; w < warps; ++w) {
    cta.warps[w].cta = &cta;
    cta.warps[w].index = w;
    start_warp(cta, cta.warps[w]);
  }
  ++result_.ctas;
  result_.warps += warps;
}

void Machine::start_warp(CtaState& cta, WarpState& warp) {
  const std::uint32_t threads =
      std::min(launch_.threads_per_cta() - warp.index * kLanes, std::uint32_t{kLanes});
  warp.stack.start(threads == kLanes ? kAllLanes : (1u << threads) - 1);
  warp.waiting = false;
  warp.predicates.assign(program_.predicates, 0);
  warp.values.resize(decoded_.values);
  for (std::uint32_t r = 0; r < program_.registers; ++r) warp.values[r].fill(kPoison);
  const WarpPlace place{&launch_, cta.position, warp.index};
  for (const SpecialSlot& slot : decoded_.specials) {
    fill_special(slot.special, slot.bits, place, warp.values[slot.index]);
    if (slot.bits == 64) warp.values[slot.index + 1].fill(0);
  }
  fill_poison(warp.local, std::size_t{program_.local_bytes} * kLanes);
}

LaneMask Machine::executing_lanes(const WarpState& warp, const DecodedInstruction& d) const {
  const LaneMask active = warp.stack.active();
  if (!d.guarded) return active;
  const LaneMask guard = warp.predicates[d.guard];
  return active & (d.guard_negated ? ~guard : guard);
}

void Machine::run_warp(WarpState& warp) {
  for (int turn = options_.quantum; turn > 0; --turn) {
    const std::int32_t pc = warp.stack.pc();
    const DecodedInstruction& d = decoded_.code[pc];
    if (d.action == Action::metadata) {
      warp.stack.go_to(pc + 1);
      continue;
    }
    if (steps_ == next_look_) look_for_progress();
    ++steps_;
    const LaneMask active = warp.stack.active();
    const LaneMask executing = executing_lanes(warp, d);
    ++result_.issues[pc];
    result_.threads[pc] += static_cast<std::uint64_t>(count_lanes(executing));
    bool goes_on = false;
    if (options_.observer) {
      const ExecutedInstruction seen = view(warp, d, active, executing);
      current_view_ = &seen;
      options_.observer->before(seen);
      goes_on = step(warp, d, active, executing);
      options_.observer->after(seen);
    } else {
      goes_on = step(warp, d, active, executing);
    }
    if (!goes_on) return;
  }
}

/// Executes one instruction; false if the warp's turn ends with it.
bool Machine::step(WarpState& warp, const DecodedInstruction& d, LaneMask active, LaneMask executing) {
  const auto pc = static_cast<std::int32_t>(&d - decoded_.code.data());
  if (d.action == Action::branch) {
    branch(warp, d, active, executing, pc);
    return true;
  }
  if (executing == 0) {
    warp.stack.go_to(pc + 1);
    return true;
  }
  switch (d.action) {
    case Action::lanes:
      execute_lanes(warp, d, executing);
      break;
    case Action::load:
      load(warp, d, executing);
      break;
    case Action::store:
      store(warp, d, executing);
      break;
    case Action::atomic:
      atomic(warp, d, executing);
      break;
    case Action::exit:
      exit_lanes(warp, executing, pc + 1);
      return warp.runs();
    case Action::barrier:
      warp.stack.go_to(pc + 1);
      arrive(warp, d, executing);
      return !warp.waiting;
    case Action::yield:
      warp.stack.go_to(pc + 1);
      return false;
    case Action::trap:
      fail(warp, d, std::countr_zero(executing), "trap");
    case Action::branch:
    case Action::metadata:
    case Action::nothing:
      break;
  }
  warp.stack.go_to(pc + 1);
  return true;
}

Machine::Words Machine::words_of(const WarpState& warp, const Source& source, LaneVec (&counter)[2]) const {
  const LaneVec* low = nullptr;
  switch (source.kind) {
    case Source::Kind::warp:
      low = warp.values.data() + source.index;
      break;
    case Source::Kind::pool:
      low = decoded_.pool.data() + source.index;
      break;
    case Source::Kind::counter: {
      const auto special = static_cast<isa::SpecialRegister>(source.index);
      counter[0].fill(counter_word(special, steps_, false));
      counter[1].fill(counter_word(special, steps_, true));
      low = counter;
      break;
    }
    default:
      return {};
  }
  return {low, source.wide ? low + 1 : nullptr};
}

LaneMask Machine::mask_of(const WarpState& warp, const Source& source) const {
  if (source.kind == Source::Kind::predicate_pool) return source.index;
  if (source.kind != Source::Kind::predicate) return 0;
  const LaneMask mask = warp.predicates[source.index];
  return source.negated ? ~mask : mask;
}

void Machine::execute_lanes(WarpState& warp, const DecodedInstruction& d, LaneMask executing) {
  LaneVec counter[2];
  LaneVec results[isa::kMaxDestinations][2];
  isa::LaneOperands operands;
  operands.active = executing;
  for (int s = 0; s < d.num_src; ++s) {
    const Source& source = d.src[s];
    if (source.kind == Source::Kind::predicate || source.kind == Source::Kind::predicate_pool) {
      operands.pred_src[s] = mask_of(warp, source);
    } else {
      const Words words = words_of(warp, source, counter);
      operands.src[s][0] = words.low;
      operands.src[s][1] = words.high;
    }
  }
  const bool in_place = d.in_place && executing == kAllLanes;
  for (int t = 0; t < d.num_dst; ++t) {
    const Destination& to = d.dst[t];
    if (to.kind != Destination::Kind::reg) continue;
    LaneVec* low = in_place ? warp.values.data() + to.index : results[t];
    operands.dst[t][0] = low;
    operands.dst[t][1] = to.wide ? low + 1 : nullptr;
  }
  d.function(*d.instruction, operands);
  for (int t = 0; t < d.num_dst; ++t) {
    const Destination& to = d.dst[t];
    if (to.kind == Destination::Kind::predicate) {
      LaneMask& predicate = warp.predicates[to.index];
      predicate = (predicate & ~executing) | (operands.pred_dst[t] & executing);
    } else if (!in_place) {
      write(warp, to, results[t][0], &results[t][1], executing);
    }
  }
}

void Machine::write(WarpState& warp, const Destination& to, const LaneVec& low, const LaneVec* high,
                    LaneMask lanes) {
  if (to.kind != Destination::Kind::reg) return;
  merge_lanes(warp.values[to.index], low, lanes);
  if (to.wide) merge_lanes(warp.values[to.index + 1], *high, lanes);
}

void Machine::branch(WarpState& warp, const DecodedInstruction& d, LaneMask active, LaneMask executing,
                     std::int32_t pc) {
  if (d.guarded) ++result_.branches;
  if (executing == active) {
    warp.stack.go_to(d.target);
  } else if (executing == 0 || d.target == pc + 1) {
    warp.stack.go_to(pc + 1);
  } else {
    ++result_.divergent_branches;
    warp.stack.split(executing, d.target, pc + 1, d.reconvergence);
  }
}

void Machine::exit_lanes(WarpState& warp, LaneMask executing, std::int32_t pc) {
  progress_ = true;
  warp.stack.exit(executing, pc);
  if (!warp.stack.empty()) return;
  CtaState& cta = *warp.cta;
  --cta.live_warps;
  BarrierSet::Completion done;
  while (cta.barriers.exited(warp.index, done)) complete_barrier(cta, done);
  check_barriers(cta);
}

void Machine::arrive(WarpState& warp, const DecodedInstruction& d, LaneMask executing) {
  LaneVec counter[2];
  const int lane = std::countr_zero(executing);
  const auto scalar = [&](int slot) {
    const Words words = slot < d.num_src ? words_of(warp, d.src[slot], counter) : Words{};
    return words.low ? (*words.low)[lane] : 0u;
  };
  BarrierSet::Arrival arrival;
  arrival.warp = warp.index;
  arrival.barrier = scalar(0);
  arrival.threads = scalar(1);
  arrival.kind = d.instruction->barrier;
  arrival.executing = executing;
  if (d.num_src > 2) arrival.predicate = mask_of(warp, d.src[2]);
  ++result_.barriers;
  CtaState& cta = *warp.cta;
  if (options_.observer) options_.observer->arrived(view(warp, d, executing, executing), arrival.barrier);
  BarrierSet::Completion done;
  bool complete = false;
  try {
    complete = cta.barriers.arrive(arrival, done);
  } catch (const Error& error) {
    fail(warp, d, lane, error.what());
  }
  if (arrival.kind != isa::BarrierKind::arrive) {
    warp.waiting = true;
    warp.barrier = &d;
    warp.barrier_lanes = executing;
    ++cta.waiting_warps;
  }
  if (complete) complete_barrier(cta, done);
  check_barriers(cta);
}

void Machine::complete_barrier(CtaState& cta, const BarrierSet::Completion& done) {
  if (options_.observer) options_.observer->synchronized(cta.linear, done.barrier, done.waiting);
  for (std::uint32_t left = done.waiting; left != 0; left &= left - 1) {
    WarpState& warp = cta.warps[std::countr_zero(left)];
    warp.waiting = false;
    --cta.waiting_warps;
    const Destination& to = warp.barrier->dst[0];
    if (warp.barrier->num_dst == 0 || to.kind == Destination::Kind::none) continue;
    const isa::BarrierKind kind = warp.barrier->instruction->barrier;
    const bool holds = kind == isa::BarrierKind::red_and ? done.all : done.any;
    if (to.kind == Destination::Kind::predicate) {
      LaneMask& predicate = warp.predicates[to.index];
      predicate = holds ? predicate | warp.barrier_lanes : predicate & ~warp.barrier_lanes;
    } else {
      LaneVec low, high;
      low.fill(kind == isa::BarrierKind::red_popc ? done.popc : holds);
      high.fill(0);
      write(warp, to, low, &high, warp.barrier_lanes);
    }
  }
}

void Machine::check_barriers(const CtaState& cta) const {
  if (cta.live_warps == 0 || cta.waiting_warps != cta.live_warps) return;
  std::string who;
  const WarpState* first = nullptr;
  for (const WarpState& warp : cta.warps) {
    if (!warp.waiting) continue;
    if (!first) first = &warp;
    who += fmt::format("{}warp {} at line {}", who.empty() ? "" : ", ", warp.index,
                       warp.barrier->instruction->location.ptx_line);
  }
  fail(
      *first, *first->barrier, -1,
      fmt::format("a barrier that can never be met: {}, {} of {} warps have exited, and all others wait ({})",
                  cta.barriers.describe(), cta.warps.size() - cta.live_warps, cta.warps.size(), who));
}

void Machine::finish_counts() {
  result_.warp_instructions = steps_;
  for (std::size_t i = 0; i < decoded_.code.size(); ++i) {
    const isa::Instruction& instruction = program_.code[i];
    result_.thread_instructions += result_.threads[i];
    result_.by_class[static_cast<std::size_t>(instruction.op_class)] += result_.issues[i];
    result_.by_unit[static_cast<std::size_t>(instruction.unit)] += result_.issues[i];
    if (instruction.overhead) result_.overhead_instructions += result_.issues[i];
  }
}

void Machine::fail(const WarpState& warp, const DecodedInstruction& d, int lane, const std::string& what,
                   const std::string& allowed) const {
  std::string who = fmt::format("kernel {}, CTA {}", program_.kernel, position(warp.cta->position));
  if (lane >= 0) {
    const auto linear = warp.index * kLanes + static_cast<std::uint32_t>(lane);
    who += ", thread " + position(thread_position(launch_.block, linear));
  }
  throw Error(place_of(program_, *d.instruction), who + ": " + what, allowed);
}

void Machine::look_for_progress() {
  if (steps_ == limit_ || !progress_) fail_endless();
  progress_ = false;
  stretch_end_ += options_.endless_after;
  next_look_ = std::min(limit_, stretch_end_);
}

void Machine::fail_endless() const {
  constexpr int kMostNamed = 8;
  const WarpState* first = nullptr;
  std::string who;
  int named = 0, more = 0;
  for (const auto& cta : ctas_) {
    if (!cta->occupied) continue;
    for (const WarpState& warp : cta->warps) {
      if (warp.stack.empty()) continue;
      if (!first && warp.runs()) first = &warp;
      if (named == kMostNamed) {
        ++more;
        continue;
      }
      const auto& at = warp.waiting ? *warp.barrier : decoded_.code[warp.stack.pc()];
      who += fmt::format("{}CTA {} warp {} {} line {}", named++ ? ", " : "", position(cta->position),
                         warp.index, warp.waiting ? "waits at" : "is at", at.instruction->location.ptx_line);
    }
  }
  if (!first) throw InternalError("no warp runs at the limit of warp-instructions");
  if (more) who += fmt::format(", and {} more warps", more);
  const std::string where = place_of(program_, *decoded_.code[first->stack.pc()].instruction);
  const std::string kernel =
      fmt::format("kernel {}, CTA {}", program_.kernel, position(first->cta->position));
  if (steps_ == limit_)
    throw InstructionLimitError(
        where,
        fmt::format("{}: more than {} warp-instructions: an endless loop? warp {} is here ({})", kernel,
                    limit_, first->index, who),
        "more with a higher limit");
  throw EndlessError(
      where,
      fmt::format("{}: an endless loop: in {} warp-instructions no thread has ended and neither "
                  "global nor shared memory has changed ({})",
                  kernel, options_.endless_after, who),
      "more with a higher watch.endless_steps");
}

ExecutedInstruction Machine::view(const WarpState& warp, const DecodedInstruction& d, LaneMask active,
                                  LaneMask executing) const {
  return {launch_,
          *d.instruction,
          static_cast<std::uint32_t>(&d - decoded_.code.data()),
          warp.cta->linear,
          warp.index,
          active,
          executing,
          std::span(warp.values).first(program_.registers),
          warp.predicates};
}

}  // namespace heddle::reference
