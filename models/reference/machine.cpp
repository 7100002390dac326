#include "models/reference/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "models/core/error.h"
#include "models/isa/kept_calls.h"

namespace heddle::reference {
namespace {

constexpr std::uint32_t kMaxThreads = 1024;
// Limit on CTAs of a cooperative launch: 256 SMs with 32 CTAs each.
constexpr std::uint64_t kMaxCooperative = 8192;
// Limit on resident CTAs. If all resident warps wait, the run makes more CTAs resident, up to this limit.
constexpr std::size_t kMostResident = 1024;

void check_launch(const isa::KernelLaunch& launch, const ReferenceOptions& options) {
  const isa::Program& program = *launch.program;
  const std::string where = "kernel " + program.kernel;
  const std::uint64_t threads = launch.block.count();
  if (threads == 0 || threads > kMaxThreads)
    throw Error(where, fmt::format("a block of {} threads", threads), "1..1024");
  if (launch.grid.count() == 0) throw Error(where, "an empty grid", "at least one CTA");
  if (launch.grid.count() > isa::kMostCtas)
    throw Error(where,
                fmt::format("a grid of {} x {} x {}, {} CTAs", launch.grid.x, launch.grid.y, launch.grid.z,
                            launch.grid.count()),
                fmt::format("up to {} CTAs", isa::kMostCtas));
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
      options_(options),
      decoded_((check_launch(launch, options), launch), options.thread_progress, options.matrix.generation),
      passes_(program_.code.size() + 1),
      pass_threads_(program_.code.size() + 1),
      progress_(options),
      faults_(launch),
      sight_(launch, decoded_, options),
      lanes_(decoded_, options.matrix),
      memory_(launch, decoded_, memory, options, progress_, result_, sight_),
      textures_(launch, decoded_, memory, options, progress_, sight_),
      barriers_(launch, decoded_, options, progress_),
      ctas_(launch, decoded_),
      can_stand_still_(!program_.reads_time() && options.cta_count >= launch.grid.count()) {
  sees_steps_ = options.observer && options.observes_steps;
  result_.issues.resize(program_.code.size());
  result_.threads.resize(program_.code.size());
  result_.guarded_off.resize(program_.code.size());
}

ReferenceResult Machine::run() {
  const std::uint64_t grid = launch_.grid.count();
  std::uint64_t next = std::min(options_.first_cta, grid);
  const std::uint64_t end = next + std::min(options_.cta_count, grid - next);
  const std::uint64_t places =
      launch_.cooperative ? grid : static_cast<std::uint64_t>(options_.resident_ctas);
  while (next < end && ctas_.size() < places) ctas_.add(next++);
  // Runs all warps that can run, one after the other. When a CTA ends, the next CTA of the grid becomes
  // resident.
  for (bool busy = ctas_.size() != 0; busy;) {
    busy = false;
    all_repeat_ = standstill_.watches();
    if (options_.stop && options_.stop())
      throw StoppedError(program_.file, fmt::format("kernel {} was stopped", program_.kernel));
    for (const auto& cta : ctas_.all()) {
      if (!cta->occupied) continue;
      for (WarpState& warp : cta->warps) {
        if (!warp.runs()) continue;
        if (standstill_.watches()) look_for_standstill(warp);
        const std::uint64_t before = progress_.steps(), segments_before = result_.global_segments;
        run_warp(warp);
        cta->steps += progress_.steps() - before;
        cta->global_segments += result_.global_segments - segments_before;
      }
      if (cta->live_warps == 0) {
        cta->occupied = false;
        if (options_.cta_ended) options_.cta_ended(cta->linear, {cta->steps, cta->global_segments});
        if (next < end) ctas_.place(*cta, next++);
      }
      busy = busy || cta->occupied;
    }
    // Warps that make no progress may wait for CTAs that are not resident. In this case, the number of
    // resident CTAs is doubled.
    const bool waits = progress_.take_wait(), grows = waits && ctas_.size() < kMostResident;
    if (grows && next < end) standstill_.forget();
    for (std::size_t more = grows ? ctas_.size() : 0; more > 0 && next < end; --more) {
      ctas_.add(next++);
      busy = true;
    }
    if (all_repeat_ && busy && progress_.times_made() == made_before_)
      faults_.fail_standstill(decoded_, ctas_.all(), [this](WarpState& warp) { return loop_of(warp); });
    if (waits && can_stand_still_ && next == end && !standstill_.watches()) {
      standstill_.watch();
      made_before_ = progress_.times_made();
    }
  }
  finish_counts();
  return std::move(result_);
}

void Machine::look_for_standstill(const WarpState& warp) {
  if (progress_.times_made() != made_before_) standstill_.forget();
  all_repeat_ = standstill_.watches() && standstill_.repeats(warp) && all_repeat_;
}

WarpLoop Machine::loop_of(WarpState& warp) {
  constexpr int kMostSteps = 100'000;
  WarpLoop loop;
  const Standstill::State begin = Standstill::state_of(warp);
  memory_.enter(warp);
  for (int step = 0; step < kMostSteps && (step == 0 || Standstill::state_of(warp) != begin); ++step) {
    if (warp.stack.apart()) warp.stack.meet(decoded_.meets, warp.base());
    const DecodedInstruction& d = decoded_.code[static_cast<std::size_t>(warp.stack.pc())];
    const LaneMask executing = executing_lanes(warp, d);
    loop.add(d, warp.stack.active());
    if (reads_memory(d) && executing != 0 && d.instruction->memory.space != isa::Space::local) {
      LaneVec counter[2];
      loop.read = &d;
      loop.address = words_of(decoded_, warp, d, 0, executing, progress_.steps(), counter)
                         .of_lane(std::countr_zero(executing)) +
                     static_cast<std::uint64_t>(d.instruction->memory.offset);
    }
    run_next(warp, warp.stack.pc());
  }
  return loop;
}

void Machine::run_warp(WarpState& warp) {
  memory_.enter(warp);
  for (int turn = options_.quantum; turn > 0;) {
    const bool apart = warp.stack.apart();
    if (apart) warp.stack.meet(decoded_.meets, warp.base());
    const std::int32_t pc = warp.stack.pc(), join = warp.stack.reconvergence();
    std::int32_t end = sees_steps_ ? pc : std::min(decoded_.code[pc].straight_end, pc + turn);
    if (join > pc) end = std::min(end, join);
    if (apart) end = std::min(end, next_meeting(pc));
    const std::uint64_t left = progress_.left();
    if (left < static_cast<std::uint64_t>(turn)) end = std::min(end, pc + static_cast<std::int32_t>(left));
    if (end > pc) {
      run_straight(warp, pc, end);
      turn -= end - pc;
      continue;
    }
    --turn;
    if (!run_next(warp, pc)) return;
  }
}

std::int32_t Machine::next_meeting(std::int32_t pc) const {
  const auto next = std::find(decoded_.meets.begin() + pc + 1, decoded_.meets.end(), true);
  return static_cast<std::int32_t>(next - decoded_.meets.begin());
}

void Machine::spin(WarpState& warp, LaneMask taken) const {
  const bool others = warp.stack.other_lanes(warp.base()) != 0;
  warp.spins = taken == warp.spinning ? warp.spins + 1 : 1;
  warp.spinning = taken;
  ++warp.all_spins;
  if (!others) warp.spins = warp.all_spins = 0;
  if ((warp.spins < isa::kSpins || warp.stack.active() != taken) && warp.all_spins < isa::kMostSpins) return;
  warp.spins = warp.all_spins = 0;
  warp.stack.give_way(decoded_.meets, warp.base());
}

void Machine::run_straight(WarpState& warp, std::int32_t pc, std::int32_t end) {
  const LaneMask active = warp.stack.active();
  const auto threads = static_cast<std::uint64_t>(count_lanes(active));
  ++passes_[pc];
  --passes_[end];
  pass_threads_[pc] += threads;
  pass_threads_[end] -= threads;
  lanes_.enter(warp.values.data(), warp.predicates, warp.clock);
  const DecodedInstruction* d = decoded_.code.data() + pc;
  for (auto at = static_cast<std::size_t>(pc); at != static_cast<std::size_t>(end); ++at, ++d) {
    if (d->action == Action::metadata) {
      if (options_.observer) sight_.noted(warp, *d);
      continue;
    }
    progress_.step();
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
      lanes_.execute(*d, at, executing, progress_.steps());
    else
      access(warp, *d, executing);
  }
  warp.stack.go_to(end);
}

bool Machine::run_next(WarpState& warp, std::int32_t pc) {
  const DecodedInstruction& d = decoded_.code[pc];
  if (d.action == Action::metadata) {
    if (options_.observer) sight_.noted(warp, d);
    warp.stack.go_to(pc + 1);
    return true;
  }
  if (progress_.left() == 0 && !progress_.look()) faults_.fail_endless(decoded_, progress_, ctas_.all());
  progress_.step();
  const LaneMask active = warp.stack.active();
  const LaneMask executing = executing_lanes(warp, d);
  ++result_.issues[pc];
  result_.threads[pc] += static_cast<std::uint64_t>(count_lanes(executing));
  if (!options_.observer) {
    if (d.action != Action::branch) return step(warp, d, active, executing);
    branch(warp, d, active, executing, pc);
    return true;
  }
  const ExecutedInstruction seen = sight_.view(warp, d, active, executing);
  options_.observer->before(seen);
  const bool goes_on = step(warp, d, active, executing);
  options_.observer->after(seen);
  return goes_on;
}

/// Executes one instruction without counting it. Returns false if the instruction ends the warp's turn.
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
    case Action::matrix:
      faults_.require_all_lanes(warp, d, executing);
      [[fallthrough]];
    case Action::lanes:
      lanes_.enter(warp.values.data(), warp.predicates, warp.clock);
      lanes_.execute(d, static_cast<std::size_t>(pc), executing, progress_.steps());
      break;
    case Action::exit:
      exit_lanes(warp, executing, pc + 1);
      return warp.runs();
    case Action::barrier:
      warp.stack.go_to(pc + 1);
      ++result_.barriers;
      barriers_.arrive(warp, d, executing);
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
      faults_.fail(warp, d, d.instruction->payload ? FaultError::Kind::assertion : FaultError::Kind::trap,
                   std::countr_zero(executing), program_.trap_text(*d.instruction));
    default:
      access(warp, d, executing);
  }
  warp.stack.go_to(pc + 1);
  return true;
}

void Machine::access_otherwise(WarpState& warp, const DecodedInstruction& d, LaneMask executing) {
  if (d.action == Action::texture) return textures_.execute(warp, d, executing);
  if (d.action == Action::matrix_rows) return memory_.move_matrices(warp, d, executing);
  if (d.action == Action::copy) return memory_.copy(warp, d, executing);
  if (options_.observer) sight_.passed(warp, d, executing);
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
  if (!decoded_.waits.empty() && executing != 0 && decoded_.waits[static_cast<std::size_t>(pc)])
    spin(warp, executing);
}

void Machine::call(WarpState& warp, const DecodedInstruction& d, LaneMask executing, std::int32_t pc) {
  const DecodedCall& call = decoded_.calls[static_cast<std::size_t>(d.target)];
  LaneVec counter[2];
  const SourceWords callee = words_of(decoded_, warp, d, isa::kCallee, executing, progress_.steps(), counter);
  std::vector<LaneMask> lanes(call.candidates.size(), 0);
  LaneMask left = executing;
  for (std::size_t c = 0; c < lanes.size(); ++c) {
    const std::uint64_t address = call.candidates[c].address;
    for (int lane = 0; lane < kLanes; ++lane) {
      if ((left >> lane & 1u) != 0 && callee.of_lane(lane) == address) lanes[c] |= 1u << lane;
    }
    left &= ~lanes[c];
  }
  if (left != 0)
    faults_.fail(warp, d, FaultError::Kind::assertion, std::countr_zero(left),
                 isa::assertion_text(program_.runtime_calls[d.instruction->payload - 1]));
  warp.stack.begin_calls(pc + 1);
  for (std::size_t c = lanes.size(); c-- > 0;) {
    if (lanes[c] == 0) continue;
    const Candidate& candidate = call.candidates[c];
    if (const int lane = enter_call(warp, call, candidate, lanes[c]); lane >= 0)
      faults_.fail(warp, d, FaultError::Kind::assertion, lane,
                   isa::assertion_text(program_.runtime_calls[candidate.full_stack - 1]));
  }
}

void Machine::exit_lanes(WarpState& warp, LaneMask executing, std::int32_t pc) {
  progress_.note();
  warp.stack.exit(executing, pc);
  end_calls(warp);
  if (warp.stack.empty()) barriers_.exited(warp);
}

void Machine::finish_counts() {
  result_.ctas = ctas_.placed();
  result_.warps = ctas_.placed() * launch_.warps_per_cta();
  result_.warp_instructions = progress_.steps();
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

ReferenceResult run_reference(const isa::KernelLaunch& launch, MemoryImage& memory,
                              const ReferenceOptions& options) {
  return Machine(launch, memory, options).run();
}

}  // namespace heddle::reference
