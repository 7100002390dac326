#include "models/compiler/reuse_bits.h"

#include <algorithm>
#include <array>
#include <vector>

#include "models/compiler/analyses/forward_flow.h"
#include "models/compiler/analyses/use_def.h"

namespace heddle::compiler {
namespace {

using isa::Instruction;

constexpr std::size_t kReusePlaces = kReuseBanks * kReusePositions;

std::size_t reuse_place(std::uint32_t word, std::size_t slot) {
  return word % kReuseBanks * kReusePositions + slot;
}

// For each entry of the reuse cache (one entry per bank and operand position): the registers whose values
// the entry may hold.
struct ReuseState {
  struct Entry {
    std::uint32_t word = 0;
    bool stale = false;  ///< The register has been written after its value was stored in the cache.
    auto operator<=>(const Entry&) const = default;
  };
  std::array<std::vector<Entry>, kReusePlaces> places;

  static bool add(std::vector<Entry>& place, Entry entry) {
    const auto at = std::lower_bound(place.begin(), place.end(), entry);
    if (at != place.end() && *at == entry) return false;
    place.insert(at, entry);
    return true;
  }
  bool join(const ReuseState& other) {
    bool grown = false;
    for (std::size_t p = 0; p < kReusePlaces; ++p)
      for (const Entry& entry : other.places[p]) grown = add(places[p], entry) || grown;
    return grown;
  }
};

/// Calls f(slot, word) for each operand word that the instruction may read from the reuse cache.
template <class F>
void for_each_cached_read(const Instruction& i, const isa::LatencyTable& table, F&& f) {
  if (i.unit == isa::UnitClass::control || table.is_variable(i)) return;
  for (std::size_t s = 0; s < std::min<std::size_t>(i.num_src, kReusePositions); ++s)
    for_each_word(i.src[s], [&](std::uint32_t word) { f(s, word); });
}

bool finds_stale(const Instruction& i, const isa::LatencyTable& table, const ReuseState& cache,
                 std::uint32_t& word) {
  bool found = false;
  for_each_cached_read(i, table, [&](std::size_t slot, std::uint32_t w) {
    const auto& place = cache.places[reuse_place(w, slot)];
    if (found || !std::binary_search(place.begin(), place.end(), ReuseState::Entry{w, true})) return;
    found = true;
    word = w;
  });
  return found;
}

void pass_reuse(const Instruction& i, const isa::LatencyTable& table, ReuseState& cache) {
  if (i.metadata) return;
  // Only instructions without a guard remove values from the reuse cache here. A guarded instruction whose
  // guard passes in no lane reads nothing and removes nothing.
  if (!i.guard.present)
    for_each_cached_read(
        i, table, [&](std::size_t slot, std::uint32_t w) { cache.places[reuse_place(w, slot)].clear(); });
  for_each_cached_read(i, table, [&](std::size_t slot, std::uint32_t w) {
    if (i.src[slot].annotation.reuse) ReuseState::add(cache.places[reuse_place(w, slot)], {w, false});
  });
  for_each_written_word(i, [&](std::uint32_t w) {
    for (std::size_t slot = 0; slot < kReusePositions; ++slot) {
      auto& place = cache.places[reuse_place(w, slot)];
      const auto fresh = std::lower_bound(place.begin(), place.end(), ReuseState::Entry{w, false});
      if (fresh == place.end() || *fresh != ReuseState::Entry{w, false}) continue;
      place.erase(fresh);
      ReuseState::add(place, {w, true});
    }
  });
}

// Sets the reuse bits of a block, walking backwards. Keeps, for each bank and operand position, the register
// that the next fixed-latency instruction reads there. Forgets this register at an instruction that writes it.
class BlockReuse {
 public:
  explicit BlockReuse(const isa::LatencyTable& table) : table_(table) {}

  void visit(Instruction& i) {
    if (i.metadata) return;
    for_each_written_word(i, [&](std::uint32_t w) {
      for (std::size_t slot = 0; slot < kReusePositions; ++slot) {
        Next& next = next_[reuse_place(w, slot)];
        if (next.known && next.word == w) next.known = false;
      }
    });
    for (std::size_t s = 0; s < i.num_src; ++s) {
      isa::Operand& o = i.src[s];
      // An instruction with a guard gets no reuse bit: the lanes that its guard disables may later need the
      // old value that the cache entry holds.
      o.annotation.reuse = !i.guard.present && can_reuse(i, s, table_) && is_read_next(o, s);
    }
    // For the instructions before this one, this read is the next read of its reuse cache entry. If the
    // instruction has a guard, the register of the next read is unknown: if no lane passes the guard, a later
    // instruction reads the entry next.
    for_each_cached_read(i, table_, [&](std::size_t slot, std::uint32_t w) {
      next_[reuse_place(w, slot)] = {!i.guard.present, w};
    });
  }

 private:
  struct Next {
    bool known = false;
    std::uint32_t word = 0;
  };
  bool is_read_next(const isa::Operand& o, std::size_t slot) const {
    bool all = true;
    for_each_word(o, [&](std::uint32_t w) {
      const Next& next = next_[reuse_place(w, slot)];
      all = all && next.known && next.word == w;
    });
    return all;
  }

  const isa::LatencyTable& table_;
  std::array<Next, kReusePlaces> next_{};
};

}  // namespace

bool can_reuse(const Instruction& i, std::size_t slot, const isa::LatencyTable& table) {
  return slot < kReusePositions && slot < i.num_src && i.unit != isa::UnitClass::control &&
         !table.is_variable(i) && (i.src[slot].words() == 1 || i.src[slot].words() == 2);
}

void set_reuse_bits(isa::Program& program, const ControlFlow& flow, const isa::LatencyTable& table) {
  for (int b = 0; b < flow.size(); ++b) {
    BlockReuse block(table);
    for (std::uint32_t n = flow.block(b).end; n-- > flow.block(b).first;) block.visit(program.code[n]);
  }
}

std::optional<StaleReuse> find_stale_reuse(const isa::Program& program, const ControlFlow& flow,
                                           const WarpFlow& warp, const isa::LatencyTable& table) {
  const auto walk = [&](int b, ReuseState& cache) {
    for (std::uint32_t n = flow.block(b).first; n < flow.block(b).end; ++n)
      pass_reuse(program.code[n], table, cache);
  };
  const std::vector<ReuseState> in = solve_forward(warp, ReuseState{}, walk);
  std::optional<StaleReuse> first;
  for (const int node : warp.order()) {
    if (!warp.is_block(node)) continue;
    ReuseState cache = in[static_cast<std::size_t>(node)];
    for (std::uint32_t n = flow.block(node).first; n < flow.block(node).end; ++n) {
      const Instruction& i = program.code[n];
      std::uint32_t word = 0;
      if (!i.metadata && (!first || n < first->instruction) && finds_stale(i, table, cache, word))
        first = StaleReuse{n, word};
      pass_reuse(i, table, cache);
    }
  }
  return first;
}

}  // namespace heddle::compiler
