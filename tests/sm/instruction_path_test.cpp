// Tests the instruction path of an SM: the transfers on each connection between modules, and a module of the
// test that is inserted into any connection.

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "models/ports/instruction_path.h"
#include "tests/determinism/small_run.h"

namespace heddle {
namespace {

// Program with additions, a special function, memory accesses and a barrier with a result, so that every
// connection is used.
const char* const kBody = R"(
  .reg .b64 %a<4>; .reg .b32 %r<8>; .reg .f32 %f<4>; .reg .pred %p<2>;
  ld.param.u64 %a0, [out]; ld.param.u64 %a1, [in];
  mov.u32 %r0, %tid.x; mul.wide.u32 %a2, %r0, 4; add.s64 %a1, %a1, %a2; add.s64 %a0, %a0, %a2;
  ld.global.u32 %r1, [%a1]; cvt.rn.f32.u32 %f0, %r1; rcp.approx.ftz.f32 %f1, %f0; fma.rn.f32 %f2, %f1, %f0, %f0;
  setp.gt.u32 %p0, %r1, 1010; barrier.red.popc.u32 %r2, 0, %p0;
  cvt.rzi.u32.f32 %r3, %f2; add.s32 %r4, %r3, %r2; st.global.u32 [%a0], %r4; ret;)";

struct Seen {
  Cycle cycle;
  std::uint64_t uid;
  ArrowNote note;
};
using Record = std::map<std::string, std::vector<Seen>>;

class Recorder : public InstructionTap {
 public:
  Recorder(const sc_core::sc_module_name& name, std::vector<Seen>& seen, const Clock*& clock)
      : InstructionTap(name), seen_(seen), clock_(clock) {}

  void receive(InstructionTransfer& note) override {
    seen_.push_back({clock_->now(), note.item ? note.item->uid : 0, note.note});
    InstructionTap::receive(note);
  }

 protected:
  bool take(InstructionTransfer& transfer) override {
    const std::uint64_t uid = transfer.item ? transfer.item->uid : 0;
    const bool taken = InstructionTap::take(transfer);
    if (taken) seen_.push_back({clock_->now(), uid, ArrowNote::none});
    return taken;
  }

 private:
  std::vector<Seen>& seen_;
  const Clock*& clock_;
};

small_run::Outcome run_recorded(Record& record, std::uint32_t threads) {
  const Clock* clock = nullptr;
  small_run::Request request;
  request.body = kBody;
  request.threads = threads;
  request.between = [&](SmId, const std::string& arrow) {
    std::string name = "recorder_" + std::to_string(record.size());
    return std::make_unique<Recorder>(name.c_str(), record[arrow], clock);
  };
  request.inspect = [&](Gpu& gpu) { clock = &gpu.sm(0).clock(); };
  return small_run::run_timed(request);
}

TEST(InstructionPath, ARecorderInEveryArrowChangesNothing) {
  small_run::Request plain;
  plain.body = kBody;
  plain.threads = 128;
  const small_run::Outcome alone = small_run::run_timed(plain);
  EXPECT_EQ(alone.out, small_run::run_reference(plain));
  Record record;
  const small_run::Outcome recorded = run_recorded(record, 128);
  EXPECT_EQ(recorded.out, alone.out);
  EXPECT_EQ(recorded.cycles, alone.cycles);
  for (const char* arrow :
       {"front_end-issue", "issue-p0_registers.collectors", "issue-p0_registers.result_bus",
        "p0_registers.collectors-p0_units", "p0_units-p0_units.int0", "p0_units-p0_units.fp0",
        "p0_units-p0_units.sfu0", "p0_units-load_store", "p0_units.int0-p0_registers.result_bus",
        "load_store-p0_registers.result_bus"})
    EXPECT_FALSE(record[arrow].empty()) << arrow;
}

class Steps : public tlm::tlm_analysis_if<LifeEvent> {
 public:
  void write(const LifeEvent& event) override {
    if (event.item) of_instruction[event.uid].push_back({event.what, event.cycle});
  }
  std::map<std::uint64_t, std::vector<std::pair<Life, Cycle>>> of_instruction;
};

// Every instruction passes the connections in order, each connection at least one cycle after the previous
// one.
TEST(InstructionPath, InstructionsPassTheArrowsInOrder) {
  Record record;
  run_recorded(record, 32);
  std::map<std::uint64_t, Cycle> at_collectors, at_units, at_bus;
  const auto note_down = [](std::map<std::uint64_t, Cycle>& at, const std::vector<Seen>& all) {
    for (const Seen& seen : all)
      if (seen.note == ArrowNote::none) at[seen.uid] = seen.cycle;
  };
  note_down(at_collectors, record["issue-p0_registers.collectors"]);
  note_down(at_units, record["p0_registers.collectors-p0_units"]);
  for (const auto& [arrow, all] : record)
    if (arrow.ends_with("result_bus") && !arrow.starts_with("issue")) note_down(at_bus, all);
  ASSERT_GT(at_collectors.size(), 8u);
  for (const auto& [uid, issued] : at_collectors) {
    EXPECT_GT(at_units.at(uid), issued);
    EXPECT_GT(at_bus.at(uid), at_units.at(uid));
  }
}

TEST(InstructionPath, EventsOfAnInstructionComeInOrder) {
  Steps steps;
  small_run::Request request;
  request.body = kBody;
  request.threads = 32;
  request.inspect = [&](Gpu& gpu) {
    gpu.sm(0).events.bind(steps);
    gpu.sm(0).observe_events();
  };
  small_run::run_timed(request);
  int whole = 0, arithmetic = 0, alone = 0;
  for (const auto& [uid, told] : steps.of_instruction) {
    for (std::size_t i = 1; i < told.size(); ++i) {
      EXPECT_LT(told[i - 1].first, told[i].first) << uid;
      EXPECT_LE(told[i - 1].second, told[i].second) << uid;
    }
    const bool issued = told.front().first == Life::issued;
    EXPECT_TRUE(issued || (told.size() == 1 && told.front().first == Life::completed)) << uid;
    if (!issued || told.size() == 1) {
      // Control instructions have only one life event (issued), and so has a barrier's write of its count
      // (completed).
      ++alone;
      continue;
    }
    LifeSet steps_of;
    for (const auto& step : told) steps_of = steps_of | LifeSet{step.first};
    for (const Life step : {Life::prepared, Life::reads_held, Life::dispatched, Life::completed})
      EXPECT_TRUE(steps_of.has(step)) << uid << " misses " << static_cast<int>(step);
    ++whole;
    arithmetic += steps_of.has(Life::left);
  }
  EXPECT_GT(whole, 8);
  EXPECT_GT(alone, 1);
  EXPECT_GT(arithmetic, 4);
  EXPECT_LT(arithmetic, whole) << "memory instructions leave no pipeline";
}

void list(const sc_core::sc_object& object, std::size_t depth, std::ostream& out) {
  for (const sc_core::sc_object* child : object.get_child_objects()) {
    const std::string kind = child->kind();
    const bool module = dynamic_cast<const sc_core::sc_module*>(child) != nullptr;
    const std::string name = child->basename();
    if (!module && kind.find("socket") == std::string::npos) continue;
    out << std::string(2 * depth, ' ') << name
        << (module                                        ? ""
            : kind.find("initiator") != std::string::npos ? " ->"
                                                          : " <-")
        << '\n';
    if (module) list(*child, depth + 1, out);
  }
}

TEST(InstructionPath, ModulesAndSocketsAreAsTheDocsDrawThem) {
  std::string tree;
  small_run::Request request;
  request.body = kBody;
  request.inspect = [&](Gpu& gpu) {
    std::ostringstream out;
    list(gpu.sm(0), 0, out);
    tree = out.str();
  };
  small_run::run_timed(request);
  std::ifstream file("docs/modules.md");
  std::stringstream docs;
  docs << file.rdbuf();
  EXPECT_NE(docs.str().find("```\n" + tree + "```"), std::string::npos)
      << "docs/modules.md should draw this tree:\n"
      << tree;
}

}  // namespace
}  // namespace heddle
