// Analysis `value-widths`: counts how many of its four bytes a register value needs when an instruction reads
// or writes the value (Radaideh 2021, II and IV-B5). Written values are counted by two rules. The first rule
// leaves out upper bytes that are 0x00 in every lane, or 0xff in every lane. The second leaves out upper
// bytes that sign extension restores. The analysis also counts written values that are equal in all lanes or
// grow by equal steps from lane to lane. It also counts writes that leave the old value in some lanes.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <vector>

#include "models/banks/width_code.h"
#include "models/banks/width_rules.h"
#include "models/ports/in_flight.h"
#include "models/ports/life_event.h"
#include "models/sm/sm.h"
#include "testbench/analysis/i_run_analysis.h"

namespace heddle::analysis {
namespace {

using Bytes = std::array<std::uint64_t, kWordBytes>;  ///< element n-1: number of words that need n bytes

struct Widths {
  std::uint64_t words = 0, bytes = 0;
  void add(int width) {
    ++words;
    bytes += static_cast<std::uint64_t>(width);
  }
};

struct WidthCounts {
  Bytes read{}, written{}, written_signed{};
  std::uint64_t ones = 0;  ///< number of written words whose omitted upper bytes are 0xff
  std::uint64_t uniform = 0, affine = 0, other = 0, partial = 0, complete = 0;
  std::vector<Widths> by_register;
  std::map<std::string, Widths> by_instruction;
};

enum class Shape { uniform, affine, other };

// Returns the shape of the values in the written lanes, for example `uniform`. A write to a single lane is
// uniform.
Shape shape_of(const LaneVec& values, LaneMask mask) {
  const int first = std::countr_zero(mask);
  const LaneMask rest = mask & (mask - 1);
  if (rest == 0) return Shape::uniform;
  const int second = std::countr_zero(rest);
  const std::uint32_t rise = values[second] - values[first];
  if (rise == 0) {
    for (int lane = second; lane < kLanes; ++lane)
      if ((mask >> lane & 1) && values[lane] != values[first]) return Shape::other;
    return Shape::uniform;
  }
  const auto apart = static_cast<std::uint32_t>(second - first);
  for (int lane = second; lane < kLanes; ++lane)
    if ((mask >> lane & 1) &&
        (values[lane] - values[first]) * apart != rise * static_cast<std::uint32_t>(lane - first))
      return Shape::other;
  return Shape::affine;
}

class WidthObserver : public tlm::tlm_analysis_if<LifeEvent> {
 public:
  WidthObserver(Sm& sm, WidthCounts& counts) : counts_(counts) {
    sm.events.bind(*this);
    sm.observe_events();
  }
  void write(const LifeEvent& event) override {
    if (event.what == Life::dispatched)
      sources(*event.item);
    else if (event.what == Life::completed)
      results(*event.item);
  }

 private:
  // Counts the widths of source registers over all live lanes, not only over the executing lanes: the row of
  // a register holds the values of all live lanes.
  void sources(const InFlight& item) {
    for (const OperandWord& word : item.footprint->reads_in_order())
      ++counts_.read[width_index(*item.value(word), item.live, WidthRule::uniform)];
  }

  void results(const InFlight& item) {
    if (item.mask == 0) return;
    Widths& of_instruction = instruction(item);
    for (const OperandWord& word : item.footprint->writes_in_order()) {
      const LaneVec& values = *item.value(word);
      const Width width = detect_width(values, item.mask, WidthRule::uniform);
      ++counts_.written[static_cast<std::size_t>(width.bytes - 1)];
      ++counts_.written_signed[width_index(values, item.mask, WidthRule::extended)];
      counts_.ones += width.ones;
      ++(complete(item.mask, item.live) ? counts_.complete : counts_.partial);
      const Shape shape = shape_of(values, item.mask);
      ++(shape == Shape::uniform ? counts_.uniform : shape == Shape::affine ? counts_.affine : counts_.other);
      if (counts_.by_register.size() <= word.reg) counts_.by_register.resize(std::size_t{word.reg} + 1);
      counts_.by_register[word.reg].add(width.bytes);
      of_instruction.add(width.bytes);
    }
  }

  static std::size_t width_index(const LaneVec& values, LaneMask mask, WidthRule rule) {
    return static_cast<std::size_t>(detect_width(values, mask, rule).bytes - 1);
  }

  Widths& instruction(const InFlight& item) {
    Widths*& known = instructions_[item.instruction];
    if (!known)
      known = &counts_.by_instruction[fmt::format("{:04}: {}", item.pc, to_string(*item.instruction))];
    return *known;
  }

  WidthCounts& counts_;
  std::map<const isa::Instruction*, Widths*> instructions_;
};

AnalysisTable bytes_table(const char* name, const char* title, const Bytes& counts) {
  AnalysisTable table{name, title, "words", {}, {}};
  std::uint64_t bytes = 0;
  for (std::size_t w = 0; w < counts.size(); ++w) {
    table.bins.emplace_back(std::to_string(w + 1), counts[w]);
    bytes += (w + 1) * counts[w];
  }
  const std::uint64_t words = table.total();
  table.figures.emplace_back("mean_bytes",
                             words ? static_cast<double>(bytes) / static_cast<double>(words) : 0);
  return table;
}

class ValueWidths : public RunAnalysis {
 public:
  ValueWidths(const NoParameters&, Context&) {}

  void attach(Sm& sm) override { observers_.push_back(std::make_unique<WidthObserver>(sm, counts_)); }

  std::vector<AnalysisTable> tables() const override {
    const WidthCounts& c = counts_;
    std::vector<AnalysisTable> tables = {
        bytes_table("read", "Bytes that a word read needs, all living lanes", c.read),
        bytes_table("written", "Bytes that a word written needs, zeros or ones above", c.written),
        bytes_table("written-signed", "The same, each lane's sign above", c.written_signed),
        {"fill",
         "What stands above the bytes needed",
         "words",
         {{"zeros", c.complete + c.partial - c.ones}, {"ones", c.ones}},
         {}},
        {"shapes",
         "Values written, over the lanes of the warp",
         "words",
         {{"uniform", c.uniform}, {"affine", c.affine}, {"other", c.other}},
         {}},
        {"writes",
         "Writes by whether lanes that live keep the old value",
         "words",
         {{"complete", c.complete}, {"partial", c.partial}},
         {}}};
    AnalysisTable words{"register-words", "Words written, by register", "words", {}, {}},
        bytes{"register-bytes", "Bytes that they need", "bytes", {}, {}};
    for (std::size_t r = 0; r < c.by_register.size(); ++r) {
      words.bins.emplace_back(fmt::format("r{}", r), c.by_register[r].words);
      bytes.bins.emplace_back(fmt::format("r{}", r), c.by_register[r].bytes);
    }
    tables.push_back(std::move(words));
    tables.push_back(std::move(bytes));
    AnalysisTable by_words{"instruction-words", "Words written, by instruction", "words", {}, {}},
        by_bytes{"instruction-bytes", "Bytes that they need", "bytes", {}, {}};
    for (const auto& [text, widths] : c.by_instruction) {
      by_words.bins.emplace_back(text, widths.words);
      by_bytes.bins.emplace_back(text, widths.bytes);
    }
    tables.push_back(std::move(by_words));
    tables.push_back(std::move(by_bytes));
    return tables;
  }

 private:
  WidthCounts counts_;
  std::vector<std::unique_ptr<WidthObserver>> observers_;
};

const Registration<RunAnalysis, ValueWidths> value_widths_entry{
    "value-widths",
    "bytes that registers need, by instruction and register; uniform and affine values, partial writes"};

}  // namespace
}  // namespace heddle::analysis
