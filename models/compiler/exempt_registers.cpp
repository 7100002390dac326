// Selects exempt registers, which a renaming register file does not rename (Jeon 2015, 7.1). The renaming table
// for the other registers then fits in the given size. Registers with the longest average lifetimes become
// exempt. A lifetime is the number of instructions during which a written value is live.

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "models/compiler/analyses/use_def.h"
#include "models/compiler/i_compiler_pass.h"

namespace heddle::compiler {
namespace {

struct ExemptParameters {
  int table_bytes = 1024;
  int entry_bits = 10;
  void fields(FieldVisitor& v) {
    v.field("table_bytes", table_bytes, {0, 1 << 20},
            "bytes of the renaming table (Jeon 2015, 7.1: 1 KB; 0: room for every register)");
    v.field("entry_bits", entry_bits, {1, 32},
            "bits of an entry of the table (Jeon 2015, 7.1: the number of one of 1024 physical registers)");
  }
};

// Registers that become exempt from renaming together: a single register, or all registers of one value of
// several words.
struct Unit {
  std::uint32_t first = 0, words = 1;
  std::uint64_t held = 0;
  std::uint64_t values = 0;
};

// Returns true if the values of unit `a` live longer on average than the values of unit `b`. With equal
// lifetimes, returns true if `a` has more values.
bool lasts_longer(const Unit& a, const Unit& b) {
  const std::uint64_t left = a.held * std::max<std::uint64_t>(1, b.values),
                      right = b.held * std::max<std::uint64_t>(1, a.values);
  if (left != right) return left > right;
  return a.values > b.values;
}

std::vector<Unit> units_of(CompilationUnit& unit) {
  const isa::Program& program = unit.program();
  std::vector<std::uint32_t> most(program.registers + 1,
                                  1);  // for each register: number of words of its widest operand
  const auto look = [&most](const isa::Operand& o) {
    if (o.is_reg()) most[o.reg.value] = std::max(most[o.reg.value], static_cast<std::uint32_t>(o.words()));
  };
  for (const isa::Instruction& i : program.code) {
    for (const isa::Operand& o : i.sources()) look(o);
    for (const isa::Operand& o : i.destinations()) look(o);
  }
  std::vector<Unit> units;
  std::vector<std::size_t> unit_of(program.registers);
  for (std::uint32_t r = 0; r < program.registers; r += units.back().words) {
    const std::uint32_t words = most[r];
    for (std::uint32_t w = 0; w < words; ++w) unit_of[r + w] = units.size();
    units.push_back({r, words, 0, 0});
  }
  const WarpLiveSets& live = unit.warp_liveness();
  for (std::size_t n = 0; n < program.code.size(); ++n) {
    if (program.code[n].metadata) continue;
    for (Unit& u : units) {
      bool held = false;
      for (std::uint32_t w = 0; w < u.words; ++w) held = held || live.word_after(n, u.first + w);
      u.held += held;
    }
    std::size_t last = units.size();
    for_each_written_word(program.code[n], [&](std::uint32_t w) {
      if (unit_of[w] != last) ++units[unit_of[w]].values;
      last = unit_of[w];
    });
  }
  return units;
}

// Assigns new register numbers. Exempt registers (not renamed by the hardware) get the lowest numbers.
class Numbering {
 public:
  Numbering(std::vector<Unit> units, std::uint32_t wanted) : units_(std::move(units)) {
    std::stable_sort(units_.begin(), units_.end(), lasts_longer);
    for (const Unit& u : units_) registers_ += u.words;
    std::vector<bool> exempt(units_.size(), false);
    std::uint32_t words = 0;
    const auto add = [&](std::size_t u) {
      exempt[u] = true;
      words += units_[u].words;
    };
    for (std::size_t u = 0; u < units_.size() && words < wanted; ++u)
      if (words + units_[u].words <= wanted) add(u);
    for (std::size_t u = 0; u < units_.size() && words < wanted; ++u)
      if (!exempt[u]) add(u);
    // Register numbers begin with the exempt registers. The other registers follow, and their pairs must
    // begin at even numbers. If the number of exempt registers is odd, a single register that is not exempt
    // fills the gap (number()). If there is no such register, one more group becomes exempt, and one single
    // register becomes not exempt.
    while (words % 2 != 0 && !some(exempt, 1) && some(exempt, 2)) {
      for (std::size_t u = 0; u < units_.size(); ++u)
        if (!exempt[u]) {
          add(u);
          break;
        }
      for (std::size_t u = units_.size(); u-- > 0;)
        if (exempt[u] && units_[u].words == 1) {
          exempt[u] = false;
          --words;
          break;
        }
    }
    exempt_ = words;
    number(exempt);
  }

  std::uint32_t exempt() const { return exempt_; }
  /// Returns the number of registers of the program after the renumbering. It may be larger than before,
  /// because a group (such as a 64-bit pair) may have to skip numbers.
  std::uint32_t registers() const { return registers_; }
  std::uint32_t of(std::uint32_t reg) const { return numbers_[reg]; }

 private:
  bool some(const std::vector<bool>& exempt, std::uint32_t words) const {
    for (std::size_t u = 0; u < units_.size(); ++u)
      if (!exempt[u] && units_[u].words == words) return true;
    return false;
  }
  void number(const std::vector<bool>& exempt) {
    numbers_.resize(registers_);
    std::uint32_t next = 0;
    const auto place = [&](const Unit& u) {
      for (std::uint32_t w = 0; w < u.words; ++w) numbers_[u.first + w] = next + w;
      next += u.words;
    };
    constexpr std::array<std::uint32_t, 4> kSizes = {8, 4, 2, 1};
    for (const std::uint32_t words : kSizes)
      for (std::size_t u = 0; u < units_.size(); ++u)
        if (exempt[u] && units_[u].words == words) place(units_[u]);
    // Assigns numbers to the registers that are not exempt. The next number goes to the largest group that
    // may begin at this number. If no group may begin there, the number stays unused.
    std::vector<Unit> left;
    for (std::size_t u = 0; u < units_.size(); ++u)
      if (!exempt[u]) left.push_back(units_[u]);
    std::sort(left.begin(), left.end(), [](const Unit& a, const Unit& b) { return a.first < b.first; });
    while (!left.empty()) {
      auto chosen = left.end();
      for (auto u = left.begin(); u != left.end(); ++u)
        if (next % u->words == 0 && (chosen == left.end() || u->words > chosen->words)) chosen = u;
      if (chosen == left.end()) {
        ++next;
        continue;
      }
      place(*chosen);
      left.erase(chosen);
    }
    registers_ = std::max(registers_, next);
  }

  std::vector<Unit> units_;
  std::uint32_t registers_ = 0, exempt_ = 0;
  std::vector<std::uint32_t> numbers_;
};

class ExemptRegisters : public ICompilerPass {
 public:
  ExemptRegisters(const ExemptParameters& parameters, Context& context)
      : parameters_(parameters), resident_warps_(context.resident_warps) {}

  PassStage stage() const override { return PassStage::after_allocation; }

  void run(CompilationUnit& unit) override {
    if (parameters_.table_bytes == 0) return;
    if (!resident_warps_)
      throw Error("compiler.passes", "\"exempt-registers\" has to know how many warps an SM holds",
                  "a run on a GPU, or table_bytes 0");
    const auto warps = static_cast<std::uint32_t>(std::max(1, resident_warps_(unit.program())));
    const std::uint32_t room = static_cast<std::uint32_t>(parameters_.table_bytes) * 8 /
                               (static_cast<std::uint32_t>(parameters_.entry_bits) * warps);
    if (unit.program().registers <= room) return;
    const Numbering numbers(units_of(unit), unit.program().registers - room);
    isa::Program& program = unit.edit();
    program.exempt_registers = numbers.exempt();
    program.registers = numbers.registers();
    program.notes.attach({"exempt-warps", {warps}});
    const auto renumber = [&numbers](isa::Operand& o) {
      if (o.is_reg()) o.reg = RegId(numbers.of(o.reg.value));
    };
    for (isa::Instruction& i : program.code) {
      for (isa::Operand& o : i.sources()) renumber(o);
      for (isa::Operand& o : i.destinations()) renumber(o);
    }
  }

 private:
  ExemptParameters parameters_;
  std::function<int(const isa::Program&)> resident_warps_;
};

const Registration<ICompilerPass, ExemptRegisters, ExemptParameters> exempt_registers_entry{
    "exempt-registers",
    "exempts the longest-lived registers from renaming, so that the others fit in the table (Jeon 2015, 7.1)",
    {.kinds = {"numbering"}, .before = {"register-hint", "flags"}}};

}  // namespace
}  // namespace heddle::compiler
