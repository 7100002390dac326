#include "models/compiler/register_pressure.h"

#include <algorithm>
#include <cmath>

#include "models/compiler/analyses/sparse_set.h"
#include "models/compiler/analyses/variable_access.h"

namespace heddle::compiler {

using isa::Instruction;
using isa::Operand;

BlockLiveness variable_liveness(const isa::Program& program, const ControlFlow& flow,
                                const VariableAccess& access) {
  std::vector<BlockAccesses> blocks(static_cast<std::size_t>(flow.size()));
  const auto n = access.parts();
  std::vector<int> killed_in(n, kNoBlock), exposed_in(n, kNoBlock);
  for (int b = 0; b < flow.size(); ++b) {
    BlockAccesses& of = blocks[static_cast<std::size_t>(b)];
    for (std::uint32_t at = flow.block(b).first; at < flow.block(b).end; ++at) {
      const Instruction& i = program.code[at];
      access.for_each_read(i, [&](int v) {
        const auto x = static_cast<std::size_t>(v);
        if (killed_in[x] == b || exposed_in[x] == b) return;
        exposed_in[x] = b;
        of.exposed.push_back(static_cast<std::uint32_t>(v));
      });
      for (const Operand& o : i.destinations()) {
        if (!access.mine(o) || !access.kills(i, o)) continue;
        access.for_each_part(o, [&](int part) {
          const auto x = static_cast<std::size_t>(part);
          if (killed_in[x] == b) return;
          killed_in[x] = b;
          of.killed.push_back(static_cast<std::uint32_t>(x));
        });
      }
    }
  }
  return BlockLiveness(flow, n, blocks);
}

namespace {

class Relief {
 public:
  Relief(const isa::Program& program, const ControlFlow& flow, const Variables& variables, RegisterClass cls,
         const Temporaries& temporaries, int registers)
      : program_(program),
        flow_(flow),
        access_(variables, cls, temporaries.fresh),
        registers_(registers),
        live_(variable_liveness(program, flow, access_)),
        kept_(live_.bits()),
        now_(access_.parts()),
        spilled_(access_.count(), false),
        worth_(access_.count(), 0) {
    kept_.fill();
    for (std::size_t v = 0; v < access_.count(); ++v)
      if (temporaries.temporary[variables.first[v]]) worth_[v] = -1;
  }

  std::vector<int> run() {
    if (!is_needed()) return {};
    weigh();
    for (const int b : flow_.order()) {
      begin(b);
      lower();
      walk(b, [this] { lower(); });
    }
    std::vector<int> chosen;
    for (std::size_t v = 0; v < spilled_.size(); ++v)
      if (spilled_[v]) chosen.push_back(static_cast<int>(v));
    return chosen;
  }

 private:
  bool is_needed() {
    std::uint64_t edges = 0;
    int most = 0;
    for (const int b : flow_.order()) {
      begin(b);
      walk(b, [&] {
        most = std::max(most, words_);
        edges += now_.size();
      });
      if (edges > kMostEdges && most > 2 * registers_) return true;
    }
    return false;
  }

  void begin(int b) {
    now_.clear();
    words_ = 0;
    BitSet out = live_.out(b);
    out.intersect(kept_);
    out.for_each([&](std::size_t bit) { insert(static_cast<int>(live_.member_of(bit))); });
  }

  template <class F>
  void walk(int b, F&& at_each) {
    for (std::uint32_t n = flow_.block(b).end; n-- > flow_.block(b).first;) {
      const Instruction& i = program_.code[n];
      for (const Operand& o : i.destinations())
        if (access_.mine(o) && access_.kills(i, o))
          access_.for_each_part(o, [this](int part) { erase(part); });
      access_.for_each_read(i, [&](int part) {
        if (!spilled_[variable_of(static_cast<std::size_t>(part))]) insert(part);
      });
      at_each();
    }
  }

  std::size_t variable_of(std::size_t part) const {
    return static_cast<std::size_t>(access_.variable_of(part));
  }
  void insert(int part) {
    if (now_.test(static_cast<std::size_t>(part))) return;
    now_.insert(static_cast<std::size_t>(part));
    words_ += access_.words_of_part(static_cast<std::size_t>(part));
  }
  void erase(int part) {
    if (!now_.test(static_cast<std::size_t>(part))) return;
    now_.erase(static_cast<std::size_t>(part));
    words_ -= access_.words_of_part(static_cast<std::size_t>(part));
  }

  // Computes each variable's expected number of accesses. An access counts ten times more for each enclosing
  // loop.
  void weigh() {
    for (const int b : flow_.order()) {
      const double weight = std::pow(10.0, std::min(flow_.block(b).loop_depth, 8));
      for (std::uint32_t n = flow_.block(b).first; n < flow_.block(b).end; ++n) {
        const auto add = [&](int part) {
          if (double& w = worth_[variable_of(static_cast<std::size_t>(part))]; w >= 0) w += weight;
        };
        access_.for_each_read(program_.code[n], add);
        for (const Operand& o : program_.code[n].destinations())
          if (access_.mine(o)) access_.for_each_part(o, add);
      }
    }
  }

  // Spills live variables, those with the fewest expected accesses first, until the current instruction has
  // at most the permitted number of live registers.
  void lower() {
    if (words_ <= registers_) return;
    std::vector<std::pair<double, int>> candidates;
    for (const std::uint32_t part : now_.members())
      if (const std::size_t v = variable_of(part); worth_[v] >= 0)
        candidates.emplace_back(worth_[v], static_cast<int>(v));
    if (static_cast<int>(candidates.size()) > 2 * registers_) {
      std::sort(candidates.begin(), candidates.end());
    } else {
      std::partial_sort(candidates.begin(),
                        candidates.begin() + std::min<std::ptrdiff_t>(2, std::ssize(candidates)),
                        candidates.end());
    }
    for (const auto& [worth, v] : candidates) {
      if (words_ <= registers_) return;
      spilled_[static_cast<std::size_t>(v)] = true;
      access_.for_each_part_of(v, [this](int part) {
        erase(part);
        if (const int bit = live_.bit_of(static_cast<std::size_t>(part)); bit >= 0)
          kept_.reset(static_cast<std::size_t>(bit));
      });
    }
  }

  // Largest number of edges for which the interference graph is built: twice the number of edges in the
  // largest known kernels.
  static constexpr std::uint64_t kMostEdges = 8'000'000;

  const isa::Program& program_;
  const ControlFlow& flow_;
  VariableAccess access_;
  int registers_;
  BlockLiveness live_;
  BitSet kept_;
  SparseSet now_;
  int words_ = 0;
  std::vector<bool> spilled_;
  std::vector<double> worth_;
};

}  // namespace

std::vector<int> relieve_pressure(const isa::Program& program, const ControlFlow& flow,
                                  const Variables& variables, RegisterClass cls,
                                  const Temporaries& temporaries, int registers) {
  return Relief(program, flow, variables, cls, temporaries, registers).run();
}

}  // namespace heddle::compiler
