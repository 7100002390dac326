#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <numeric>
#include <sstream>

#include "models/compiler/listing.h"
#include "models/core/unknown_name.h"
#include "models/ptx/kernel_name.h"
#include "testbench/output/profile_counts.h"
#include "testbench/output/source_text.h"
#include "testbench/output/terminal_text.h"

namespace heddle::output {
namespace {

constexpr std::size_t kLongestWaits = 10;

constexpr std::size_t kWidth = 119;       ///< width of profile.txt in characters
constexpr std::size_t kEnergyWidth = 10;  ///< width of the column with a row's total energy, in characters
constexpr std::size_t kGroupWidth = 14;   ///< width of the column of a group of structures, in characters

constexpr const char* kLegend =
    "Columns, summed over all SMs and launches (profile.csv has the waits by reason):\n"
    "  issues    warp-instructions issued              lanes    executing lanes of an issue, mean\n"
    "  waited    warp-cycles in which this was the next instruction of a warp and did not issue\n"
    "  mostly    the largest part of these cycles:\n"
    "            not-picked  it could have issued (another warp was picked, no collector was free)\n"
    "            dependence  waited for a short result     memory  waited for a long result\n"
    "            fetch       not decoded yet               barrier, fence, async  waited there\n"
    "  operand   cycles an issue waited for operands beyond an undisturbed read (bank conflicts), mean\n"
    "  unit      cycles it then waited for a unit, mean\n"
    "  segs      128-byte segments of a global or local access, mean\n"
    "  passes    passes of an access to shared memory, mean (1: no conflict)\n";

constexpr const char* kEnergyLegend =
    "  nJ        energy: events at the prices of the run's technologies, and a part of the leakage. A slot "
    "in\n"
    "            which an instruction issues leaks for the instruction. The other slots leak for the "
    "instructions\n"
    "            at which warps waited.\n";

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

std::string nanojoules(double pj, std::size_t width) { return fmt::format("{:{}.4g}", pj / 1e3, width); }

struct TextColumn {
  const char *name, *heading;
  std::size_t width;  ///< width in characters, with the blank in front
  std::string (*cell)(const ProfileSums& sums);
};

constexpr const char* kEnergy = "energy";

const std::vector<TextColumn>& text_columns() {
  using Sums = ProfileSums;
  static const std::vector<TextColumn> all = {
      {"issues", "issues", 10, [](const Sums& s) { return fmt::format("{:10}", s.counts.issues); }},
      {"lanes", "lanes", 6, [](const Sums& s) { return mean(s.counts.lanes, s.counts.issues, 6, 1); }},
      {"waited", "waited", 11, [](const Sums& s) { return fmt::format("{:11}", s.counts.waited()); }},
      {"mostly", "mostly", 16, [](const Sums& s) { return fmt::format("{:>16}", mostly(s.counts)); }},
      {"operand", "operand", 8,
       [](const Sums& s) { return mean(s.counts.operand_cycles, s.counts.issues, 8, 2); }},
      {"unit", "unit", 7, [](const Sums& s) { return mean(s.counts.unit_cycles, s.counts.issues, 7, 2); }},
      {"segments", "segs", 6,
       [](const Sums& s) { return mean(s.counts.segments, s.counts.segment_accesses, 6, 2); }},
      {"passes", "passes", 7,
       [](const Sums& s) { return mean(s.counts.passes, s.counts.pass_accesses, 7, 2); }},
      {kEnergy, "nJ", kEnergyWidth, [](const Sums& s) { return nanojoules(s.all_pj(), kEnergyWidth); }}};
  return all;
}

class ProgramText {
 public:
  ProgramText(const ProgramProfile& profile, const std::vector<std::string>& columns)
      : profile_(profile), program_(*profile.program), source_(program_), all_(sums_by_instruction(profile)) {
    for (const TextColumn& column : text_columns()) {
      if (!columns.empty() && !selects(columns, column.name)) continue;
      if (column.name == std::string(kEnergy) && profile.energy.columns.empty()) continue;
      columns_.push_back(&column);
      left_ -= column.width;
    }
    for (std::size_t i = 0; i < all_.size(); ++i) {
      total_.add(all_[i]);
      Line& line = lines_[key_of(i)];
      line.sums.add(all_[i]);
      line.instructions.push_back(i);
    }
  }

  std::string text() {
    std::string text = wrapped(
        fmt::format("\n{}: {} launch{}, {} warp-instructions issued\n\n", ptx::plain_name(program_.kernel),
                    profile_.launches, profile_.launches == 1 ? "" : "es", total_.counts.issues),
        kWidth);
    text += longest_waits() + "\n";
    const bool known =
        std::any_of(lines_.begin(), lines_.end(), [](const auto& l) { return l.first.second; });
    if (!known)
      text += "no source lines: the PTX has no .loc (compile with -lineinfo, heddle-cc and nvcc alike)\n\n";
    if (known) text += by_source_line() + "\n";
    if (has_energy()) text += energies(known) + "\n";
    return text + listing_with_counts() + row("total", total_);
  }

 private:
  using Key = std::pair<std::uint32_t, std::uint32_t>;  ///< source file and line; line 0: unknown
  struct Line {
    ProfileSums sums;
    std::vector<std::size_t> instructions;
  };

  bool has_energy() const {
    return std::any_of(columns_.begin(), columns_.end(),
                       [](const TextColumn* column) { return column->name == std::string(kEnergy); });
  }
  Key key_of(std::size_t instruction) const {
    const isa::SourceLocation& at = program_.code[instruction].location;
    return at.line ? Key{at.file, at.line} : Key{0, 0};
  }

  std::string heading(const char* what) const {
    std::string text = fmt::format("{:<{}}", what, left_);
    for (const TextColumn* column : columns_) text += fmt::format("{:>{}}", column->heading, column->width);
    return text + "\n";
  }

  // Returns a row of the table. A `name` that is too long for the row is written above the counts, on its own
  // lines.
  std::string row(const std::string& name, const ProfileSums& sums) const {
    const bool fits = name.size() <= left_;
    std::string text =
        fmt::format("{}{:<{}}", fits ? "" : wrapped(name + "\n", kWidth), fits ? name : "", left_);
    for (const TextColumn* column : columns_) text += column->cell(sums);
    return text + "\n";
  }

  std::string listing_with_counts() const {
    std::string text = heading("instruction");
    std::istringstream listing(compiler::make_listing(program_));
    std::size_t next = 0;
    for (std::string line; std::getline(listing, line);) {
      unsigned long index = 0, address = 0;
      const bool instruction = next < all_.size() &&
                               std::sscanf(line.c_str(), "%lu %lx", &index, &address) == 2 && index == next &&
                               address == program_.address_of(next);
      if (!instruction) {
        if (const std::size_t at = line.find(" " + program_.kernel + " "); at == line.find(' '))
          line.replace(at + 1, program_.kernel.size(), ptx::demangled(program_.kernel));
        text += wrapped(line + "\n", kWidth);
        continue;
      }
      const std::string shown = to_string(program_.code[next]);
      std::string notes = line.substr(line.find(shown) + shown.size());
      notes.erase(0, std::min(notes.find_first_not_of(' '), notes.size()));
      text += row(fmt::format("{:5} {}{}{}", next, shown, notes.empty() ? "" : " ", notes), all_[next]);
      ++next;
    }
    return text;
  }

  std::string longest_waits() const {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < all_.size(); ++i)
      if (all_[i].counts.waited() != 0) order.push_back(i);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return all_[a].counts.waited() > all_[b].counts.waited();
    });
    order.resize(std::min(order.size(), kLongestWaits));
    const std::uint64_t all = total_.counts.waited();
    std::string text = fmt::format("longest waits (of {} warp-cycles)\n", all);
    for (const std::size_t i : order) {
      const InstructionCounts& c = all_[i].counts;
      const isa::Instruction& instruction = program_.code[i];
      text += wrapped(fmt::format("  {:5.1f}%  {:5}  line {:5}  {:<48} mostly {}\n",
                                  100.0 * static_cast<double>(c.waited()) / static_cast<double>(all), i,
                                  instruction.location.ptx_line, to_string(instruction),
                                  name_of(static_cast<WaitReason>(longest_reason(c)))),
                      kWidth);
    }
    return text;
  }

  std::string name_of_line(const Key& key) {
    const auto& [file, line] = key;
    if (line == 0) return "no source line";
    std::string text = source_.source(file, line);
    text.erase(0, std::min(text.find_first_not_of(" \t"), text.size()));
    text.erase(text.find_last_not_of(" \t\r") + 1);
    std::replace(text.begin(), text.end(), '\t', ' ');
    return fmt::format("{}:{}{}{}", source_name(program_, {0, 0, file, line}), line, text.empty() ? "" : "  ",
                       text);
  }

  // Returns the source lines with their text and counts. After each line come its instructions, with the
  // lines of the PTX.
  std::string by_source_line() {
    std::string text = "by source line, with its PTX lines and instructions\n" + heading("source line");
    for (const auto& [key, line] : lines_) {
      text += row(name_of_line(key), line.sums);
      for (const std::size_t i : line.instructions)
        text += row(fmt::format("  PTX {:4} {:5} {}", program_.code[i].location.ptx_line, i,
                                to_string(program_.code[i])),
                    all_[i]);
    }
    return text;
  }

  // Returns the energies by source line or, if there are no source lines, by instruction. Adds the energies
  // that no instruction caused.
  std::string energies(bool by_line) {
    const ProfileEnergy& energy = profile_.energy;
    const std::size_t name_width = kWidth - kGroupWidth * (energy.columns.size() + 1);
    std::string text = fmt::format("energy in nJ by {}\n{:<{}}", by_line ? "source line" : "instruction",
                                   by_line ? "source line" : "instruction", name_width);
    for (std::string column : energy.columns) {
      std::replace(column.begin(), column.end(), '_', ' ');
      text += fmt::format("{:>{}}", column, kGroupWidth);
    }
    text += fmt::format("{:>{}}\n", "sum", kGroupWidth);
    const auto add = [&](const std::string& name, const ProfileSums& sums) {
      text += name.size() < name_width ? fmt::format("{:<{}}", name, name_width)
                                       : wrapped(name + "\n", kWidth) + std::string(name_width, ' ');
      for (const double pj : sums.pj) text += nanojoules(pj, kGroupWidth);
      text += nanojoules(sums.all_pj(), kGroupWidth) + "\n";
    };
    if (by_line)
      for (const auto& [key, line] : lines_) add(name_of_line(key), line.sums);
    else
      for (std::size_t i = 0; i < all_.size(); ++i)
        add(fmt::format("{:5} {}", i, to_string(program_.code[i])), all_[i]);
    add("sum", total_);
    for (const EnergyRest& rest : energy.rest)
      text += wrapped(fmt::format("of no instruction: {:.4g} nJ of {} ({}, {} {})\n", rest.pj / 1e3,
                                  rest.structure, rest.kind, rest.technology, rest.entry),
                      kWidth);
    return text;
  }

  const ProgramProfile& profile_;
  const isa::Program& program_;
  SourceText source_;
  std::vector<const TextColumn*> columns_;
  std::size_t left_ = kWidth;  ///< width of the column with the rows' names, in characters
  std::vector<ProfileSums> all_;
  ProfileSums total_;
  std::map<Key, Line> lines_;
};

// Breaks lines at kWidth. Also breaks words, because a path may be longer than a line.
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

std::vector<std::string> energy_columns(const std::vector<ProgramProfile>& profiles) {
  std::vector<std::string> all;
  for (const ProgramProfile& profile : profiles)
    for (const std::string& column : profile.energy.columns)
      if (std::find(all.begin(), all.end(), column) == all.end()) all.push_back(column);
  return all;
}

double energy_of(const ProgramProfile& profile, std::size_t instruction, const std::string& column) {
  const std::vector<std::string>& columns = profile.energy.columns;
  const auto found = std::find(columns.begin(), columns.end(), column);
  return found == columns.end()
             ? 0
             : profile.energy.by_instruction[instruction][static_cast<std::size_t>(found - columns.begin())];
}

}  // namespace

const char* name_of(WaitReason reason) {
  static constexpr const char* kNames[] = {"not-picked", "dependence", "memory", "fetch",
                                           "barrier",    "fence",      "async"};
  return kNames[static_cast<std::size_t>(reason)];
}

WaitReason reason_of(WarpActivity activity) {
  switch (activity) {
    case WarpActivity::dependence:
      return WaitReason::dependence;
    case WarpActivity::memory:
      return WaitReason::memory;
    case WarpActivity::fetch:
      return WaitReason::fetch;
    case WarpActivity::barrier:
      return WaitReason::barrier;
    case WarpActivity::fence:
      return WaitReason::fence;
    case WarpActivity::async:
      return WaitReason::async;
    default:
      return WaitReason::not_picked;
  }
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
  collected += other.collected;
  unit_lanes += other.unit_lanes;
  requests += other.requests;
  bank_words += other.bank_words;
  passed_reads += other.passed_reads;
  passed_writes += other.passed_writes;
}

double ProfileSums::all_pj() const { return std::accumulate(pj.begin(), pj.end(), 0.0); }

void ProfileSums::add(const ProfileSums& other) {
  counts.add(other.counts);
  pj.resize(std::max(pj.size(), other.pj.size()));
  for (std::size_t i = 0; i < other.pj.size(); ++i) pj[i] += other.pj[i];
}

std::vector<ProfileSums> sums_by_instruction(const ProgramProfile& profile) {
  std::vector<ProfileSums> all;
  for (std::size_t i = 0; i < profile.instructions.size(); ++i)
    all.push_back({profile.instructions[i], profile.energy.columns.empty()
                                                ? std::vector<double>{}
                                                : profile.energy.by_instruction[i]});
  return all;
}

const std::vector<std::string>& profile_columns() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const TextColumn& column : text_columns()) all.emplace_back(column.name);
    return all;
  }();
  return names;
}

void check_profile_columns(const std::vector<std::string>& names) {
  for (const std::string& name : names)
    if (!selects(profile_columns(), name))
      throw unknown_name("output.profile_columns", "column", name, profile_columns());
}

bool selects(const std::vector<std::string>& names, const std::string& column) {
  return std::find(names.begin(), names.end(), column) != names.end();
}

std::string make_profile_text(const std::vector<ProgramProfile>& profiles,
                              const std::vector<std::string>& columns) {
  const bool energy = std::any_of(profiles.begin(), profiles.end(),
                                  [](const ProgramProfile& p) { return !p.energy.columns.empty(); });
  std::string text = kLegend;
  if (energy) text += kEnergyLegend;
  for (const ProgramProfile& profile : profiles) text += ProgramText(profile, columns).text();
  return broken(text);
}

std::string make_profile_csv(const std::vector<ProgramProfile>& profiles) {
  std::string text = "kernel,index,address,ptx_line,source_file,source_line,instruction,issues,lanes";
  for (std::size_t r = 0; r < static_cast<std::size_t>(WaitReason::count_); ++r) {
    std::string name = name_of(static_cast<WaitReason>(r));
    std::replace(name.begin(), name.end(), '-', '_');
    text += fmt::format(",wait_{}", name);
  }
  text +=
      ",operand_cycles,unit_cycles,segment_accesses,segments,shared_accesses,shared_passes,memory_requests";
  const std::vector<std::string> columns = energy_columns(profiles);
  for (const std::string& column : columns) text += fmt::format(",{}_nj", column);
  text += "\n";
  for (const ProgramProfile& profile : profiles)
    for (std::size_t i = 0; i < profile.instructions.size(); ++i) {
      const isa::Instruction& instruction = profile.program->code[i];
      const isa::SourceLocation& at = instruction.location;
      const InstructionCounts& c = profile.instructions[i];
      text += fmt::format(
          "{},{},{},{},{},{},{},{},{}", profile.program->kernel, i, profile.program->address_of(i),
          at.ptx_line, at.line ? quoted(source_name(*profile.program, at)) : "",
          at.line ? std::to_string(at.line) : "", quoted(to_string(instruction)), c.issues, c.lanes);
      for (const std::uint64_t cycles : c.waits) text += fmt::format(",{}", cycles);
      text += fmt::format(",{},{},{},{},{},{},{}", c.operand_cycles, c.unit_cycles, c.segment_accesses,
                          c.segments, c.pass_accesses, c.passes, c.requests);
      for (const std::string& column : columns)
        text += fmt::format(",{}", energy_of(profile, i, column) / 1e3);
      text += "\n";
    }
  return text;
}

std::string make_profile_rest_csv(const std::vector<ProgramProfile>& profiles) {
  if (energy_columns(profiles).empty()) return {};
  std::string text = "kernel,technology,structure,entry,kind,energy_nj\n";
  for (const ProgramProfile& profile : profiles)
    for (const EnergyRest& rest : profile.energy.rest)
      text += fmt::format("{},{},{},{},{},{}\n", profile.program->kernel, rest.technology, rest.structure,
                          rest.entry, rest.kind, rest.pj / 1e3);
  return text;
}

}  // namespace heddle::output
