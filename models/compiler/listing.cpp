#include "models/compiler/listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "models/compiler/analyses/control_flow.h"
#include "models/compiler/analyses/divergence.h"
#include "models/compiler/analyses/liveness.h"
#include "models/compiler/check_control_bits.h"
#include "models/compiler/check_levels.h"
#include "models/compiler/predict_accesses.h"
#include "models/compiler/strand_regions.h"
#include "models/isa/latency_table.h"
#include "models/isa/operand_entry.h"
#include "models/isa/release_flags.h"

namespace heddle::compiler {
namespace {

using isa::Instruction;
using isa::Operand;

std::string place(const Operand& o, std::uint8_t levels) {
  std::string text;
  if (levels & isa::level_bit(isa::kOperandLevel))
    text = o.words() == 2 ? fmt::format("o{}{}{}", o.annotation.entry, o.annotation.slot == 0 ? '-' : '&',
                                        isa::operand_entry(o.annotation, 1))
                          : fmt::format("o{}", o.annotation.entry);
  if (levels & isa::level_bit(isa::kLastResultLevel)) {
    if (!text.empty()) text += '+';
    text += fmt::format("l{}", "ABC"[std::min<int>(o.annotation.slot, 2)]);
  }
  if (levels & isa::level_bit(isa::kMainLevel)) text += text.empty() ? "m" : "+m";
  return text;
}

class Listing {
 public:
  explicit Listing(const isa::Program& program)
      : program_(program),
        flow_(program),
        thread_(program, flow_),
        divergence_(program, flow_),
        warp_(program, flow_, thread_, divergence_),
        entries_used_(entries_used(program)) {}

  std::string make() {
    header();
    const auto first = std::find_if(program_.code.begin(), program_.code.end(),
                                    [](const Instruction& i) { return !i.metadata; });
    if (first != program_.code.end() && first->begins_strand) {
      strand_ = number_strands(program_, flow_);
      for (std::size_t n = 0; n < strand_.size(); ++n)
        if (strand_[n] >= 0) strands_[strand_[n]].push_back(n);
    }
    hierarchy();
    for (int b = 0; b < flow_.size(); ++b) {
      block(b);
      for (std::uint32_t n = flow_.block(b).first; n < flow_.block(b).end; ++n) instruction(n);
    }
    return std::move(text_);
  }

 private:
  template <class... Args>
  void line(fmt::format_string<Args...> form, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), form, std::forward<Args>(args)...);
    text_ += '\n';
  }

  void header() {
    int overhead = 0, fills = 0, spills = 0;
    for (const Instruction& i : program_.code) {
      overhead += i.overhead;
      fills += i.overhead && i.op == isa::Opcode::ld;
      spills += i.overhead && i.op == isa::Opcode::st;
    }
    line("kernel {} ({})", program_.kernel, program_.file);
    line("  {} registers: {} words, {} predicates; most live at once: {} words, {} predicates",
         program_.architected ? "architected" : "virtual", program_.registers, program_.predicates,
         thread_.max_words(), thread_.max_predicates());
    line("  shared {} bytes, local {} bytes a thread, parameters {} bytes", program_.shared_bytes,
         program_.local_bytes, program_.parameter_bytes);
    line("  {} instructions, {} of them overhead: {} spill stores, {} spill loads", program_.code.size(),
         overhead, spills, fills);
    metadata();
    if (has_control_bits(program_))
      line("  control bits{}{}",
           program_.latencies ? " for the latencies of " + program_.latencies->machine : "",
           is_unproven(program_) ? ", unproven: some were set by hand" : "");
    if (program_.exempt_registers != 0)
      line("  {} registers exempt from renaming: r0 to r{}", program_.exempt_registers,
           program_.exempt_registers - 1);
    hints();
    if (const isa::NoteSet own = program_.notes.of_program(); own != 0)
      line("  notes: {}", to_string(program_.notes.of(own)));
  }

  void hints() {
    std::string left, pairs;
    for (std::size_t r = 0; r < program_.register_hints.size(); ++r) {
      const isa::RegisterHint& hint = program_.register_hints[r];
      if (hint.left) left += fmt::format(" r{}", r);
      if (hint.partner != isa::RegisterHint::kNoPartner && hint.partner > r)
        pairs += fmt::format(" r{}+r{}", r, hint.partner);
    }
    if (!left.empty()) line("  at the left of their rows:{}", left);
    if (!pairs.empty()) line("  sharing a row:{}", pairs);
  }

  void metadata() {
    int words = 0, flags = 0, lists = 0;
    std::size_t listed = 0;
    for (const Instruction& i : program_.code) {
      const isa::ReleaseWord kind = isa::release_word(i);
      words += i.metadata;
      flags += kind == isa::ReleaseWord::pir;
      lists += kind == isa::ReleaseWord::pbr || kind == isa::ReleaseWord::wide_pbr;
      listed += isa::listed_registers(kind, i.payload).size();
    }
    if (words == 0) return;
    line("  {} of them metadata ({:.1f} % more code): {} pir, {} pbr with {} registers", words,
         100.0 * words / static_cast<double>(program_.code.size() - static_cast<std::size_t>(words)), flags,
         lists, listed);
  }

  // Returns a text with the register accesses of `instructions` by level of the register hierarchy, and the
  // energy that the levels save: energy with all operands in the main register file minus energy with the
  // levels. Each instruction counts once.
  std::string savings(const std::vector<std::size_t>& instructions) const {
    LevelAccesses levels, flat;
    for (const std::size_t n : instructions) {
      levels.add(program_.code[n], 1);
      flat.add_flat(program_.code[n], 1);
    }
    const AccessEnergy energy = AccessEnergy{}.resolved(std::max(1, entries_used_));
    const double before = flat.energy_pj(energy), after = levels.energy_pj(energy);
    return fmt::format(
        "reads main {} / operand {} / last {}, writes {} / {} / {}; {:.1f} of {:.1f} pJ a 128-bit slice, "
        "saved {:.1f} %",
        levels.read(isa::kMainLevel), levels.read(isa::kOperandLevel), levels.read(isa::kLastResultLevel),
        levels.written(isa::kMainLevel), levels.written(isa::kOperandLevel),
        levels.written(isa::kLastResultLevel), after, before, before == 0 ? 0 : 100 * (1 - after / before));
  }

  void hierarchy() {
    if (strands_.empty() && !uses_levels(program_)) return;
    std::vector<std::size_t> all(program_.code.size());
    for (std::size_t n = 0; n < all.size(); ++n) all[n] = n;
    line("  {} strands, {} entries of the operand level", strands_.size(), entries_used_);
    line("  each instruction once: {}", savings(all));
  }

  void strand_head(std::size_t n) {
    if (strand_.empty() || strand_[n] < 0 || !program_.code[n].begins_strand) return;
    const std::vector<std::size_t>& in = strands_.at(strand_[n]);
    line("  strand {}: {} instructions; {}", strand_[n], in.size(), savings(in));
  }

  void block(int b) {
    const BasicBlock& block = flow_.block(b);
    std::string to;
    for (const int s : block.successors) to += fmt::format("{}{}", to.empty() ? "" : ", ", s);
    if (block.exits) to += to.empty() ? "exit" : ", exit";
    text_ += '\n';
    line("block {}{}: loop depth {}, to {}{}{}", b, label(block.first), block.loop_depth, to,
         program_.architected && divergence_.partial(b) ? ", some lanes may be elsewhere" : "",
         block.reachable ? "" : ", unreachable");
  }

  std::string label(std::size_t n) const {
    return n < program_.labels.size() && !program_.labels[n].empty() ? " (" + program_.labels[n] + ")" : "";
  }

  static std::string counts(const LiveSets& live, std::size_t n) {
    return fmt::format("{}/{}", live.words_live_before(n), live.predicates_live_before(n));
  }

  void interval_head(std::size_t n) {
    std::string text = notes_text(program_.code[n].notes, true);
    if (text == interval_) return;
    interval_ = std::move(text);
    line("  interval: {}", interval_.empty() ? "none" : interval_);
  }

  std::string notes_text(isa::NoteSet set, bool interval) const {
    std::vector<isa::Note> some;
    for (const isa::Note& note : program_.notes.of(set))
      if (note.interval == interval) some.push_back(note);
    return to_string(some);
  }

  std::string all_notes(const Instruction& i) const {
    std::string all = notes_text(i.notes, false);
    const auto add = [&](const std::string& operand, const Operand& o) {
      if (o.notes != 0)
        all += fmt::format("{}{} {}", all.empty() ? "" : " ", operand, notes_text(o.notes, false));
    };
    for (std::size_t d = 0; d < i.destinations().size(); ++d) add(fmt::format("d{}", d), i.dst[d]);
    for (std::size_t s = 0; s < i.sources().size(); ++s) add({"abcdef"[s]}, i.src[s]);
    return all;
  }

  void instruction(std::uint32_t n) {
    strand_head(n);
    interval_head(n);
    const Instruction& i = program_.code[n];
    const std::string thread = counts(thread_, n), warp = counts(warp_, n);
    std::string notes;
    const auto note = [&](const std::string& s) { notes += (notes.empty() ? "" : "; ") + s; };
    if (program_.architected && i.is_branch() && i.guard.present) {
      note(!divergence_.splits(flow_.block_of(n)) ? "uniform"
           : i.reconvergence == isa::kNoTarget    ? "diverges until exit"
                                                  : fmt::format("meets at {}", i.reconvergence));
    }
    if (const std::string l = level_text(i); !l.empty()) note(l);
    if (const std::string all = all_notes(i); !all.empty()) note(all);
    if (i.control.set) note(control_text(i));
    if (i.ends_strand) note(i.strand_waits ? "strand ends, waits" : "strand ends");
    if (i.metadata) note(fmt::format("metadata {:016x}", i.payload));
    if (i.overhead) note("overhead");
    if (i.location.line != 0) note(source(i));
    line("  {:5} {:06x}  {:>7} {:9}  {:<52}{}{}", n, program_.address_of(n), thread,
         warp == thread || !program_.architected ? "" : "[" + warp + "]", to_string(i),
         notes.empty() ? "" : " ; ", notes);
  }

  std::string source(const Instruction& i) const {
    const std::string file = i.location.file < program_.files.size() ? program_.files[i.location.file]
                                                                     : std::to_string(i.location.file);
    return fmt::format("{}:{}", file.substr(file.find_last_of('/') + 1), i.location.line);
  }

  const isa::Program& program_;
  ControlFlow flow_;
  LiveSets thread_;
  Divergence divergence_;
  WarpLiveSets warp_;
  int entries_used_;
  std::vector<int> strand_;
  std::map<int, std::vector<std::size_t>> strands_;
  std::string interval_;
  std::string text_;
};

}  // namespace

std::string level_text(const Instruction& i) {
  std::string text;
  const auto add = [&](const std::string& s) { text += fmt::format("{}{}", text.empty() ? "" : " ", s); };
  for (std::size_t d = 0; d < i.destinations().size(); ++d) {
    const Operand& o = i.dst[d];
    if (o.annotation.write_levels > 1) add(fmt::format("d{}>{}", d, place(o, o.annotation.write_levels)));
    if (o.annotation.dead) add(fmt::format("d{} dead", d));
    if (o.annotation.long_latency) add(fmt::format("d{} long", d));
    if (o.annotation.shared_use) add(fmt::format("d{} shared", d));
  }
  for (std::size_t s = 0; s < i.sources().size(); ++s) {
    const Operand& o = i.src[s];
    std::string part;
    if (o.annotation.read_level != isa::kMainLevel)
      part = fmt::format("<{}", place(o, isa::level_bit(o.annotation.read_level)));
    if (o.annotation.write_levels != 0) part += fmt::format(">{}", place(o, o.annotation.write_levels));
    if (o.annotation.last_use) part += "!";
    if (!part.empty()) add(fmt::format("{}{}", "abcdef"[s], part));
  }
  return text;
}

std::string control_text(const Instruction& i) {
  const isa::ControlBits& bits = i.control;
  std::string text = fmt::format("stall {}", bits.stall);
  if (bits.yield) text += " yield";
  if (bits.write_counter != isa::ControlBits::kNoCounter)
    text += fmt::format(" write {}", bits.write_counter);
  if (bits.read_counter != isa::ControlBits::kNoCounter) text += fmt::format(" read {}", bits.read_counter);
  std::string waits, reuses;
  for (unsigned k = 0; k < isa::kDependenceCounters; ++k)
    if (bits.wait_mask >> k & 1u) waits += fmt::format(" {}", k);
  for (std::size_t s = 0; s < i.sources().size(); ++s)
    if (i.src[s].annotation.reuse) reuses += fmt::format(" {}", "abcdef"[s]);
  if (!waits.empty()) text += " wait" + waits;
  if (!reuses.empty()) text += " reuse" + reuses;
  return text;
}

std::string make_listing(const isa::Program& program) { return Listing(program).make(); }

}  // namespace heddle::compiler
