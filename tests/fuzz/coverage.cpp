#include "tests/fuzz/coverage.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/isa/kept_calls.h"

namespace heddle::fuzz {

void Coverage::add(const RandomProgram& program, const isa::Program& parsed,
                   const reference::ReferenceResult& result) {
  ++programs_;
  narrow_ += program.ptx.find(".address_size 32") != std::string::npos;
  warp_instructions_ += result.warp_instructions;
  divergent_ += result.divergent_branches;
  barriers_ += result.barriers;
  bool deep = false;
  for (std::size_t i = 0; i < parsed.code.size(); ++i) {
    const std::uint64_t issues = result.issues.at(i);
    if (issues == 0) continue;
    const isa::Instruction& instruction = parsed.code[i];
    opcodes_[static_cast<std::size_t>(instruction.op)] += issues;
    const std::size_t line = instruction.location.ptx_line;
    const LineNote note = line < program.lines.size() ? program.lines[line] : LineNote{};
    deep = deep || note.nesting >= 3;
    if (note.back_edge && instruction.is_branch()) loops_ += issues;
    if (note.exchange) exchanges_ += issues;
    if (note.indirect) indirect_ += issues;
    if (note.recursion) recursive_ += issues;
    if (isa::is_kept_call(instruction)) kept_calls_ += issues;
    if (instruction.op == isa::Opcode::tex) look_ups_ += issues;
    if (isa::is_half(instruction.type)) halves_ += issues;
    const std::uint64_t lanes = result.threads.at(i);
    if (instruction.op == isa::Opcode::exit && i + 1 < parsed.code.size() && lanes > 0 && lanes < issues * 32)
      ++divergent_exits_;
  }
  nested_ += deep;
}

void Coverage::add_counters(const StatsRegistry& stats) {
  for (const CounterInfo& info : stats.counters()) {
    const std::string name = info.full_name();
    const auto ends = [&name](const std::string& end) { return name.ends_with(".banks." + end); };
    for (std::size_t w = 0; w < read_.size(); ++w) {
      if (ends(fmt::format("reads_width_{}", w + 1))) read_[w] += info.counter->value();
      if (ends(fmt::format("writes_width_{}", w + 1))) written_[w] += info.counter->value();
    }
    if (ends("partial_writes")) partial_writes_ += info.counter->value();
    if (ends("promotions")) promotions_ += info.counter->value();
    if (!name.ends_with(".spiller.registers_spilled")) continue;
    spilled_ += info.counter->value();
    spilling_ += info.counter->value() != 0;
  }
}

double Coverage::opcode_share() const {
  double executed = 0;
  for (const std::uint64_t count : opcodes_) executed += count != 0;
  return executed / static_cast<double>(kOpcodes);
}

std::string Coverage::missing() const {
  std::string text;
  if (opcode_share() < 0.95) {
    text += "opcodes:";
    for (std::size_t op = 0; op < kOpcodes; ++op)
      if (opcodes_[op] == 0) text += std::string(" ") + isa::name_of(static_cast<isa::Opcode>(op));
    text += "; ";
  }
  const auto need = [&text](std::uint64_t count, const char* what) {
    if (count == 0) text += std::string(what) + "; ";
  };
  need(narrow_, "addresses of 32 bits");
  need(programs_ - narrow_, "addresses of 64 bits");
  need(nested_, "nesting of 3 and more");
  need(loops_, "loops");
  need(divergent_, "divergent branches");
  need(divergent_exits_, "divergent exits");
  need(exchanges_, "exchanges behind barriers");
  need(*std::min_element(written_.begin(), written_.end()), "registers of every width");
  need(partial_writes_, "divergent writes to narrow rows");
  need(promotions_, "divergent writes that widen");
  need(indirect_, "calls through registers");
  need(kept_calls_, "calls that the reference executes by a way of its own");
  need(recursive_, "functions that call themselves");
  need(look_ups_, "look-ups in textures");
  need(halves_, "half precision");
  need(spilled_, "registers written out to memory");
  return text;
}

std::string Coverage::report() const {
  std::string text = fmt::format(
      "{} programs, {} of them with addresses of 32 bits, {} warp-instructions; {:.1f} % of {} opcodes\n"
      "nesting of 3 and more in {} programs, {} loop rounds, {} branches that split a warp, {} exits of a "
      "part of a warp,\n{} arrivals at barriers, {} exchanges behind barriers\n",
      programs_, narrow_, warp_instructions_, 100 * opcode_share(), kOpcodes, nested_, loops_, divergent_,
      divergent_exits_, barriers_, exchanges_);
  text += fmt::format(
      "{} instructions of calls through registers, {} of functions that call themselves, {} look-ups in "
      "textures, {} "
      "of half precision\n",
      indirect_, recursive_, look_ups_, halves_);
  text += fmt::format(
      "by sub-banks opened, 1 to 4: {} words read, {} written; {} of these divergent, {} widen the row\n",
      fmt::join(read_, ", "), fmt::join(written_, ", "), partial_writes_, promotions_);
  for (std::size_t op = 0; op < kOpcodes; ++op)
    text += fmt::format("{:>10} {:<9}{}", opcodes_[op], isa::name_of(static_cast<isa::Opcode>(op)),
                        op % 6 == 5 || op + 1 == kOpcodes ? "\n" : "");
  return text;
}

}  // namespace heddle::fuzz
