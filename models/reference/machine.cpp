#include "models/reference/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "models/core/error.h"

namespace heddle::reference {
namespace {

constexpr std::uint32_t kMaxThreads = 1024;
constexpr std::uint64_t kMaxCooperative = 8192;  // CTAs: 256 SMs, 32 each
constexpr std::uint64_t kPatience =
    5'000'000;  // warp-instructions without progress, after which more CTAs are resident
constexpr const char* kNoDynamicShared = " (the launch gives no \"shared_bytes\" of dynamic shared memory)";
constexpr std::size_t kMostResident = 1024;  // of CTAs that are added so

void check_launch(const isa::KernelLaunch& launch, const ReferenceOptions& options) {
  const isa::Program& program = *launch.program;
  const std::string where = "kernel " + program.kernel;
  const std::uint64_t threads = launch.block.count();
  if (threads == 0 || threads > kMaxThreads)
    throw Error(where, fmt::format("a block of {} threads", threads), "1..1024");
  if (launch.grid.count() == 0) throw Error(where, "an empty grid", "at least one CTA");
  if (launch.cooperative && launch.grid.count() > kMaxCooperative)
    throw Error(
        where,
        fmt::format("a cooperative launch of {} CTAs, which must be resident at once", launch.grid.count()),
        fmt::format("up to {}", kMaxCooperative));
  if (launch.cooperative && options.cta_count < launch.grid.count())
    throw Error(where, "a part of a cooperative launch, whose CTAs wait for each other", "all CTAs");
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
      lanes_(decoded_),
      near_(decoded_.accesses),
      parameters_(launch.parameters),
      passes_(program_.code.size() + 1),
      pass_threads_(program_.code.size() + 1) {
  result_.issues.resize(program_.code.size());
  result_.threads.resize(program_.code.size());
  result_.guarded_off.resize(program_.code.size());
  constexpr std::uint64_t kNone = ~std::uint64_t{0};
  limit_ = options.max_warp_instructions ? options.max_warp_instructions : kNone;
  stretch_ = options.endless_after ? std::min(options.endless_after, kPatience) : kPatience;
  stretch_end_ = stretch_;
  next_look_ = std::min(limit_, stretch_end_);
}

ReferenceResult Machine::run() {
  const std::uint64_t grid = launch_.grid.count();
  std::uint64_t next = std::min(options_.first_cta, grid);
  const std::uint64_t end = next + std::min(options_.cta_count, grid - next);
  // 1. The first CTAs take their places.
  const std::uint64_t places =
      launch_.cooperative ? grid : static_cast<std::uint64_t>(options_.resident_ctas);
  while (next < end && ctas_.size() < places) {
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
        if (!warp.runs()) continue;
        const std::uint64_t before = steps_;
        run_warp(warp);
        cta->steps += steps_ - before;
      }
      if (cta->live_warps == 0) {
        cta->occupied = false;
        if (options_.cta_ended) options_.cta_ended(cta->linear, cta->steps);
        if (next < end) place_cta(*cta, next++);
      }
      busy = busy || cta->occupied;
    }
    // 3. Where all of them may wait for others, there are more places: CTAs that wait for each other need not fit those of a small GPU.
    const bool grows = std::exchange(waits_, false) && ctas_.size() < kMostResident;
    for (std::size_t more = grows ? ctas_.size() : 0; more > 0 && next < end; --more) {
      ctas_.push_back(std::make_unique<CtaState>());
      place_cta(*ctas_.back(), next++);
      busy = true;
    }
  }
  // 4. Counts that follow from those of the static instructions.
  finish_counts();
  return std::move(result_);
}

LaneMask executing_lanes(const WarpState& warp, const DecodedInstruction& d) {
  const LaneMask active = warp.stack.active();
  if (!d.guarded) return active;
  const LaneMask guard = warp.predicates[d.guard];
  return active & (d.guard_negated ? ~guard : guard);
}

void Machine::run_warp(WarpState& warp) {
  memory_of_turn_ = {&memory_,    warp.cta->shared,
                     warp.local,  program_.local_bytes,
                     parameters_, launch_.dynamic_shared_bytes == 0 ? kNoDynamicShared : ""};
  for (int turn = options_.quantum; turn > 0;) {
    const std::int32_t pc = warp.stack.pc(), join = warp.stack.reconvergence();
    // 1. Up to where the active lanes execute all instructions, within the turn and before the next look; an observer
    //    sees them one by one.
    std::int32_t end = options_.observer ? pc : std::min(decoded_.code[pc].straight_end, pc + turn);
    if (join > pc) end = std::min(end, join);
    const std::uint64_t left = next_look_ - steps_;
    if (left < static_cast<std::uint64_t>(turn)) end = std::min(end, pc + static_cast<std::int32_t>(left));
    if (end > pc) {
      run_straight(warp, pc, end);
      turn -= end - pc;
      continue;
    }
    // 2. What may lead elsewhere.
    --turn;
    if (!run_next(warp, pc)) return;
  }
}

void Machine::run_straight(WarpState& warp, std::int32_t pc, std::int32_t end) {
  const LaneMask active = warp.stack.active();
  const auto threads = static_cast<std::uint64_t>(count_lanes(active));
  ++passes_[pc];
  --passes_[end];
  pass_threads_[pc] += threads;
  pass_threads_[end] -= threads;
  lanes_.enter(warp.values.data(), warp.predicates);
  const DecodedInstruction* d = decoded_.code.data() + pc;
  for (auto at = static_cast<std::size_t>(pc); at != static_cast<std::size_t>(end); ++at, ++d) {
    if (d->action == Action::metadata) continue;
    ++steps_;
    LaneMask executing = active;
    if (d->guarded) {
      executing = executing_lanes(warp, *d);
      if (executing != active)
        result_.threads[at] -= static_cast<std::uint64_t>(count_lanes(active & ~executing));
      if (executing == 0) {
        ++result_.guarded_off[at];
        continue;
      }
    }
    if (d->action == Action::lanes)
      lanes_.execute(*d, at, executing, steps_);
    else
      access(warp, *d, executing);
  }
  warp.stack.go_to(end);
}

// One instruction by itself; false if the warp's turn ends with it.
bool Machine::run_next(WarpState& warp, std::int32_t pc) {
  const DecodedInstruction& d = decoded_.code[pc];
  if (d.action == Action::metadata) {
    warp.stack.go_to(pc + 1);
    return true;
  }
  if (steps_ == next_look_) look_for_progress();
  ++steps_;
  const LaneMask active = warp.stack.active();
  const LaneMask executing = executing_lanes(warp, d);
  ++result_.issues[pc];
  result_.threads[pc] += static_cast<std::uint64_t>(count_lanes(executing));
  if (!options_.observer) {
    if (d.action != Action::branch) return step(warp, d, active, executing);
    branch(warp, d, active, executing, pc);
    return true;
  }
  const ExecutedInstruction seen = view(warp, d, active, executing);
  current_view_ = &seen;
  options_.observer->before(seen);
  const bool goes_on = step(warp, d, active, executing);
  options_.observer->after(seen);
  return goes_on;
}

/// Executes one instruction; false if the warp's turn ends with it.
bool Machine::step(WarpState& warp, const DecodedInstruction& d, LaneMask active, LaneMask executing) {
  const auto pc = static_cast<std::int32_t>(&d - decoded_.code.data());
  if (d.action == Action::branch) {
    branch(warp, d, active, executing, pc);
    return true;
  }
  if (executing == 0) {
    ++result_.guarded_off[pc];
    warp.stack.go_to(pc + 1);
    return true;
  }
  switch (d.action) {
    case Action::lanes:
      lanes_.enter(warp.values.data(), warp.predicates);
      lanes_.execute(d, static_cast<std::size_t>(pc), executing, steps_);
      break;
    case Action::exit:
      exit_lanes(warp, executing, pc + 1);
      return warp.runs();
    case Action::barrier:
      warp.stack.go_to(pc + 1);
      arrive(warp, d, executing);
      return !warp.waiting;
    case Action::call:
      call(warp, d, executing, pc);
      return true;
    case Action::leave:
      leave_call(warp, executing);
      return true;
    case Action::yield:
      warp.stack.go_to(pc + 1);
      return false;
    case Action::trap:
      fail(warp, d, d.instruction->payload ? FaultError::Kind::assertion : FaultError::Kind::trap,
           std::countr_zero(executing), program_.trap_text(*d.instruction));
    default:
      access(warp, d, executing);
  }
  warp.stack.go_to(pc + 1);
  return true;
}

void Machine::access(WarpState& warp, const DecodedInstruction& d, LaneMask executing) {
  switch (d.action) {
    case Action::load:
      return load(warp, d, executing);
    case Action::store:
      return store(warp, d, executing);
    case Action::atomic:
      return atomic(warp, d, executing);
    case Action::texture:
      return look_up(warp, d, executing);
    default:
      return;
  }
}

void write(WarpState& warp, const Destination& to, const LaneVec& low, const LaneVec* high, LaneMask lanes) {
  if (to.kind != Destination::Kind::reg) return;
  merge_words(warp.values[to.index], low, lanes);
  if (to.wide) merge_words(warp.values[to.index + 1], *high, lanes);
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
  end_calls(warp);
  if (!warp.stack.empty()) return;
  CtaState& cta = *warp.cta;
  --cta.live_warps;
  BarrierSet::Completion done;
  while (cta.barriers.exited(warp.index, done)) complete_barrier(cta, done);
  check_barriers(cta);
}

void Machine::finish_counts() {
  result_.warp_instructions = steps_;
  std::uint64_t passes = 0, threads = 0;
  for (std::size_t i = 0; i < decoded_.code.size(); ++i) {
    passes += passes_[i];
    threads += pass_threads_[i];
    if (decoded_.code[i].action == Action::metadata) continue;
    result_.issues[i] += passes;
    result_.threads[i] += threads;
    const isa::Instruction& instruction = program_.code[i];
    result_.thread_instructions += result_.threads[i];
    result_.by_class[static_cast<std::size_t>(instruction.op_class)] += result_.issues[i];
    result_.by_unit[static_cast<std::size_t>(instruction.unit)] += result_.issues[i];
    if (instruction.overhead) result_.overhead_instructions += result_.issues[i];
  }
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

ReferenceResult run_reference(const isa::KernelLaunch& launch, MemoryImage& memory,
                              const ReferenceOptions& options) {
  return Machine(launch, memory, options).run();
}

}  // namespace heddle::reference
