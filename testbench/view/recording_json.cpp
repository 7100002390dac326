#include "testbench/view/recording_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

#include "models/memory/warp_addresses.h"

namespace heddle::view {
namespace {

using output::PipelineInstruction;
using output::PipelineOperand;

// Returns a JSON string. Escapes characters that could end a script element, and characters that are no
// printable ASCII.
std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      (out += '\\') += c;
    else if (byte < 0x20 || c == '<' || c == '>' || c == '&' || byte == 0x7f)
      out += fmt::format("\\u{:04x}", byte);
    else
      out += c;
  }
  return out + '"';
}

class Json {
 public:
  explicit Json(const Recording& recording) : r_(recording) {
    std::vector<std::size_t> used;
    for (const PipelineInstruction& one : r_.log.instructions) used.push_back(one.text);
    std::sort(used.begin(), used.end());
    used.erase(std::unique(used.begin(), used.end()), used.end());
    for (const std::size_t text : used) texts_.emplace(text, texts_.size());
  }

  std::string head() const {
    std::string out = fmt::format("{{\"sm\":{},\"from\":{},\"to\":{},\"cut\":{},\"gpu\":{},\"warps\":{}",
                                  r_.sm, r_.from, r_.to, r_.cut, quoted(r_.gpu), r_.warps);
    out += ",\"techniques\":" + list(r_.techniques) + ",\"kernels\":" + list(r_.kernels);
    out += fmt::format(",\"segment_bytes\":{},\"shared_banks\":{},\"shared_bank_bytes\":{}", kSegmentBytes,
                       r_.shared_banks, r_.shared_bank_bytes);
    out += ",\"stages\":" + list(r_.log.stages);
    // "memory_steps": names of the steps of memory instructions. "steps": the same of all other instructions.
    out += R"(,"steps":["fetched","ready","issued","prepared","reads_held","dispatched","left","completed"])";
    out +=
        R"(,"memory_steps":["fetched","ready","issued","prepared","reads_held","accessed","left","completed"])";
    out += R"(,"forms":["amount","cells","states","warps","instructions","registers"])";
    out += R"(,"tones":["off","idle","active","waiting","changing"])";
    out += R"(,"commands":["read","write","release","prepare","evict"],"waits":[)";
    for (int w = 0; w < static_cast<int>(output::WaitReason::count_); ++w)
      out += (w ? "," : "") + quoted(name_of(static_cast<output::WaitReason>(w)));
    out += "],\n\"parts\":[";
    for (const RecordedPart& part : r_.parts)
      out += (&part == r_.parts.data() ? "" : ",\n") + this->part(part);
    return out + "],\n\"texts\":[" + texts() + "]";
  }

  static std::string cycle(const RecordedCycle& cycle) {
    std::string out = fmt::format("[{}", cycle.cycle);
    const auto numbers = [&out](const auto& all, auto&& put) {
      out += ",[";
      for (auto one = all.begin(); one != all.end(); ++one) {
        if (one != all.begin()) out += ',';
        put(*one);
      }
      out += ']';
    };
    const auto to = std::back_inserter(out);
    numbers(cycle.gauges,
            [&](const GaugeChange& c) { fmt::format_to(to, "{},{},{}", c.gauge, c.cell, c.value); });
    numbers(cycle.counters, [&](const CounterStep& c) { fmt::format_to(to, "{},{}", c.counter, c.step); });
    numbers(cycle.passes, [&](const PassedAccess& p) {
      fmt::format_to(to, "{},{},{},{},{},{},{}", p.part, static_cast<int>(p.command), p.warp, p.reg, p.row,
                     p.place.set ? static_cast<int>(p.place.bank.value) : -1, p.place.entry);
    });
    return out + "]";
  }

  std::string instruction(const PipelineInstruction& one) const {
    const auto number = [](Cycle cycle) { return cycle == kNever ? -1 : static_cast<std::int64_t>(cycle); };
    std::string out = fmt::format(
        "{{\"u\":{},\"w\":{},\"l\":{},\"c\":{},\"p\":{},\"t\":{},\"m\":{},\"k\":{},\"s\":[{},{},{},{},{},{},{"
        "},{}]",
        one.uid, one.warp, one.launch, one.cta, one.pc, texts_.at(one.text), one.mask,
        one.unit == isa::UnitClass::ldst ? 1 : 0, number(one.fetched), number(one.ready), number(one.issued),
        number(one.prepared), number(one.held), number(one.dispatched), number(one.left),
        number(one.completed));
    if (!one.waits.empty()) {
      out += ",\"x\":[";
      for (const output::PipelineWait& wait : one.waits)
        out += fmt::format("{}{},{},{}", &wait == one.waits.data() ? "" : ",", static_cast<int>(wait.reason),
                           wait.begin, wait.end);
      out += ']';
    }
    if (!one.producers.empty()) out += fmt::format(",\"d\":[{}]", fmt::join(one.producers, ","));
    if (!one.sources.empty()) out += ",\"r\":" + operands(one.sources);
    if (!one.results.empty()) out += ",\"o\":" + operands(one.results);
    if (!one.addresses.lanes.empty()) out += ",\"a\":" + addresses(one.addresses);
    return out + "}";
  }

 private:
  static std::string list(const std::vector<std::string>& all) {
    std::string out = "[";
    for (const std::string& one : all) out += (&one == all.data() ? "" : ",") + quoted(one);
    return out + "]";
  }

  std::string texts() const {
    std::vector<std::string> ordered(texts_.size());
    for (const auto& [from, to] : texts_)
      ordered[to] = fmt::format("[{},{}]", quoted(r_.log.texts[from].text), quoted(r_.log.texts[from].line));
    return fmt::format("{}", fmt::join(ordered, ",\n"));
  }

  // Returns a part of the page as a JSON object: path, meaning, steps, warps (as two 32-bit numbers), gauges,
  // counters.
  static std::string part(const RecordedPart& part) {
    const PartPicture& picture = part.picture;
    std::string out = fmt::format("{{\"path\":{},\"doc\":{},\"steps\":{},\"warps\":[{},{}],\"gauges\":[",
                                  quoted(part.path), quoted(picture.doc), list(picture.steps),
                                  picture.warps & 0xffffffffu, picture.warps >> 32);
    for (const Gauge& gauge : picture.gauges) {
      if (&gauge != picture.gauges.data()) out += ',';
      out += fmt::format("{{\"name\":{},\"doc\":{},\"form\":{},\"most\":{},\"row\":{},\"states\":[",
                         quoted(gauge.name), quoted(gauge.doc), static_cast<int>(gauge.form), gauge.most,
                         gauge.row);
      for (const Gauge::State& state : gauge.states)
        out += fmt::format("{}[{},{}]", &state == gauge.states.data() ? "" : ",", quoted(state.name),
                           static_cast<int>(state.tone));
      out += "]}";
    }
    out += "],\"counters\":[";
    for (const RecordedCounter& counter : part.counters)
      out += fmt::format("{}[{},{},{}]", &counter == part.counters.data() ? "" : ",", quoted(counter.name),
                         quoted(counter.unit), quoted(counter.doc));
    return out + "]}";
  }

  static std::string operands(const std::vector<PipelineOperand>& all) {
    std::string out = "[";
    for (const PipelineOperand& one : all)
      out += fmt::format("{}[{},{},{}]", &one == all.data() ? "" : ",", quoted(one.name), one.stage,
                         quoted(one.values));
    return out + "]";
  }

  // Returns the addresses of a memory instruction as a JSON list: state space, bytes that each lane accesses,
  // address of the first lane, and for each lane the distance of its address from the first address.
  static std::string addresses(const output::PipelineAddresses& of) {
    std::string out =
        fmt::format("[{},{},\"{:x}\",[", quoted(isa::name_of(of.space)), of.bytes, of.lanes.front());
    for (const std::uint64_t& lane : of.lanes)
      out += fmt::format("{}{}", &lane == of.lanes.data() ? "" : ",",
                         static_cast<std::int64_t>(lane - of.lanes.front()));
    return out + "]]";
  }

  const Recording& r_;
  std::map<std::size_t, std::size_t> texts_;  ///< index of a text in the page, by its index in the log
};

}  // namespace

std::string json_of(const Recording& recording) {
  const Json json(recording);
  std::string out = json.head() + ",\n\"cycles\":[";
  for (const RecordedCycle& cycle : recording.cycles)
    out += (&cycle == recording.cycles.data() ? "" : ",\n") + Json::cycle(cycle);
  out += "],\n\"instructions\":[";
  for (const PipelineInstruction& one : recording.log.instructions)
    out += (&one == recording.log.instructions.data() ? "" : ",\n") + json.instruction(one);
  return out + "]}\n";
}

Cycle last_cycle_within(const Recording& recording, std::uint64_t most) {
  const Json json(recording);
  std::map<Cycle, std::uint64_t> bytes;
  for (const RecordedCycle& cycle : recording.cycles) bytes[cycle.cycle] += Json::cycle(cycle).size() + 2;
  for (const PipelineInstruction& one : recording.log.instructions)
    bytes[one.issued] += json.instruction(one).size() + 2;
  std::uint64_t sum = json.head().size();
  Cycle last = recording.from;
  for (const auto& [cycle, size] : bytes) {
    sum += size;
    if (sum > most) return last;
    last = std::max(last, cycle);
  }
  return recording.to;
}

}  // namespace heddle::view
