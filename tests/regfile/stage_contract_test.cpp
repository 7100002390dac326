// Contract that every registered register stage must fulfil (register_access.h). Accesses to one register
// take effect in the order in which the stage accepted them. Accesses include releases, evictions and
// announced results. A refused access of one sender delays no other sender. No access is lost. transport_dbg
// returns the current value. After a flush, a stage contains no value of a descheduled warp. Results do not
// depend on the module order within a cycle.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <random>
#include <utility>

#include "models/core/registry.h"
#include "models/ports/register_file_parameters.h"
#include "models/ports/register_map.h"
#include "models/ports/register_stage.h"
#include "tests/regfile/stage_driver.h"
#include "tests/regfile/test_delay_stage.h"
#include "tests/support/simulation.h"

namespace heddle {
namespace {

constexpr std::uint32_t kWarps = 4, kRegisters = 6;

// Sends random accesses to the register path and compares every response with the expected one.
class Requester : public ClockedModule, private RegisterBackwardInterface {
 public:
  Requester(const sc_core::sc_module_name& name, Clock& clock, int total, unsigned seed, bool may_release)
      : ClockedModule(name, clock),
        initiator("initiator"),
        left_(total),
        may_release_(may_release),
        random_(seed) {
    initiator.bind(*this);
    LaneVec poison;
    poison.fill(kPoison);
    shadow_.resize(kWarps * kRegisters, poison);
    live_.resize(kWarps * kRegisters, kAllLanes);
  }

  RegisterInitiatorSocket initiator;
  std::vector<RegisterStage*> path;
  /// last stage of the path under test: the banks, or the stage that maps registers to entries
  RegisterStage* floor = nullptr;
  int accepted = 0, answered = 0, refused = 0, flushes = 0, releases = 0, announced = 0;
  std::vector<std::string> errors;
  std::vector<std::pair<Cycle, int>> log;  ///< cycle and access number of every acceptance (+) and answer (-)

 private:
  struct Job {
    RegisterAccess access;
    RegisterPrepare prepare;
    OperandWord operand;
    LaneVec values, expected;
    int number = 0;
    /// number of the announced write, in the job of the announcement (`prepare`) and in the job of the write;
    /// 0 in all other jobs (accesses)
    int promised = 0;
  };

  struct Sender {
    Job* held = nullptr;
    CycleCredit credit;
  };

  void tick() override {
    take_releases();
    deschedule();
    for (int i = 0; i < 3; ++i) {
      Sender& sender = senders_[(last_taken_ + 1 + static_cast<std::size_t>(i)) % kSenders];
      if (sender.credit.may_send(now()) && (sender.held || may_make(sender))) offer_one(sender);
    }
    check_current_value();
    if (holds_any() || left_ > 0 || !promises_.empty() || answered < accepted) clock().wake();
  }

  // From the cycle after a register's release on, expects poison in all lanes of the register.
  void take_releases() {
    std::erase_if(released_, [this](const Released& released) {
      if (released.said >= now()) return false;
      if (touched_[released.at] == released.number) live_[released.at] = kAllLanes;
      return true;
    });
  }

  bool may_make(const Sender& sender) const {
    return left_ > 0 || (&sender == &senders_[kResults] && !promises_.empty());
  }

  bool holds_any() const {
    return std::any_of(senders_.begin(), senders_.end(), [](const Sender& s) { return s.held != nullptr; });
  }

  void offer_one(Sender& sender) {
    if (!sender.held) sender.held = make_job(&sender == &senders_[kResults]);
    Job& job = *sender.held;
    const std::size_t at = index(job.access.warp, job.access.home);
    LaneVec& value = shadow_[at];
    const LaneVec before = value;
    const LaneMask live_before = live_[at];
    job.expected = value;
    const int touched_before = std::exchange(touched_[at], job.number);
    if (job.access.command == RegisterCommand::release) {
      value.fill(kPoison);
      live_[at] = 0;
    } else if (job.access.command == RegisterCommand::write) {
      merge_lanes(value, job.values, job.access.mask);
      live_[at] |= job.access.mask;
      job.access.instruction = inactive(job.access.warp) ? &load_ : &add_;
    } else if (job.access.command == RegisterCommand::read) {
      job.operand.annotation.last_use = random_() % 8 == 0;
      job.access.mask &= live_[at];
      if (job.operand.annotation.last_use) live_[at] = 0;
      job.access.instruction = random_() % 3 ? &add_ : &shared_;
    }
    ++outstanding_[job.access.warp.value];
    ++accepted;
    const RegisterAnswer answer = offer(initiator, job.access);
    if (answer != RegisterAnswer::refused) {
      log.emplace_back(now(), job.number);
      sender.held = nullptr;
      last_taken_ = static_cast<std::size_t>(&sender - senders_.data());
      if (job.access.command == RegisterCommand::prepare) promise(job);
      if (answer == RegisterAnswer::answered) take_answer(job);
      return;
    }
    value = before;
    live_[at] = live_before;
    touched_[at] = touched_before;
    --outstanding_[job.access.warp.value];
    --accepted;
    ++refused;
    sender.credit.refused(now());
  }

  Job* make_job(bool result) {
    Job& job = jobs_.emplace_back();
    job.access.operand = &job.operand;
    if (result && !promises_.empty()) return &write_promised(job);
    job.number = --left_ + 1;
    const unsigned kind = static_cast<unsigned>(random_() % 16);
    job.access.command = !result                    ? RegisterCommand::read
                         : kind < 2 && may_release_ ? RegisterCommand::release
                         : kind == 2                ? RegisterCommand::evict
                                                    : RegisterCommand::write;
    WarpId warp(random_() % kWarps);
    if (draining_ && warp.value == next_) warp = WarpId((next_ + 1) % kWarps);
    // A descheduled warp may receive only results of long-latency operations, so use another warp.
    if (job.access.command != RegisterCommand::write && inactive(warp))
      warp = WarpId((warp.value + 1) % kWarps);
    job.access.set_register(warp, RegId(random_() % kRegisters));
    if (!result && kind < 4 && left_ > 0 && !promised_[index(warp, job.access.home)]) announce(job);
    job.access.mask = random_() % 3 ? kAllLanes : static_cast<LaneMask>(random_());
    job.access.source = result ? RegisterAccess::kResultBus : static_cast<std::uint16_t>(random_() % 4);
    return &complete(job);
  }

  Job& complete(Job& job) {
    job.access.values = &job.values;
    job.access.owner = &job;
    if (job.access.command == RegisterCommand::write)
      for (int lane = 0; lane < kLanes; ++lane) job.values[lane] = static_cast<std::uint32_t>(random_());
    return job;
  }

  static std::size_t index(WarpId warp, RegId reg) {
    return warp.value * std::size_t{kRegisters} + reg.value;
  }

  void announce(Job& job) {
    job.promised = --left_ + 1;
    job.access.command = RegisterCommand::prepare;
    job.access.instruction = &add_;
    job.access.prepare = &job.prepare;
    job.prepare.uid = static_cast<std::uint64_t>(job.promised);
    job.prepare.destinations = 1;
    job.prepare.words[0].home = job.prepare.words[0].row = job.access.home;
  }

  void promise(const Job& job) {
    promises_.push_back({job.access.warp, job.access.home, job.promised});
    promised_[index(job.access.warp, job.access.home)] = true;
    ++outstanding_[job.access.warp.value];
  }

  Job& write_promised(Job& job) {
    const Promise promise = promises_.front();
    promises_.erase(promises_.begin());
    job.number = job.promised = promise.number;
    job.access.command = RegisterCommand::write;
    job.access.set_register(promise.warp, promise.reg);
    job.access.source = RegisterAccess::kResultBus;
    return complete(job);
  }

  bool inactive(WarpId warp) const { return leaving_ == static_cast<int>(warp.value); }

  // Deschedules one warp after another. Deschedules a warp when none of the warp's accesses is in flight.
  // Schedules the warp again when all stages have reported it as flushed.
  void deschedule() {
    if (leaving_ >= 0) {
      const WarpId warp(static_cast<std::uint32_t>(leaving_));
      for (RegisterStage* stage : path)
        if (!stage->flushed(warp)) return;
      for (std::uint32_t r = 0; r < kRegisters; ++r) check(floor->target, warp, RegId(r), "after the flush");
      ++flushes;
      for (RegisterStage* stage : path) stage->warp_activated(warp);
      leaving_ = -1;
      next_ = (next_ + 1) % kWarps;
      return;
    }
    if (now() % 7 == 0) draining_ = true;
    const auto holds_next = [this](const Sender& s) { return s.held && s.held->access.warp.value == next_; };
    if (!draining_ || outstanding_[next_] || last_answer_[next_] >= now() ||
        std::any_of(senders_.begin(), senders_.end(), holds_next))
      return;
    draining_ = false;
    leaving_ = static_cast<int>(next_);
    for (RegisterStage* stage : path) stage->warp_deactivated(WarpId(next_));
    clock().wake();
  }

  void check_current_value() {
    check(path.front()->target, WarpId(static_cast<std::uint32_t>(now()) % kWarps),
          RegId(static_cast<std::uint32_t>(now() / kWarps) % kRegisters), "as the current value");
  }

  void check(RegisterTargetSocket& target, WarpId warp, RegId reg, const char* when) {
    RegisterAccess access;
    LaneVec values;
    access.set_register(warp, reg);
    access.values = &values;
    target.get_base_export()->transport_dbg(access);
    const std::size_t at = warp.value * kRegisters + reg.value;
    for (int lane = 0; lane < kLanes; ++lane)
      if ((live_[at] >> lane & 1) && values[lane] != shadow_[at][lane]) {
        errors.push_back("transport_dbg differs " + std::string(when) + " in cycle " + std::to_string(now()));
        return;
      }
  }

  tlm::tlm_sync_enum nb_transport_bw(RegisterAccess& access, tlm::tlm_phase& phase,
                                     sc_core::sc_time&) override {
    clock().wake();
    if (phase == tlm::BEGIN_RESP)
      take_answer(*static_cast<Job*>(access.owner));
    else
      for (Sender& sender : senders_) sender.credit.retried(now());
    return tlm::TLM_COMPLETED;
  }

  void take_answer(Job& job) {
    const RegisterAccess& access = job.access;
    ++answered;
    --outstanding_[access.warp.value];
    last_answer_[access.warp.value] = now();
    log.emplace_back(now(), -job.number);
    const std::size_t at = index(access.warp, access.home);
    releases += access.command == RegisterCommand::release;
    announced += access.command == RegisterCommand::prepare;
    if (access.command == RegisterCommand::release) released_.push_back({now(), at, job.number});
    if (access.command == RegisterCommand::write && job.promised) {
      --outstanding_[access.warp.value];
      promised_[at] = false;
      WarpContext context;
      context.warp = access.warp;
      InFlight item;
      item.context = &context;
      item.instruction = &add_;
      item.uid = static_cast<std::uint64_t>(job.promised);
      item.mask = access.mask;
      for (RegisterStage* stage : path)
        if (stage->subscriptions().has(Life::completed)) stage->completed(item);
    }
    if (access.command == RegisterCommand::read)
      for (int lane = 0; lane < kLanes; ++lane)
        if ((access.mask >> lane & 1) && job.values[lane] != job.expected[lane]) {
          errors.push_back("read " + std::to_string(job.number) +
                           " has another value than was written before it");
          break;
        }
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  int left_;
  bool may_release_;
  std::mt19937 random_;
  std::deque<Job> jobs_;
  static constexpr std::size_t kSenders = 2, kResults = 1;
  std::array<Sender, kSenders> senders_;
  /// index of the sender whose access was accepted last; in the next cycle, the next sender goes first
  std::size_t last_taken_ = 0;
  std::vector<LaneVec> shadow_;
  std::vector<LaneMask> live_;
  struct Promise {
    WarpId warp;
    RegId reg;
    int number;
  };
  struct Released {
    Cycle said;
    std::size_t at;
    int number;
  };
  std::vector<Released> released_;
  std::vector<Promise> promises_;
  std::array<bool, kWarps * kRegisters> promised_{};
  std::array<int, kWarps * kRegisters> touched_{};
  std::array<int, kWarps> outstanding_{};
  std::array<Cycle, kWarps> last_answer_{};
  /// true: send no more accesses of warp next_, because it will be descheduled next
  bool draining_ = false;
  int leaving_ = -1;
  std::uint32_t next_ = 0;
  const isa::Instruction add_ = make_int_add(), load_ = make_global_load(), shared_ = make_shared_load();
};

struct Outcome {
  int accepted, answered, refused, flushes, releases, announced;
  std::vector<std::string> errors;
  std::vector<std::pair<Cycle, int>> log;
};

Outcome run(const std::vector<std::string>& stages, const std::string& banks, bool requester_first,
            unsigned seed, bool may_release = true) {
  const testing_support::Simulation simulation;
  RegisterFileParameters parameters;
  parameters.banks.count = 2;
  read_fields(parse_config_text(banks, "test"), parameters.banks);
  RegisterMap map(parameters.banks, kWarps);
  StatsRegistry stats;
  RunStatus status;
  Clock clock("clock", sc_core::sc_time(1, sc_core::SC_NS), status);
  std::unique_ptr<Requester> requester;
  if (requester_first) requester = std::make_unique<Requester>("requester", clock, 400, seed, may_release);
  std::vector<std::unique_ptr<RegisterStage>> path;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const std::string name = "stage" + std::to_string(i);
    const sc_core::sc_module_name module_name(name.c_str());
    RegisterStageContext context{module_name, &clock, StatsScope(stats, name), &map, &parameters, kWarps};
    path.push_back(Registry<RegisterStage>::instance().make(parse_config_text(stages[i], "test"), context));
  }
  for (std::size_t i = 0; i + 1 < path.size(); ++i) path[i]->bind_below(*path[i + 1]);
  if (!requester) requester = std::make_unique<Requester>("requester", clock, 400, seed, may_release);
  requester->initiator.bind(path.front()->target);
  for (auto& stage : path) requester->path.push_back(stage.get());
  RegisterMapping* mapping = &map;
  requester->floor = path.back().get();
  for (auto& stage : path)
    if (RegisterMapping* provided = stage->provided_mapping()) {
      mapping = provided;
      requester->floor = stage.get();
    }
  for (auto& stage : path) stage->set_mapping(*mapping);
  for (std::uint32_t w = 0; w < kWarps; ++w) {
    mapping->bind_warp(WarpId(w), kRegisters);
    WarpBegins begins;
    begins.warp = WarpId(w);
    begins.registers = kRegisters;
    for (auto& stage : path) stage->warp_begins(begins);
  }
  clock.start(1);
  sc_core::sc_start(sc_core::sc_time(20, sc_core::SC_US));
  status.rethrow();
  return {requester->accepted, requester->answered,  requester->refused, requester->flushes,
          requester->releases, requester->announced, requester->errors,  requester->log};
}

std::vector<std::vector<std::string>> stacks() {
  std::vector<std::vector<std::string>> all{{"\"banks\""}};
  for (const auto& [name, entry] : Registry<RegisterStage>::instance().entries()) {
    if (name == "banks") continue;
    const std::string quoted = "\"" + name + "\"";
    all.push_back({quoted, "\"banks\""});
    all.push_back({quoted, quoted, "\"banks\""});
  }
  all.push_back({R"({"type": "test-delay", "queue_entries": 1, "added_cycles": 0})", "\"banks\""});
  for (const char* options :
       {R"("entries": 1, "ways": 1)", R"("entries": 2, "replacement": "lru", "read_ports": 1)",
        R"("entries": 4, "ways": 2, "capacity": "shared", "replacement": "lru")",
        R"("entries": 2, "capacity": "shared", "allocate": "results-and-sources", "queue_entries": 1)",
        R"("entries": 2, "allocate": "results-and-sources", "bypass_long_latency": false)",
        R"("entries": 3, "shared_units": "closed", "miss_cycles": 2)",
        R"("entries": 4, "banks": 2, "tag_check_cycles": 1, "liveness_hints": false)"}) {
    const std::string cache = R"({"type": "register-cache", )" + std::string(options) + "}";
    all.push_back({cache, "\"banks\""});
    all.push_back({R"({"type": "register-cache", "entries": 1})", cache, "\"banks\""});
    all.push_back({"\"operand-file\"", cache, R"({"type": "test-delay", "queue_entries": 2})", "\"banks\""});
  }
  return all;
}

const char* const kBanks[] = {
    R"({"queue_entries": 64})",
    R"({"queue_entries": 1})",
    R"({"queue_entries": 1, "ports": "1r1w", "layout": "wshift", "latency_cycles": 3})",
    R"({"queue_entries": 3, "layout": "wshift", "count": 4})",
};

std::string text(const std::vector<std::string>& stages, const char* banks) {
  std::string all;
  for (const std::string& stage : stages) all += stage + " ";
  return all + "over " + banks;
}

std::string difference(std::vector<std::pair<Cycle, int>> a, std::vector<std::pair<Cycle, int>> b) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  const auto [x, y] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  const auto entry = [](auto at, const auto& log) {
    return at == log.end() ? "end" : std::to_string(at->first) + ":" + std::to_string(at->second);
  };
  return x == a.end() && y == b.end() ? "" : entry(x, a) + " and " + entry(y, b);
}

TEST(StageContract, OrderValuesAndNothingLost) {
  ASSERT_STREQ(test_delay_stage(), "test-delay");
  ASSERT_GE(stacks().size(), 4u);
  for (const auto& stages : stacks())
    for (const char* banks : kBanks)
      for (const unsigned seed : {1u, 2u}) {
        const Outcome o = run(stages, banks, true, seed);
        EXPECT_EQ(o.accepted, 400) << text(stages, banks);
        EXPECT_GT(o.releases, 5) << text(stages, banks);
        EXPECT_GT(o.announced, 5) << text(stages, banks);
        EXPECT_EQ(o.answered, 400) << text(stages, banks);
        EXPECT_TRUE(o.errors.empty()) << o.errors.front() << ": " << text(stages, banks);
        EXPECT_GT(o.flushes, 5) << text(stages, banks);
      }
}

// The banks refuse an access for two reasons only: a full queue, or an outstanding release of the entry.
TEST(StageContract, SmallQueuesRefuse) {
  EXPECT_GT(run({"\"banks\""}, R"({"queue_entries": 1})", true, 1, false).refused, 20);
  EXPECT_EQ(run({"\"banks\""}, R"({"queue_entries": 600})", true, 1, false).refused, 0);
  EXPECT_GT(run({"\"banks\""}, R"({"queue_entries": 600})", true, 1, true).refused, 0);
}

TEST(StageContract, OrderOfModulesDoesNotShow) {
  for (const auto& stages : stacks())
    for (const char* banks : kBanks) {
      EXPECT_EQ(difference(run(stages, banks, true, 3).log, run(stages, banks, false, 3).log), "")
          << text(stages, banks);
    }
}

}  // namespace
}  // namespace heddle
