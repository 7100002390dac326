// Renumbers registers so that registers that an instruction reads together lie in different banks. Assumes a
// core with two banks (Huerta 2025, section 5.3: bank = register number mod 2).
//
// Counts how often an instruction reads each pair of single registers, ten times more for each enclosing loop.
// If the previous read at an operand position was of the same register, the reuse cache serves the operand.
// Such an operand does not count. The conflict sum is the sum of these counts over all pairs in the same bank
// (both numbers even, or both odd). The pass swaps the numbers of an even and an odd register, as long as a
// swap lowers the conflict sum. The result is a local optimum. Registers of pairs and larger groups keep their
// numbers, and the number of registers stays the same.

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "models/compiler/analyses/use_def.h"
#include "models/compiler/i_compiler_pass.h"

namespace heddle::compiler {
namespace {

using isa::Instruction;

class BankGraph {
 public:
  BankGraph(const isa::Program& program, const ControlFlow& flow, const isa::LatencyTable* latencies)
      : registers_(program.registers), weights_(registers_ * registers_), grouped_(registers_) {
    for (int b = 0; b < flow.size(); ++b) {
      last_.fill(kNone);
      const double weight = std::pow(10.0, std::min(flow.block(b).loop_depth, 8));
      for (std::uint32_t n = flow.block(b).first; n < flow.block(b).end; ++n) {
        const Instruction& i = program.code[n];
        for (const isa::Operand& o : i.sources()) note_group(o);
        for (const isa::Operand& o : i.destinations()) note_group(o);
        if (i.metadata || i.unit == isa::UnitClass::control || (latencies && latencies->is_variable(i)))
          continue;
        add(i, weight);
      }
    }
  }

  std::uint32_t registers() const { return static_cast<std::uint32_t>(registers_); }
  double weight(std::size_t a, std::size_t b) const { return weights_[a * registers_ + b]; }
  bool is_grouped(std::size_t r) const { return grouped_[r]; }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  void note_group(const isa::Operand& o) {
    if (o.words() > 1) for_each_word(o, [this](std::uint32_t w) { grouped_[w] = true; });
  }
  void add(const Instruction& i, double weight) {
    std::vector<std::uint32_t> read;
    for (std::size_t s = 0; s < i.num_src; ++s) {
      const isa::Operand& o = i.src[s];
      if (!o.is_reg()) continue;
      const bool reused = s < last_.size() && o.words() == 1 && last_[s] == o.reg.value;
      if (!reused) for_each_word(o, [&](std::uint32_t w) { read.push_back(w); });
      if (s < last_.size()) last_[s] = o.words() == 1 ? o.reg.value : kNone;
    }
    for (const std::uint32_t a : read)
      for (const std::uint32_t b : read)
        if (a != b) weights_[a * registers_ + b] += weight;
  }

  std::size_t registers_;
  std::vector<double> weights_;
  std::vector<bool> grouped_;
  std::array<std::uint32_t, 3> last_{};  ///< register of the last read at each operand position
};

class Numbers {
 public:
  explicit Numbers(const BankGraph& graph) : graph_(graph), of_(graph.registers()), gain_(graph.registers()) {
    std::iota(of_.begin(), of_.end(), 0u);
    for (std::size_t r = 0; r < of_.size(); ++r)
      if (!graph_.is_grouped(r)) singles_.push_back(r);
    while (swap_best()) {
    }
  }
  std::uint32_t of(std::uint32_t r) const { return of_[r]; }

 private:
  bool odd(std::size_t r) const { return of_[r] % 2 != 0; }

  // Swaps the numbers of two registers if this lowers the conflict sum (expected number of times that an
  // instruction reads two registers of one bank). Chooses the swap that lowers it most. Returns false if no
  // swap lowers the sum.
  bool swap_best() {
    for (const std::size_t r : singles_) {
      gain_[r] = 0;
      for (std::size_t other = 0; other < of_.size(); ++other)
        gain_[r] += odd(r) == odd(other) ? graph_.weight(r, other) : -graph_.weight(r, other);
    }
    double best = 0;
    std::size_t even_one = 0, odd_one = 0;
    for (const std::size_t a : singles_)
      for (const std::size_t b : singles_)
        if (const double gain = gain_[a] + gain_[b] + 2 * graph_.weight(a, b);
            !odd(a) && odd(b) && gain > best) {
          best = gain;
          even_one = a;
          odd_one = b;
        }
    if (best <= 0) return false;
    std::swap(of_[even_one], of_[odd_one]);
    return true;
  }

  const BankGraph& graph_;
  std::vector<std::uint32_t> of_;  ///< new number of each register
  std::vector<double> gain_;       ///< decrease of the conflict sum if only this register changes its bank
  std::vector<std::size_t> singles_;
};

class RegisterBanks : public ICompilerPass {
 public:
  RegisterBanks(const NoParameters&, Context& context) : latencies_(context.latencies) {}
  PassStage stage() const override { return PassStage::after_allocation; }

  void run(CompilationUnit& unit) override {
    const BankGraph graph(unit.program(), unit.control_flow(), latencies_.get());
    const Numbers numbers(graph);
    const auto renumber = [&numbers](isa::Operand& o) {
      if (o.is_reg()) o.reg = RegId(numbers.of(o.reg.value));
    };
    for (Instruction& i : unit.edit().code) {
      for (isa::Operand& o : i.sources()) renumber(o);
      for (isa::Operand& o : i.destinations()) renumber(o);
    }
  }

 private:
  std::shared_ptr<const isa::LatencyTable> latencies_;
};

const Registration<ICompilerPass, RegisterBanks> register_banks_entry{
    "register-banks",
    "registers that are read together get numbers of different parity, for cores with two banks",
    {.kinds = {"numbering"}, .before = {"exempt-registers", "register-hint", "flags"}}};

}  // namespace
}  // namespace heddle::compiler
