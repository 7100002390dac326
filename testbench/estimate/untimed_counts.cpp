#include "testbench/estimate/untimed_counts.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "models/isa/instruction_footprint.h"

namespace heddle::estimate {
namespace {

using Counters = std::vector<std::pair<std::string, std::uint64_t>>;

void add_by_unit(const reference::ReferenceResult& result, Counters& counters) {
  for (std::size_t u = 0; u < result.by_unit.size(); ++u)
    counters.emplace_back(std::string("issued_") + isa::name_of(static_cast<isa::UnitClass>(u)),
                          result.by_unit[u]);
  for (std::size_t c = 0; c < result.by_class.size(); ++c)
    counters.emplace_back(std::string("class_") + isa::name_of(static_cast<isa::OpClass>(c)),
                          result.by_class[c]);
}

}  // namespace

// Computes the issue stages' counters from an untimed execution. Two kinds of instructions are issued but not
// dispatched to a unit: control instructions, and instructions whose guard is false in all lanes. Barrier
// reductions are dispatched, because they have a result.
Counters issue_counts(const isa::Program& program, const reference::ReferenceResult& result) {
  if (!program.architected) return {};
  std::uint64_t sources = 0, results = 0, pairs = 0, off = 0, branches = 0;
  const std::vector<InstructionFootprint> footprints = footprints_of(program);
  for (std::size_t i = 0; i < program.code.size(); ++i) {
    const InstructionFootprint& f = footprints[i];
    const std::uint64_t sent = result.issues[i] - result.guarded_off[i];
    if (program.code[i].is_branch()) branches += result.issues[i];
    if (f.unit == isa::UnitClass::control) {
      if (f.barrier) results += sent * f.write_words;
      continue;
    }
    off += result.guarded_off[i];
    sources += sent * f.read_words;
    results += sent * f.write_words;
    pairs += sent * f.pair_words;
  }
  Counters counters = {{"issued", result.warp_instructions},
                       {"thread_instructions", result.thread_instructions},
                       {"overhead", result.overhead_instructions},
                       {"branches", branches},
                       {"divergent_branches", result.divergent_branches},
                       {"barriers", result.barriers},
                       {"guarded_off", off},
                       {"source_words", sources},
                       {"result_words", results},
                       {"pair_words", pairs}};
  add_by_unit(result, counters);
  return counters;
}

UntimedCounts execute_untimed(const isa::KernelLaunch& launch, MemoryImage& memory,
                              reference::ReferenceOptions options) {
  UntimedCounts counts;
  const auto ended_before = std::move(options.cta_ended);
  options.cta_ended = [&counts, &ended_before](std::uint64_t cta, const reference::CtaWork& work) {
    const auto put = [cta](std::vector<std::uint32_t>& by_cta, std::uint64_t count) {
      if (cta >= by_cta.size()) by_cta.resize(cta + 1);
      by_cta[cta] = static_cast<std::uint32_t>(
          std::min<std::uint64_t>(count, std::numeric_limits<std::uint32_t>::max()));
    };
    put(counts.by_cta, work.warp_instructions);
    put(counts.segments_by_cta, work.global_segments);
    if (ended_before) ended_before(cta, work);
  };
  counts.result = reference::run_reference(launch, memory, options);
  counts.counters = issue_counts(*launch.program, counts.result);
  return counts;
}

std::vector<std::size_t> sm_counters(const StatsRegistry& stats, std::string_view unit,
                                     std::string_view name) {
  std::vector<std::size_t> places;
  const auto& infos = stats.counters();
  for (std::size_t i = 0; i < infos.size(); ++i)
    if (infos[i].name == name && infos[i].owner.starts_with("sm") && infos[i].owner.ends_with(unit))
      places.push_back(i);
  return places;
}

std::vector<std::size_t> issue_counters(const StatsRegistry& stats, std::string_view name) {
  return sm_counters(stats, ".issue", name);
}

void put_exact(const UntimedCounts& counts, const StatsRegistry& stats,
               std::vector<std::uint64_t>& counters) {
  for (const auto& [name, exact] : counts.counters) {
    const std::vector<std::size_t> places = issue_counters(stats, name);
    std::uint64_t sum = 0;
    for (const std::size_t i : places) sum += counters[i];
    std::uint64_t left = exact;
    for (std::size_t p = 0; p < places.size(); ++p) {
      const bool last = p + 1 == places.size();
      const double share = sum ? static_cast<double>(counters[places[p]]) / static_cast<double>(sum)
                               : 1.0 / static_cast<double>(places.size());
      const auto own =
          last ? left : std::min(left, static_cast<std::uint64_t>(share * static_cast<double>(exact)));
      counters[places[p]] = own;
      left -= own;
    }
  }
}

void put_lanes(const UntimedCounts& counts, const TimedPart& part, const StatsRegistry& stats,
               std::vector<std::uint64_t>& counters) {
  const std::vector<std::size_t> lanes = issue_counters(stats, "thread_instructions");
  const auto lanes_in = [&lanes](const std::vector<std::uint64_t>& counted) {
    std::uint64_t sum = 0;
    for (const std::size_t i : lanes) sum += counted[i];
    return sum;
  };
  std::uint64_t in_places = 0;
  for (const TimedWindow& window : part.windows) in_places += lanes_in(window.counters);
  const std::uint64_t all = counts.result.thread_instructions, timed = lanes_in(part.counters);
  if (in_places == 0 || timed > all) return;
  const double times = static_cast<double>(all - timed) / static_cast<double>(in_places);
  const auto& infos = stats.counters();
  for (std::size_t i = 0; i < infos.size(); ++i) {
    if (infos[i].unit != "lanes" || infos[i].owner.find(".units.") == std::string::npos) continue;
    std::uint64_t sum = 0;
    for (const TimedWindow& window : part.windows) sum += window.counters[i];
    counters[i] =
        part.counters[i] + static_cast<std::uint64_t>(std::llround(times * static_cast<double>(sum)));
  }
}

}  // namespace heddle::estimate
