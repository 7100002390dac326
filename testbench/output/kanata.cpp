#include "testbench/output/kanata.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace heddle::output {
namespace {

// The lines of a Kanata file. They are sorted by cycle, then by instruction number, then in the order in
// which they were added.
class Lines {
 public:
  explicit Lines(const PipelineLog& log) : log_(&log), ids_(log.instructions.size()) {
    number();
    for (std::size_t i = 0; i < log.instructions.size(); ++i) add(i);
    std::stable_sort(lines_.begin(), lines_.end(), [this](const Line& a, const Line& b) {
      return a.cycle != b.cycle ? a.cycle < b.cycle : ids_[a.instruction] < ids_[b.instruction];
    });
  }

  void write(const std::function<void(std::string_view)>& to) const {
    Cycle now = lines_.empty() ? 0 : lines_.front().cycle;
    to(fmt::format("Kanata\t0004\nC=\t{}\n", now));
    std::size_t retired = 0;
    for (const Line& line : lines_) {
      if (line.cycle != now) to(fmt::format("C\t{}\n", line.cycle - now));
      now = line.cycle;
      if (line.retires)
        to(fmt::format("R\t{}\t{}\t0\n", ids_[line.instruction], retired++));
      else
        to(line.text);
    }
  }

 private:
  struct Line {
    Cycle cycle;
    std::size_t instruction;
    std::string text;
    bool retires = false;
  };

  static Cycle begin_of(const PipelineInstruction& one) {
    Cycle begin = std::min(one.fetched, one.issued);
    if (!one.waits.empty()) begin = std::min(begin, one.waits.front().begin);
    return begin;
  }

  void number() {
    std::vector<std::size_t> order(ids_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    const std::vector<PipelineInstruction>& all = log_->instructions;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return begin_of(all[a]) < begin_of(all[b]); });
    for (std::size_t id = 0; id < order.size(); ++id) {
      ids_[order[id]] = id;
      const PipelineInstruction& one = all[order[id]];
      by_uid_[{one.sm, one.uid}] = id;
      for (const Cycle cycle : {one.issued + 1, one.held, one.dispatched, one.left, one.completed})
        if (cycle != kNever) end_ = std::max(end_, cycle);
    }
  }

  void add(std::size_t i) {
    const PipelineInstruction& one = log_->instructions[i];
    const std::size_t id = ids_[i];
    const auto put = [&](Cycle cycle, std::string text) { lines_.push_back({cycle, i, std::move(text)}); };
    std::string label = fmt::format("L\t{}\t0\tsm{} w{:02} {:4}: {}", id, one.sm, one.warp, one.pc,
                                    log_->texts[one.text].text);
    if (log_->stops_at != kNever && i + 1 == log_->instructions.size())
      label += fmt::format("  (the log stops here; output.pipeline.max_instructions: {})", i + 1);
    put(begin_of(one),
        fmt::format("I\t{}\t{}\t{}\n{}\nL\t{}\t1\t{}\n", id, one.uid, one.sm, label, id, detail(one)));
    for (const PipelineWait& wait : one.waits) {
      put(wait.begin, fmt::format("S\t{}\t1\t{}\n", id, name_of(wait.reason)));
      put(wait.end, fmt::format("E\t{}\t1\t{}\n", id, name_of(wait.reason)));
    }
    for (const std::uint64_t uid : one.producers)
      if (const auto from = by_uid_.find({one.sm, uid}); from != by_uid_.end())
        put(one.issued, fmt::format("W\t{}\t{}\t0\n", id, from->second));
    add_stages(one, id, put);
    if (one.completed == kNever)
      put(end_, fmt::format("R\t{}\t0\t1\n", id));
    else
      lines_.push_back({one.completed, i, {}, true});
  }

  template <class Put>
  void add_stages(const PipelineInstruction& one, std::size_t id, const Put& put) const {
    const bool memory = one.unit == isa::UnitClass::ldst;
    const std::pair<Cycle, const char*> stages[] = {{one.fetched, "F"}, {one.ready, "Ib"},
                                                    {one.issued, "Is"}, {one.prepared, "Co"},
                                                    {one.held, "Op"},   {one.dispatched, memory ? "Xm" : "X"},
                                                    {one.left, "Wb"}};
    constexpr std::size_t kStages = std::size(stages);
    for (std::size_t s = 0; s < kStages; ++s) {
      if (stages[s].first == kNever) continue;
      Cycle next = std::min(one.completed, end_ + 1);
      for (std::size_t later = s + 1; later < kStages; ++later) next = std::min(next, stages[later].first);
      if (next > stages[s].first) put(stages[s].first, fmt::format("S\t{}\t0\t{}\n", id, stages[s].second));
    }
  }

  // Returns the text that the viewer shows when the mouse is over the instruction. "\n" in the text ends a
  // line.
  std::string detail(const PipelineInstruction& one) const {
    std::string text = fmt::format("launch {}, CTA {}, SM {}, warp {}, lanes {:08x}\\n", one.launch, one.cta,
                                   one.sm, one.warp, one.mask);
    for (const PipelineOperand& operand : one.sources)
      text += fmt::format("reads {} from {}{}{}\\n", operand.name, log_->stages[operand.stage],
                          operand.values.empty() ? "" : ": ", operand.values);
    for (const PipelineOperand& operand : one.results)
      text += fmt::format("writes {}: {}\\n", operand.name, operand.values);
    return text;
  }

  const PipelineLog* log_;
  std::vector<std::size_t> ids_;
  std::map<std::pair<std::uint16_t, std::uint64_t>, std::size_t> by_uid_;
  Cycle end_ = 0;  ///< last cycle of any stage
  std::vector<Line> lines_;
};

}  // namespace

void write_kanata(const PipelineLog& log, const std::function<void(std::string_view)>& write) {
  Lines(log).write(write);
}

}  // namespace heddle::output
