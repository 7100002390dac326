// Tests which execution unit an instruction issues to, if its instruction class has several units.

#include <gtest/gtest.h>

#include <array>
#include <random>

#include "models/exec/cluster_choice.h"

namespace heddle {
namespace {

// The unit with the fewest waiting instructions must be chosen. If several units have equally few waiting
// instructions, the next of these units in turn must be chosen. With `lowest`, the unit with the lowest
// number must be chosen instead.
TEST(ClusterChoice, TakesTheUnitWithTheFewestThatWait) {
  for (const char* among_equals : {"in-turn", "lowest"})
    for (const bool shared : {false, true}) {
      UnitParameters parameters;
      parameters.clusters = 5;
      parameters.cluster_choice = among_equals;
      parameters.shared_dispatch_port = shared;
      ClusterChoice choice(parameters);
      std::array<std::array<int, 5>, 2> waiting{};
      std::array<int, 2> turn{};
      std::mt19937 random(7);
      for (int step = 0; step < 5000; ++step) {
        const auto unit = random() % 2 ? isa::UnitClass::fp : isa::UnitClass::int_;
        const auto c = static_cast<std::size_t>(unit);
        std::array<int, 5>& wait = waiting[shared ? 0 : c];
        const auto awake = static_cast<UnitSet>(random() % 32);
        int best = -1;
        for (int k = 0; k < 5; ++k) {
          const int u = (k + (parameters.cluster_choice == "in-turn" ? turn[c] : 0)) % 5;
          const auto i = static_cast<std::size_t>(u);
          if ((awake >> u & 1) && (best < 0 || wait[i] < wait[static_cast<std::size_t>(best)])) best = u;
        }
        ASSERT_EQ(choice.choose(unit, awake), best) << "step " << step;
        turn[c] = (best + 1) % 5;
        if (best >= 0) {
          choice.issued(unit, best);
          ++wait[static_cast<std::size_t>(best)];
        }
        const std::size_t leaves = random() % 5;
        if (wait[leaves] == 0) continue;
        choice.dispatched(unit, static_cast<int>(leaves));
        --wait[leaves];
      }
    }
}

}  // namespace
}  // namespace heddle
