#include "tests/hierarchy/release_monitor.h"

#include <fmt/format.h>

#include <array>

#include "models/core/register_set.h"
#include "models/core/registry.h"
#include "models/isa/release_flags.h"
#include "models/ports/register_stage.h"

namespace heddle::hierarchy {

ReleaseLog& release_log() {
  static ReleaseLog log;
  return log;
}

namespace {

struct Asked {
  const isa::Program* program = nullptr;
  KernelId kernel{};
  std::vector<RegisterSet> flags, lists;
};

Asked requested_by(const isa::Program& program) {
  Asked asked{&program, {}, {}, {}};
  isa::ReleaseLatch latch;
  RegisterSet listed;
  for (const isa::Instruction& i : program.code) {
    RegisterSet flags, lists;
    const isa::ReleaseWord kind = isa::release_word(i);
    if (kind == isa::ReleaseWord::pir) latch.receive_pir(isa::release_field(i.payload));
    for (const std::uint32_t r : isa::listed_registers(kind, i.payload)) listed.set(r);
    if (!i.metadata) {
      isa::for_each_released_word(i, latch.flags(), [&flags](std::uint32_t r) { flags.set(r); });
      latch.pass(i);
      RegisterSet written;
      for (const isa::Operand& o : i.destinations())
        if (o.is_reg())
          for (int w = 0; w < o.words(); ++w) written.set(o.reg.value + static_cast<std::uint32_t>(w));
      lists = listed.without(written);
      listed = {};
    }
    asked.flags.push_back(flags);
    asked.lists.push_back(lists);
  }
  return asked;
}

class ReleaseMonitor : public PassingStage {
 public:
  ReleaseMonitor(const NoParameters&, Context& context)
      : PassingStage(context), warps_(static_cast<std::size_t>(context.max_warps)) {}

  RegisterWants wants() const override { return wants::releases; }
  LifeSet subscriptions() const override { return {Life::warp_begins, Life::issued, Life::completed}; }
  std::optional<StageBalance> balance(const RegisterFlow& came) const override {
    return StageBalance{came, {}};
  }

  void warp_begins(const WarpBegins& warp) override {
    warps_[warp.warp.value] = {};
    if (warp.program == asked_.program && warp.kernel == asked_.kernel) return;
    asked_ = requested_by(*warp.program);
    asked_.kernel = warp.kernel;
  }

  void issued(const InFlight& item) override {
    Warp& warp = warps_[item.warp().value];
    const isa::Instruction& i = *item.instruction;
    const bool collects = item.collects();
    note(item.warp(), 'i', item.pc);
    for_each_word(i.destinations(), [&](std::uint32_t r) {
      if (warp.open.test(r))
        fault(item.warp(), r, fmt::format("is written at {} before a release of it has come", item.pc));
      warp.asked[r] = 0;
      if (collects) ++warp.writes[r];
    });
    if (collects) for_each_word(i.sources(), [&](std::uint32_t r) { ++warp.reads[r]; });
    ReleaseLog& log = release_log();
    asked_.lists[item.pc].for_each([&](std::uint32_t r) {
      ++log.by_lists;
      query(warp, r);
    });
    asked_.flags[item.pc].for_each([&](std::uint32_t r) {
      log.by_guarded_off += !collects && i.unit != isa::UnitClass::control;
      log.by_control += i.unit == isa::UnitClass::control;
      query(warp, r);
    });
  }

  void completed(const InFlight& item) override {
    Warp& warp = warps_[item.warp().value];
    if (item.instruction->unit == isa::UnitClass::control) return;
    for_each_word(item.instruction->destinations(), [&](std::uint32_t r) {
      --warp.writes[r];
      note(item.warp(), 'w', r);
    });
  }

 protected:
  Answer take(RegisterAccess& access) override {
    Warp& warp = warps_[access.warp.value];
    const std::uint32_t r = access.home.value;
    if (access.command == RegisterCommand::release) look_at_release(access, warp, r);
    const Answer answer = forward(access);
    if (answer == Answer::refused) return answer;
    if (access.command == RegisterCommand::read) --warp.reads[r];
    if (access.command == RegisterCommand::release) {
      ++release_log().came;
      --warp.asked[r];
      warp.open.clear(r);
      note(access.warp, 'r', r);
    }
    return answer;
  }
  void tick() override {}

 private:
  struct Warp {
    /// For each register: `reads`: number of issued reads that have not passed this stage; `writes`: number
    /// of issued writes that have not completed.
    std::array<int, 256> reads{}, writes{};
    std::array<int, 256> asked{};  ///< releases requested for each register since its last writer issued
    RegisterSet open;
    /// for each register, true if its release was requested while a result for it was in flight
    std::array<bool, 256> waits{};
  };

  template <class Operands, class F>
  static void for_each_word(const Operands& operands, F&& f) {
    for (const isa::Operand& o : operands)
      if (o.is_reg())
        for (int w = 0; w < o.words(); ++w) f(o.reg.value + static_cast<std::uint32_t>(w));
  }
  void query(Warp& warp, std::uint32_t r) {
    ++warp.asked[r];
    warp.open.set(r);
    warp.waits[r] = warp.writes[r] != 0;
  }
  void look_at_release(const RegisterAccess& access, Warp& warp, std::uint32_t r) {
    if (warp.asked[r] <= 0)
      fault(access.warp, r, "is released, and nothing that has issued asked for it");
    else if (warp.reads[r] != 0)
      fault(access.warp, r, "is released before it is read");
    else if (warp.writes[r] != 0)
      fault(access.warp, r, "is released while it is written");
    release_log().later += warp.waits[r];
    warp.waits[r] = false;
  }
  void fault(WarpId warp, std::uint32_t r, const std::string& what) {
    std::string& first = release_log().fault;
    if (first.empty()) first = fmt::format("cycle {}: r{} of warp {} {}", now(), r, warp.value, what);
  }
  void note(WarpId warp, char what, std::uint32_t of) {
    if (warp.value == 0) release_log().of_warp_0.push_back({now(), what, of});
  }

  Asked asked_;
  std::vector<Warp> warps_;
};

const Registration<RegisterStage, ReleaseMonitor> release_monitor_entry{
    "test-release-monitor", "holds releases to what flags ask for"};

}  // namespace
}  // namespace heddle::hierarchy
