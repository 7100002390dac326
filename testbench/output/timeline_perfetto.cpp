// Writes a timeline in Perfetto's format. A warp's slices are the waits of its instructions, and the cycles
// in which the instructions issue. Flows lead from a load to the instructions that use the loaded values.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "testbench/output/pipeline_record.h"
#include "testbench/output/timeline.h"
#include "testbench/output/trace_writer.h"

namespace heddle::output {
namespace {

/// A slice of a track. The time that a warp spends in its slot is one slice. This slice contains the slices
/// of the warp's instructions.
struct Span {
  Cycle begin = 0, end = 0;
  TraceEvent event;
  bool holds_others = false;
};

// Writes the slices of a track in the order of time. Slices must nest: a slice that begins within another
// slice must not end after that slice.
void write_spans(TraceWriter& trace, TraceWriter::Track track, std::vector<Span> spans) {
  std::stable_sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.holds_others > b.holds_others;
  });
  // Make a warp's slice long enough to contain its exit instruction, which may issue in the cycle in which
  // the warp ends.
  Span* life = nullptr;
  for (Span& span : spans) {
    if (span.holds_others)
      life = &span;
    else if (life)
      life->end = std::max(life->end, span.end);
  }
  std::vector<Cycle> open;
  const auto close = [&](Cycle until) {
    for (; !open.empty() && open.back() <= until; open.pop_back()) trace.end(track, open.back());
  };
  for (const Span& span : spans) {
    close(span.begin);
    trace.begin(track, span.begin, span.event);
    open.push_back(open.empty() ? span.end : std::min(span.end, open.back()));
  }
  close(kNever);
}

using Slot = std::pair<std::uint16_t, std::uint16_t>;

class InstructionSpans {
 public:
  InstructionSpans(const PipelineLog& log, std::size_t most) : log_(&log), stops_at_(log.stops_at) {
    add_flows();
    std::size_t count = 0;
    for (std::size_t i = 0; i < log.instructions.size(); ++i) {
      const PipelineInstruction& one = log.instructions[i];
      count += one.waits.size() + 1;
      if (count > most) {
        stops_at_ = one.issued;
        break;
      }
      add(i, one);
    }
  }
  std::map<Slot, std::vector<Span>>& by_slot() { return spans_; }
  /// Returns the first cycle whose slices are missing because the log was full; kNever if no slice is
  /// missing.
  Cycle stops_at() const { return stops_at_; }

 private:
  struct Flows {
    std::vector<std::uint64_t> from, to;
  };

  void add_flows() {
    std::map<std::pair<std::uint16_t, std::uint64_t>, std::size_t> loads;
    std::uint64_t flows = 0;
    for (std::size_t i = 0; i < log_->instructions.size(); ++i) {
      const PipelineInstruction& one = log_->instructions[i];
      for (const std::uint64_t uid : one.producers)
        if (const auto load = loads.find({one.sm, uid}); load != loads.end()) {
          flows_[load->second].from.push_back(++flows);
          flows_[i].to.push_back(flows);
        }
      if (one.unit == isa::UnitClass::ldst) loads[{one.sm, one.uid}] = i;
    }
  }

  void add(std::size_t i, const PipelineInstruction& one) {
    const PipelineText& text = log_->texts[one.text];
    const std::vector<TraceArgument> arguments = {
        {"instruction", 0, text.text},
        {"line", 0, text.line},
        {"index", one.pc},
        {"lanes", static_cast<std::uint64_t>(count_lanes(one.mask))},
        {"mask", 0, fmt::format("{:08x}", one.mask)}};
    std::vector<Span>& spans = spans_[{one.sm, one.warp}];
    for (const PipelineWait& wait : one.waits)
      spans.push_back({wait.begin, wait.end, {"wait", name_of(wait.reason), arguments}});
    TraceEvent issue{"issue", text.text, arguments};
    if (const auto flows = flows_.find(i); flows != flows_.end()) {
      issue.flows_from = flows->second.from;
      issue.flows_to = flows->second.to;
    }
    spans.push_back({one.issued, one.issued + 1, std::move(issue)});
  }

  const PipelineLog* log_;
  Cycle stops_at_;
  std::map<std::size_t, Flows> flows_;
  std::map<Slot, std::vector<Span>> spans_;
};

}  // namespace

std::string TimelineRecorder::make_perfetto(const PipelineLog& log) const {
  InstructionSpans instructions(log, parameters_.max_slices);
  TraceWriter trace;
  const TraceWriter::Track gpu = trace.add_process(1, "GPU");
  // spans of the CTA slots and warp slots, by number of the SM, then by number of the slot
  std::map<std::uint16_t, std::map<std::uint16_t, std::vector<Span>>> ctas, warps;
  std::vector<Span> launches;
  Cycle last = 0;
  for (const Slice& slice : slices_) {
    last = std::max(last, slice.end);
    const TraceArgument launch{"launch", slice.kernel};
    const TraceArgument kernel{"kernel", 0, slice.kernel < kernels_.size() ? kernels_[slice.kernel] : ""};
    const Span span{slice.begin, slice.end, {}, true};
    const auto add = [&](std::vector<Span>& to, const char* category, std::string name) {
      to.push_back(span);
      to.back().event = {category, std::move(name), {launch, kernel}};
    };
    if (slice.kind == Kind::launch) add(launches, "launch", kernel.text);
    if (slice.kind == Kind::cta) add(ctas[slice.sm][slice.track], "cta", fmt::format("CTA {}", slice.a));
    if (slice.kind == Kind::warp)
      add(warps[slice.sm][slice.track], "warp", fmt::format("CTA {} warp {}", slice.a, slice.b));
  }
  for (auto& [slot, spans] : instructions.by_slot()) {
    std::vector<Span>& to = warps[slot.first][slot.second];
    std::move(spans.begin(), spans.end(), std::back_inserter(to));
  }
  write_spans(trace, trace.add_track(gpu, "launches"), std::move(launches));
  if (const Cycle missing = std::min(full_ ? full_at_ : kNever, instructions.stops_at()); missing != kNever)
    trace.instant(trace.add_track(gpu, "limit of slices"), missing,
                  {"timeline", "slices are missing from here on", {{"cycle", missing}}});
  add_counters(trace, gpu);
  for (std::uint16_t sm = 0; sm < observers_.size(); ++sm) {
    const TraceWriter::Track process = trace.add_process(sm + 2, fmt::format("SM {}", sm));
    for (auto& [slot, spans] : warps[sm])
      write_spans(trace, trace.add_track(process, fmt::format("warp slot {:02}", slot)), std::move(spans));
    for (auto& [slot, spans] : ctas[sm])
      write_spans(trace, trace.add_track(process, fmt::format("CTA slot {}", slot)), std::move(spans));
    add_power_states(trace, process, sm, last);
  }
  return trace.bytes();
}

void TimelineRecorder::add_counters(TraceWriter& trace, std::uint64_t process) const {
  std::map<std::uint32_t, std::vector<const Value*>> counters;
  for (const Value& value : values_)
    if (value.process == 0) counters[value.name].push_back(&value);
  for (const auto& [name, values] : counters) {
    const TraceWriter::Track track = trace.add_counter(process, names_[name]);
    for (const Value* value : values) trace.value(track, value->cycle, value->value);
  }
}

// Adds a track for each power domain. Its slices are the states of the domain. The last state ends in cycle
// `last`.
void TimelineRecorder::add_power_states(TraceWriter& trace, std::uint64_t process, std::uint16_t sm,
                                        Cycle last) const {
  std::map<std::uint32_t, std::vector<const Value*>> domains;
  for (const Value& value : values_)
    if (value.process == sm + 1) domains[value.name].push_back(&value);
  for (const auto& [name, states] : domains) {
    std::vector<Span> spans;
    for (std::size_t s = 0; s < states.size(); ++s) {
      const Cycle end = s + 1 < states.size() ? states[s + 1]->cycle : std::max(last, states[s]->cycle + 1);
      const auto state = static_cast<PowerState>(states[s]->value);
      spans.push_back({states[s]->cycle, end, {"power", name_of(state)}});
    }
    write_spans(trace, trace.add_track(process, names_[name].substr(0, names_[name].find(" ("))),
                std::move(spans));
  }
}

}  // namespace heddle::output
