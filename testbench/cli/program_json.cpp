#include "testbench/cli/program_json.h"

#include <fmt/format.h>

#include <utility>

#include "models/compiler/check_control_bits.h"
#include "models/core/config_node.h"
#include "models/isa/latency_table.h"

namespace heddle::cli {
namespace {

using isa::ControlBits;
using isa::Operand;

ConfigNode counter_node(std::uint8_t counter) {
  return counter == ControlBits::kNoCounter ? ConfigNode{} : ConfigNode::make_count(counter, {});
}

ConfigNode control_node(const isa::Instruction& i) {
  ConfigNode waits = ConfigNode::make_list(), reuses = ConfigNode::make_list();
  for (unsigned k = 0; k < isa::kDependenceCounters; ++k)
    if (i.control.wait_mask >> k & 1u) waits.items.push_back(ConfigNode::make_count(k, {}));
  for (std::size_t s = 0; s < i.num_src; ++s)
    if (i.src[s].annotation.reuse) reuses.items.push_back(ConfigNode::make_string({"abcdef"[s]}, {}));
  ConfigNode node = ConfigNode::make_object();
  node.members = {{"stall", ConfigNode::make_count(i.control.stall, {})},
                  {"yield", ConfigNode::make_boolean(i.control.yield, {})},
                  {"write_counter", counter_node(i.control.write_counter)},
                  {"read_counter", counter_node(i.control.read_counter)},
                  {"waits", std::move(waits)},
                  {"reuse", std::move(reuses)}};
  return node;
}

// Writes the 64-bit words of compiler notes as JSON strings, because many JSON readers round large numbers.
ConfigNode notes_node(const isa::Program& program, isa::NoteSet set) {
  ConfigNode notes = ConfigNode::make_object();
  for (const isa::Note& note : program.notes.of(set)) {
    ConfigNode words = ConfigNode::make_list();
    for (const std::uint64_t word : note.words)
      words.items.push_back(ConfigNode::make_string(fmt::format("{:#x}", word), {}));
    notes.members.emplace_back(note.name, std::move(words));
  }
  return notes;
}

ConfigNode instruction_node(const isa::Program& program, std::size_t n) {
  const isa::Instruction& i = program.code[n];
  ConfigNode operands = ConfigNode::make_object();
  const auto add = [&](const std::string& name, const Operand& o) {
    if (o.notes != 0) operands.members.emplace_back(name, notes_node(program, o.notes));
  };
  for (std::size_t d = 0; d < i.destinations().size(); ++d) add(fmt::format("d{}", d), i.dst[d]);
  for (std::size_t s = 0; s < i.sources().size(); ++s) add({"abcdef"[s]}, i.src[s]);
  ConfigNode node = ConfigNode::make_object();
  node.members = {{"pc", ConfigNode::make_count(n, {})},
                  {"text", ConfigNode::make_string(to_string(i), {})},
                  {"notes", notes_node(program, i.notes)},
                  {"operands", std::move(operands)}};
  if (i.control.set) node.members.emplace_back("control", control_node(i));
  return node;
}

}  // namespace

std::string program_json(const isa::Program& program) {
  ConfigNode code = ConfigNode::make_list();
  for (std::size_t n = 0; n < program.code.size(); ++n) code.items.push_back(instruction_node(program, n));
  ConfigNode root = ConfigNode::make_object();
  root.members = {{"kernel", ConfigNode::make_string(program.kernel, {})},
                  {"registers", ConfigNode::make_count(program.registers, {})},
                  {"notes", notes_node(program, program.notes.of_program())},
                  {"instructions", std::move(code)}};
  if (compiler::has_control_bits(program)) {
    const auto& latencies = program.latencies;
    ConfigNode control = ConfigNode::make_object();
    control.members = {
        {"latencies", latencies ? ConfigNode::make_string(latencies->machine, {}) : ConfigNode{}},
        {"unproven", ConfigNode::make_boolean(compiler::is_unproven(program), {})}};
    root.members.emplace_back("control", std::move(control));
  }
  return to_json(root);
}

}  // namespace heddle::cli
