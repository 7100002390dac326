#include "testbench/run/run_laws.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "models/core/error.h"
#include "models/operands/register_port.h"
#include "models/sm/sm.h"
#include "models/stages/pilot_profile.h"

namespace heddle::run {

// Counts, for each register, those accesses of the pilot warp that the stage `swapping` passes on. The pilot warp is
// the kernel's first warp in its partition.
class RunLaws::PilotRanks final : public LifeListener {
 public:
  PilotRanks(Sm& sm, std::size_t partition, RegisterStage& stage, Probe<PilotPoint>& profile)
      : stage_(&stage), settings_(profile.owner()), homes_(sm.parameters().homes()), partition_(partition) {
    stage.passes()->attach([this](const RegisterAccess& access, PassPoint::Answer*) { count(access); });
    profile.attach([this](const PilotView& view, std::vector<std::uint8_t>* ranked) {
      if (view.what == PilotView::ends && ranked) compare(*ranked);
    });
  }

  LifeSet subscriptions() const override { return {Life::kernel_begins, Life::warp_begins}; }
  void kernel_begins(const KernelBegins&) override {
    pilot_.reset();
    waits_ = true;
    counts_.fill(0);
  }
  void warp_begins(const WarpBegins& warp) override {
    if (!waits_ || homes_.partition(warp.warp) != partition_) return;
    waits_ = false;
    pilot_ = warp.warp;
  }

 private:
  void count(const RegisterAccess& access) {
    const bool word = access.command == RegisterCommand::read || access.command == RegisterCommand::write;
    if (word && pilot_ == access.warp && access.stage != stage_) ++counts_[access.home.value];
  }

  // Ranks the registers by the pilot warp's accesses: repeatedly takes the register with the most accesses.
  // This code is written apart from the pilot profile, whose ranking it checks.
  std::vector<std::uint8_t> ranks() const {
    const std::uint64_t most = (std::uint64_t{1} << settings_.counter_bits) - 1;
    std::array<std::uint64_t, 256> left{};
    for (std::size_t r = 0;
         r < std::min<std::size_t>(left.size(), static_cast<std::size_t>(settings_.counters)); ++r)
      left[r] = std::min(counts_[r], most);
    std::vector<std::uint8_t> ranked;
    while (ranked.size() < static_cast<std::size_t>(settings_.top)) {
      const auto largest = std::max_element(left.begin(), left.end());
      if (*largest == 0) break;
      ranked.push_back(static_cast<std::uint8_t>(largest - left.begin()));
      *largest = 0;
    }
    return ranked;
  }
  void compare(const std::vector<std::uint8_t>& ranked) const {
    if (ranked == ranks()) return;
    throw InternalError(
        fmt::format("{}: the pilot profile ranks registers {}, but the pilot warp's accesses rank {}",
                    stage_->name(), fmt::join(ranked, ", "), fmt::join(ranks(), ", ")));
  }

  const RegisterStage* stage_;
  PilotSettings settings_;
  WarpHomes homes_;
  std::size_t partition_;
  std::optional<WarpId> pilot_;
  bool waits_ = false;
  std::array<std::uint64_t, 256> counts_{};
};

namespace {

bool is_interlocked(const SmParameters& sm) {
  return choice_name(sm.register_file.operands) == "collectors" &&
         std::any_of(sm.constraints.begin(), sm.constraints.end(),
                     [](const ConfigNode& constraint) { return choice_name(constraint) == "scoreboard"; });
}

Probe<PilotPoint>* find_profile(RegisterStage& stage) {
  ProbeList list;
  stage.probes(ProbeScope(list, "stage"));
  for (const ProbeList::Part& part : list.parts)
    for (ProbePoint* point : part.points)
      if (auto* profile = point->as<PilotPoint>()) return profile;
  return nullptr;
}

}  // namespace

RunLaws::RunLaws(Gpu& gpu) : gpu_(&gpu) {
  for (const auto& sm : gpu.sms()) {
    if (!sm->parameters().register_file.orders_writes_after_reads()) {
      reads_.push_back(std::make_unique<ReadOrderLaw>(sm->name(), is_interlocked(sm->parameters())));
      sm->subscribe(*reads_.back());
    }
    for (int p = 0; p < sm->partitions(); ++p)
      for (const auto& stage : sm->register_port(p).path().stages()) {
        Probe<PilotPoint>* profile = find_profile(*stage);
        if (!profile || !stage->passes()) continue;
        ranks_.push_back(std::make_unique<PilotRanks>(*sm, static_cast<std::size_t>(p), *stage, *profile));
        sm->subscribe(*ranks_.back());
      }
  }
}

RunLaws::~RunLaws() = default;

void RunLaws::check_balances() const {
  for (const auto& sm : gpu_->sms())
    for (int p = 0; p < sm->partitions(); ++p) {
      const RegisterPath& path = sm->register_port(p).path();
      RegisterFlow came = path.taken();
      for (const auto& stage : path.stages()) {
        const std::optional<StageBalance> balance = stage->balance(came);
        if (!balance) break;
        for (const StageBalance::Rule& rule : balance->rules)
          if (rule.left != rule.right)
            throw InternalError(
                fmt::format("{}: {}: {} and {}", stage->name(), rule.what, rule.left, rule.right));
        came = balance->passed;
      }
    }
}

}  // namespace heddle::run
