// Models the stage "read-distances", which counts reads and delays no access. The stage sorts the reads by two
// properties: the cycles since the last access to the same register, and the level that serves the read (Bailey
// 2018, Fig. 12). A read counts as served by an operand-file entry if the compiler has annotated the operand
// with an entry. Any other read counts as served by a cache if the next stage answers it at once (within the
// call of forward()), otherwise as served by the banks.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "models/core/part_arrays.h"
#include "models/core/registry.h"
#include "models/ports/register_stage.h"

namespace heddle {
namespace {

constexpr std::array<Cycle, 13> kLows = {0, 2, 4, 8, 12, 16, 20, 32, 64, 128, 256, 512, 1024};
constexpr std::size_t kRegisters = 256;

class ReadDistances : public PassingStage {
 public:
  ReadDistances(const NoParameters&, Context& context)
      : PassingStage(context), last_(static_cast<std::size_t>(context.max_warps) * kRegisters, kNever) {
    add(context.stats, entries_, "entries", "served by an entry of the operand file");
    add(context.stats, caches_, "caches", "served by a cache");
    add(context.stats, banks_, "banks", "that reached the banks");
  }

  LifeSet subscriptions() const override { return {Life::warp_begins}; }
  void warp_begins(const WarpBegins& begins) override {
    const std::size_t first = begins.warp.value * kRegisters;
    std::fill_n(last_.begin() + static_cast<std::ptrdiff_t>(first), kRegisters, kNever);
  }
  std::optional<StageBalance> balance(const RegisterFlow& came) const override {
    return StageBalance{came, {}};
  }

 protected:
  void tick() override {}

  Answer take(RegisterAccess& access) override {
    const bool read = access.command == RegisterCommand::read;
    if (!read && access.command != RegisterCommand::write) return forward(access);
    const Answer answer = forward(access);
    if (answer == Answer::refused) return answer;
    Cycle& last = last_[access.warp.value * kRegisters + access.home.value];
    if (read) {
      const bool from_entry = access.annotation().read_level != isa::kMainLevel;
      ++*(from_entry ? entries_ : answer == Answer::answered ? caches_ : banks_)[bin_of(last)];
    }
    last = now();
    return answer;
  }

 private:
  using Bins = std::array<Counter*, kLows.size() + 1>;

  static void add(const StatsScope& stats, Bins& bins, const char* name, const char* what) {
    for (std::size_t i = 0; i < kLows.size(); ++i) {
      const std::string bin = i + 1 < kLows.size() ? fmt::format("{}_{}_{}", name, kLows[i], kLows[i + 1] - 1)
                                                   : fmt::format("{}_{}_up", name, kLows[i]);
      bins[i] = &stats.add(bin, "accesses", fmt::format("reads {}, by cycles since the last access", what));
    }
    bins[kLows.size()] = &stats.add(fmt::format("{}_first", name), "accesses",
                                    fmt::format("reads {}, of registers not accessed before", what));
  }

  std::size_t bin_of(Cycle last) const {
    if (last == kNever) return kLows.size();
    std::size_t bin = kLows.size() - 1;
    while (now() - last < kLows[bin]) --bin;
    return bin;
  }

  std::vector<Cycle> last_;
  Bins entries_{}, caches_{}, banks_{};
};

const Registration<RegisterStage, ReadDistances> read_distances_entry{
    "read-distances",
    "counts reads by the level that serves them and by the cycles since the register's last access; changes "
    "no result",
    {.kinds = {"probe"}, .before = {"level", "mapping", "banks"}}};

const Arrays<RegisterStage> read_distances_arrays{"read-distances", {}};

}  // namespace
}  // namespace heddle
