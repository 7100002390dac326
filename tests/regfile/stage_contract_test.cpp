// What every registered register-file stage promises (register_access.h): accesses to one register take
// effect in the order of acceptance, nothing is lost under back-pressure, transport_dbg shows the current
// value at any time, and nothing hangs on the order of modules within a cycle.

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <random>

#include "models/core/registry.h"
#include "models/ports/register_stage.h"
#include "models/regfile/register_file_parameters.h"
#include "models/regfile/register_map.h"
#include "tests/regfile/test_delay_stage.h"
#include "tests/support/simulation.h"

namespace heddle {
namespace {

constexpr std::uint32_t kWarps = 4, kRegisters = 6;

// Offers random accesses and knows what every answer has to be.
class Requester : public ClockedModule, private RegisterBackwardInterface {
 public:
  Requester(const sc_core::sc_module_name& name, Clock& clock, int total, unsigned seed)
      : ClockedModule(name, clock), initiator("initiator"), left_(total), random_(seed) {
    initiator.bind(*this);
    LaneVec poison;
    poison.fill(kPoison);
    shadow_.resize(kWarps * kRegisters, poison);
  }

  RegisterInitiatorSocket initiator;
  int accepted = 0, answered = 0, refused = 0;
  std::vector<std::string> errors;
  std::vector<std::pair<Cycle, int>> log;  ///< cycle and number of every acceptance (+) and answer (-)

 private:
  struct Job {
    RegisterAccess access;
    LaneVec values, expected;
    int number = 0;
  };

  void tick() override {
    if (retried_in_ < now()) {
      may_send_ = true;
      retried_in_ = kNever;
    }
    for (int i = 0; i < 3 && may_send_ && (held_ || left_ > 0); ++i) offer_one();
    check_current_value();
    if (held_ || left_ > 0 || answered < accepted) clock().wake_next();
  }

  void offer_one() {
    if (!held_) held_ = make_job();
    Job& job = *held_;
    // The answer may come within the call.
    LaneVec& value = shadow_[job.access.warp.value * kRegisters + job.access.reg.value];
    const LaneVec before = value;
    job.expected = value;
    if (job.access.command == RegisterCommand::write) merge_lanes(value, job.values, job.access.mask);
    ++accepted;
    if (offer(initiator, job.access)) {
      log.emplace_back(now(), job.number);
      held_ = nullptr;
      return;
    }
    value = before;
    --accepted;
    ++refused;
    may_send_ = false;
  }

  Job* make_job() {
    Job& job = jobs_.emplace_back();
    job.number = --left_ + 1;
    job.access.command = random_() % 2 ? RegisterCommand::read : RegisterCommand::write;
    job.access.warp = WarpId(random_() % kWarps);
    job.access.reg = RegId(random_() % kRegisters);
    job.access.mask = random_() % 3 ? kAllLanes : static_cast<LaneMask>(random_());
    job.access.source = job.access.command == RegisterCommand::write
                            ? RegisterAccess::kResultBus
                            : static_cast<std::uint16_t>(random_() % 4);
    job.access.values = &job.values;
    job.access.owner = &job;
    if (job.access.command == RegisterCommand::write)
      for (int lane = 0; lane < kLanes; ++lane) job.values[lane] = static_cast<std::uint32_t>(random_());
    return &job;
  }

  void check_current_value() {
    RegisterAccess access;
    LaneVec values;
    access.warp = WarpId(static_cast<std::uint32_t>(now()) % kWarps);
    access.reg = RegId(static_cast<std::uint32_t>(now() / kWarps) % kRegisters);
    access.values = &values;
    initiator->transport_dbg(access);
    if (!(values == shadow_[access.warp.value * kRegisters + access.reg.value]))
      errors.push_back("transport_dbg differs in cycle " + std::to_string(now()));
  }

  tlm::tlm_sync_enum nb_transport_bw(RegisterAccess& access, tlm::tlm_phase& phase,
                                     sc_core::sc_time&) override {
    clock().wake_next();
    if (phase != tlm::BEGIN_RESP) {
      retried_in_ = now();
      return tlm::TLM_COMPLETED;
    }
    Job& job = *static_cast<Job*>(access.owner);
    ++answered;
    log.emplace_back(now(), -job.number);
    if (access.command == RegisterCommand::read)
      for (int lane = 0; lane < kLanes; ++lane)
        if ((access.mask >> lane & 1) && job.values[lane] != job.expected[lane]) {
          errors.push_back("read " + std::to_string(job.number) +
                           " has another value than was written before it");
          break;
        }
    return tlm::TLM_COMPLETED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  int left_;
  std::mt19937 random_;
  std::deque<Job> jobs_;
  Job* held_ = nullptr;
  bool may_send_ = true;
  Cycle retried_in_ = kNever;
  std::vector<LaneVec> shadow_;
};

struct Outcome {
  int accepted, answered, refused;
  std::vector<std::string> errors;
  std::vector<std::pair<Cycle, int>> log;
};

Outcome run(const std::vector<std::string>& stages, const std::string& banks, bool requester_first,
            unsigned seed) {
  const testing_support::Simulation simulation;
  RegisterFileParameters parameters;
  parameters.banks.count = 2;
  read_fields(parse_config_text(banks, "test"), parameters.banks);
  RegisterMap map(parameters.banks, kWarps);
  StatsRegistry stats;
  RunStatus status;
  Clock clock("clock", sc_core::sc_time(1, sc_core::SC_NS), status);
  std::unique_ptr<Requester> requester;
  if (requester_first) requester = std::make_unique<Requester>("requester", clock, 400, seed);
  std::vector<std::unique_ptr<RegisterStage>> path;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const std::string name = "stage" + std::to_string(i);
    const sc_core::sc_module_name module_name(name.c_str());
    RegisterStageContext context{module_name, &clock, StatsScope(stats, name), &map, &parameters, kWarps};
    path.push_back(Registry<RegisterStage>::instance().make(parse_config_text(stages[i], "test"), context));
  }
  for (std::size_t i = 0; i + 1 < path.size(); ++i) path[i]->bind_below(*path[i + 1]);
  if (!requester) requester = std::make_unique<Requester>("requester", clock, 400, seed);
  requester->initiator.bind(path.front()->target);
  for (std::uint32_t w = 0; w < kWarps; ++w) {
    map.place(WarpId(w), kRegisters);
    for (auto& stage : path) stage->warp_begins(WarpId(w), kRegisters);
  }
  clock.start(1);
  sc_core::sc_start(sc_core::sc_time(20, sc_core::SC_US));
  status.rethrow();
  return {requester->accepted, requester->answered, requester->refused, requester->errors, requester->log};
}

// Every stage that can stand above the banks, alone and twice, and the banks themselves.
std::vector<std::vector<std::string>> stacks() {
  std::vector<std::vector<std::string>> all{{"\"banks\""}};
  for (const auto& [name, entry] : Registry<RegisterStage>::instance().entries()) {
    if (name == "banks") continue;
    const std::string quoted = "\"" + name + "\"";
    all.push_back({quoted, "\"banks\""});
    all.push_back({quoted, quoted, "\"banks\""});
  }
  all.push_back({R"({"type": "test-delay", "queue_entries": 1, "added_cycles": 0})", "\"banks\""});
  return all;
}

const char* const kBanks[] = {
    R"({"queue_entries": 64})",
    R"({"queue_entries": 1})",
    R"({"queue_entries": 1, "ports": "1r1w", "layout": "wshift", "latency_cycles": 3})",
    R"({"queue_entries": 3, "layout": "wshift", "count": 4})",
};

TEST(StageContract, OrderValuesAndNothingLost) {
  ASSERT_STREQ(test_delay_stage(), "test-delay");
  ASSERT_GE(stacks().size(), 4u);
  for (const auto& stages : stacks())
    for (const char* banks : kBanks)
      for (const unsigned seed : {1u, 2u}) {
        const Outcome o = run(stages, banks, true, seed);
        EXPECT_EQ(o.accepted, 400) << stages.front() << " over " << banks;
        EXPECT_EQ(o.answered, 400) << stages.front() << " over " << banks;
        EXPECT_TRUE(o.errors.empty()) << o.errors.front() << ": " << stages.front() << " over " << banks;
      }
}

TEST(StageContract, SmallQueuesRefuse) {
  EXPECT_GT(run({"\"banks\""}, R"({"queue_entries": 1})", true, 1).refused, 20);
  EXPECT_EQ(run({"\"banks\""}, R"({"queue_entries": 600})", true, 1).refused, 0);
}

TEST(StageContract, OrderOfModulesDoesNotShow) {
  for (const auto& stages : stacks())
    for (const char* banks : kBanks) {
      auto sorted = [](std::vector<std::pair<Cycle, int>> log) {
        std::sort(log.begin(), log.end());
        return log;
      };
      EXPECT_EQ(sorted(run(stages, banks, true, 3).log), sorted(run(stages, banks, false, 3).log))
          << stages.front() << " over " << banks;
    }
}

}  // namespace
}  // namespace heddle
