// Tests flow control on the instruction path. A module that refuses an instruction may promise to notify the
// sender when the module has room. It must keep this promise.

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <vector>

#include "models/ports/instruction_path.h"
#include "tests/support/simulation.h"

namespace heddle {
namespace {

class Actor : public ClockedModule {
 public:
  Actor(const sc_core::sc_module_name& name, Clock& clock) : ClockedModule(name, clock) {}
  std::function<void(Cycle)> act = [](Cycle) {};

 private:
  void tick() override {
    act(now());
    if (now() < 20) clock().wake();
  }
};

class Sender : public Actor, private NoteListener {
 public:
  using Actor::Actor;
  InstructionOutlet outlet{"out", this};
  std::vector<Cycle> heard;

 private:
  void receive(InstructionTransfer& note) override {
    EXPECT_EQ(note.note, ArrowNote::room);
    heard.push_back(now());
  }
};

class Reader : public Actor {
 public:
  using Actor::Actor;
  InstructionInlet inlet{"in", *this, 2};
};

struct Arrow {
  testing_support::Simulation simulation;
  RunStatus status;
  Clock clock{"clock", sc_core::sc_time(1, sc_core::SC_NS), status};
  Sender sender{"sender", clock};
  Reader reader{"reader", clock};
  InstructionTap tap{"tap"};
  std::array<InFlight, 4> items;

  Arrow() {
    sender.outlet.socket.bind(tap.socket);
    tap.below.socket.bind(reader.inlet.socket);
  }
  void run() {
    clock.start(1);
    sc_core::sc_start();
  }
};

TEST(ArrowRoom, RoomIsReportedOnceAfterARefusalThroughAllTaps) {
  Arrow a;
  std::vector<Cycle> refused, took;
  a.sender.act = [&](Cycle now) {
    if (now > 3 && now != 8) return;
    if (a.sender.outlet.offer(&a.items[now % 4]))
      took.push_back(now);
    else if (a.sender.outlet.room_follows())
      refused.push_back(now);
  };
  a.reader.act = [&](Cycle now) {
    if (now == 7 || now == 9) a.reader.inlet.pop();
  };
  a.run();
  EXPECT_EQ(took, (std::vector<Cycle>{1, 2, 8}));
  EXPECT_EQ(refused, (std::vector<Cycle>{3}));
  EXPECT_EQ(a.sender.heard, (std::vector<Cycle>{7})) << "a place that nobody was refused is no news";
}

// The reader runs before the sender, and frees an entry of the queue in the cycle in which the sender is
// refused. The sender can use the entry in the next cycle, in which it tries again without a notification. So
// the queue must not promise a notification.
TEST(ArrowRoom, IsNotPromisedWhereAPlaceBecameFreeInTheCycle) {
  Arrow a;
  bool refused = false, promised = true, taken = false;
  a.sender.act = [&](Cycle now) {
    if (now <= 2) {
      EXPECT_TRUE(a.sender.outlet.offer(&a.items[now]));
    }
    if (now == 5) {
      a.reader.inlet.pop();
      refused = !a.sender.outlet.offer(&a.items[0]);
      promised = a.sender.outlet.room_follows();
    }
    if (now == 6) taken = a.sender.outlet.offer(&a.items[0]);
  };
  a.run();
  EXPECT_TRUE(refused);
  EXPECT_FALSE(promised);
  EXPECT_TRUE(taken);
  EXPECT_TRUE(a.sender.heard.empty());
}

}  // namespace
}  // namespace heddle
