#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <sstream>

#include "models/compiler/listing.h"
#include "models/ptx/kernel_name.h"
#include "testbench/output/profile_counts.h"
#include "testbench/output/terminal_text.h"

namespace heddle::output {
namespace {

constexpr std::size_t kLongestWaits = 10;

constexpr std::size_t kWidth = 119;  ///< width of profile.txt in columns
constexpr std::size_t kLeft = 48;    ///< width of the instruction or source line, in columns

constexpr const char* kLegend =
    "Columns, summed over all SMs and launches (profile.csv has the waits by reason):\n"
    "  issues    warp-instructions issued              lanes    executing lanes of an issue, mean\n"
    "  waited    warp-cycles in which this was the next instruction of a warp and did not issue\n"
    "  mostly    the largest part of these cycles:\n"
    "            not-picked  it could have issued (another warp was picked, no collector was free)\n"
    "            dependence  waited for a short result     memory  waited for a long result\n"
    "            fetch       not decoded yet               barrier, fence  waited there\n"
    "  operand   cycles an issue waited for operands beyond an undisturbed read (bank conflicts), mean\n"
    "  unit      cycles it then waited for a unit, mean\n"
    "  segs      128-byte segments of a global or local access, mean\n"
    "  passes    passes of an access to shared memory, mean (1: no conflict)\n";

std::string mean(std::uint64_t sum, std::uint64_t count, int width, int digits) {
  if (count == 0) return fmt::format("{:>{}}", "-", width);
  return fmt::format("{:{}.{}f}", static_cast<double>(sum) / static_cast<double>(count), width, digits);
}

std::size_t longest_reason(const InstructionCounts& c) {
  return static_cast<std::size_t>(std::max_element(c.waits.begin(), c.waits.end()) - c.waits.begin());
}

std::string mostly(const InstructionCounts& c) {
  if (c.waited() == 0) return "-";
  const std::size_t reason = longest_reason(c);
  return fmt::format("{} {:.0f}%", name_of(static_cast<WaitReason>(reason)),
                     100.0 * static_cast<double>(c.waits[reason]) / static_cast<double>(c.waited()));
}

std::string heading(const char* left) {
  return fmt::format("{:<{}} {:>9} {:>5} {:>10} {:>15} {:>7} {:>6} {:>5} {:>6}\n", left, kLeft, "issues",
                     "lanes", "waited", "mostly", "operand", "unit", "segs", "passes");
}

// A text that is too long gets lines of its own above the counts.
std::string row(const std::string& left, const InstructionCounts& c) {
  const bool fits = left.size() <= kLeft;
  return fmt::format("{}{:<{}} {:9} {} {:10} {:>15} {} {} {} {}\n", fits ? "" : wrapped(left + "\n", kWidth),
                     fits ? left : "", kLeft, c.issues, mean(c.lanes, c.issues, 5, 1), c.waited(), mostly(c),
                     mean(c.operand_cycles, c.issues, 7, 2), mean(c.unit_cycles, c.issues, 6, 2),
                     mean(c.segments, c.segment_accesses, 5, 2), mean(c.passes, c.pass_accesses, 6, 2));
}

std::string source_of(const isa::Program& program, const isa::SourceLocation& location) {
  return location.file < program.files.size() && !program.files[location.file].empty()
             ? program.files[location.file]
             : fmt::format("file {}", location.file);
}

// Returns the listing with the counts next to every instruction.
std::string listing_with_counts(const ProgramProfile& profile) {
  std::string text = heading("instruction");
  std::istringstream listing(compiler::make_listing(*profile.program));
  std::size_t next = 0;
  for (std::string line; std::getline(listing, line);) {
    unsigned long index = 0, address = 0;
    const bool instruction = next < profile.instructions.size() &&
                             std::sscanf(line.c_str(), "%lu %lx", &index, &address) == 2 && index == next &&
                             address == profile.program->address_of(next);
    if (!instruction) {
      text += wrapped(line + "\n", kWidth);
      continue;
    }
    const std::string shown = to_string(profile.program->code[next]);
    std::string notes = line.substr(line.find(shown) + shown.size());
    notes.erase(0, std::min(notes.find_first_not_of(' '), notes.size()));
    text += row(fmt::format("{:5} {}{}{}", next, shown, notes.empty() ? "" : " ", notes),
                profile.instructions[next]);
    ++next;
  }
  return text;
}

std::string longest_waits(const ProgramProfile& profile) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < profile.instructions.size(); ++i)
    if (profile.instructions[i].waited() != 0) order.push_back(i);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return profile.instructions[a].waited() > profile.instructions[b].waited();
  });
  order.resize(std::min(order.size(), kLongestWaits));
  std::uint64_t all = 0;
  for (const InstructionCounts& c : profile.instructions) all += c.waited();
  std::string text = fmt::format("longest waits (of {} warp-cycles)\n", all);
  for (const std::size_t i : order) {
    const InstructionCounts& c = profile.instructions[i];
    const isa::Instruction& instruction = profile.program->code[i];
    text += wrapped(fmt::format("  {:5.1f}%  {:5}  line {:5}  {:<48} mostly {}\n",
                                100.0 * static_cast<double>(c.waited()) / static_cast<double>(all), i,
                                instruction.location.ptx_line, to_string(instruction),
                                name_of(static_cast<WaitReason>(longest_reason(c)))),
                    kWidth);
  }
  return text;
}

std::string by_source_line(const ProgramProfile& profile) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, InstructionCounts> lines;
  for (std::size_t i = 0; i < profile.instructions.size(); ++i) {
    const isa::SourceLocation& at = profile.program->code[i].location;
    if (at.line != 0) lines[{at.file, at.line}].add(profile.instructions[i]);
  }
  if (lines.empty())
    return "no source lines: the PTX has no .loc (compile with -lineinfo, heddle-cc and nvcc alike)\n\n";
  std::string text = "by source line\n" + heading("source line");
  for (const auto& [at, counts] : lines)
    text += row(fmt::format("{}:{}", source_of(*profile.program, {0, 0, at.first, at.second}), at.second),
                counts);
  return text + "\n";
}

// Breaks lines without a blank, such as long paths.
std::string broken(const std::string& text) {
  std::string out;
  std::size_t column = 0;
  for (const char c : text) {
    if (c == '\n') {
      column = 0;
    } else if (column++ == kWidth) {
      out += '\n';
      column = 1;
    }
    out += c;
  }
  return out;
}

std::string quoted(const std::string& field) {
  std::string out = "\"";
  for (const char c : field) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

}  // namespace

const char* name_of(WaitReason reason) {
  static constexpr const char* kNames[] = {"not-picked", "dependence", "memory", "fetch", "barrier", "fence"};
  return kNames[static_cast<std::size_t>(reason)];
}

void InstructionCounts::add(const InstructionCounts& other) {
  issues += other.issues;
  lanes += other.lanes;
  for (std::size_t r = 0; r < waits.size(); ++r) waits[r] += other.waits[r];
  operand_cycles += other.operand_cycles;
  unit_cycles += other.unit_cycles;
  segments += other.segments;
  segment_accesses += other.segment_accesses;
  passes += other.passes;
  pass_accesses += other.pass_accesses;
}

std::string make_profile_text(const std::vector<ProgramProfile>& profiles) {
  std::string text = kLegend;
  for (const ProgramProfile& profile : profiles) {
    InstructionCounts total;
    for (const InstructionCounts& c : profile.instructions) total.add(c);
    text += wrapped(fmt::format("\n{}: {} launch{}, {} warp-instructions issued\n\n",
                                ptx::plain_name(profile.program->kernel), profile.launches,
                                profile.launches == 1 ? "" : "es", total.issues),
                    kWidth);
    text += longest_waits(profile) + "\n" + by_source_line(profile) + listing_with_counts(profile) +
            row("total", total);
  }
  return broken(text);
}

std::string make_profile_csv(const std::vector<ProgramProfile>& profiles) {
  std::string text = "kernel,index,address,ptx_line,source_file,source_line,instruction,issues,lanes";
  for (std::size_t r = 0; r < static_cast<std::size_t>(WaitReason::count_); ++r) {
    std::string name = name_of(static_cast<WaitReason>(r));
    std::replace(name.begin(), name.end(), '-', '_');
    text += fmt::format(",wait_{}", name);
  }
  text += ",operand_cycles,unit_cycles,segment_accesses,segments,shared_accesses,shared_passes\n";
  for (const ProgramProfile& profile : profiles)
    for (std::size_t i = 0; i < profile.instructions.size(); ++i) {
      const isa::Instruction& instruction = profile.program->code[i];
      const isa::SourceLocation& at = instruction.location;
      const InstructionCounts& c = profile.instructions[i];
      text += fmt::format(
          "{},{},{},{},{},{},{},{},{}", profile.program->kernel, i, profile.program->address_of(i),
          at.ptx_line, at.line ? quoted(source_of(*profile.program, at)) : "",
          at.line ? std::to_string(at.line) : "", quoted(to_string(instruction)), c.issues, c.lanes);
      for (const std::uint64_t cycles : c.waits) text += fmt::format(",{}", cycles);
      text += fmt::format(",{},{},{},{},{},{}\n", c.operand_cycles, c.unit_cycles, c.segment_accesses,
                          c.segments, c.pass_accesses, c.passes);
    }
  return text;
}

}  // namespace heddle::output
