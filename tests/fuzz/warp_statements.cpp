#include <fmt/format.h>

#include "tests/fuzz/body_generator.h"

namespace heddle::fuzz {

// Returns the member mask of an operation across lanes. The mask has all lanes, the active lanes, or the
// lanes that a ballot returns.
std::string BodyGenerator::member_mask() {
  switch (dice_.pick(4)) {
    case 0:
      line("activemask.b32 %t7;");
      return "%t7";
    case 1:
      line(fmt::format("vote.sync.ballot.b32 %t7, {}, -1;", predicate()));
      return "%t7";
    default:
      return dice_.choose({"-1", "0xffffffff", "0x0000ffff"});
  }
}

void BodyGenerator::across_lanes() {
  const std::string mask = member_mask();
  const std::string second = dice_.chance(50) ? "|" + predicate() : "";
  switch (dice_.pick(9)) {
    case 0:
    case 1: {
      const std::string mode = dice_.choose({"up", "down", "bfly", "idx"});
      const std::string clamp =
          mode == "up" ? dice_.choose({"0", "0x1000", "0x1800"}) : dice_.choose({"31", "0x181f", "0x1c1f"});
      return line(fmt::format(
          "{}shfl.sync.{}.b32 {}{}, {}, {}, {}, {};", guard(), mode, variable('w'), second, variable('w'),
          dice_.chance(70) ? std::to_string(dice_.pick(32)) : variable('w'), clamp, mask));
    }
    case 2:
      return line(fmt::format("{}shfl.{}.b32 {}{}, {}, {}, 31;", guard(),
                              dice_.choose({"down", "bfly", "idx"}),
                              dice_.chance(50) ? variable('w') : variable('f'), second,
                              dice_.chance(50) ? variable('w') : variable('f'), dice_.pick(32)));
    case 3:
      return line(fmt::format("{}vote.sync.{}.pred {}, {}{}, {};", guard(),
                              dice_.choose({"all", "any", "uni"}), predicate(), dice_.choose({"", "!"}),
                              predicate(), mask));
    case 4:
      return line(fmt::format("{}vote.sync.ballot.b32 {}, {}{}, {};", guard(), variable('w'),
                              dice_.choose({"", "!"}), predicate(), mask));
    case 5:
      if (dice_.chance(50)) return line(fmt::format("vote.ballot.b32 {}, {};", variable('w'), predicate()));
      return line(
          fmt::format("vote.{}.pred {}, {};", dice_.choose({"all", "any", "uni"}), predicate(), predicate()));
    case 6: {
      const bool wide = dice_.chance(40);
      line(fmt::format("and.b{} {}, {}, 3;", wide ? 64 : 32, wide ? "%e3" : "%t6",
                       variable(wide ? 'd' : 'w')));
      const std::string value = wide ? "%e3" : "%t6";
      if (dice_.chance(50))
        return line(fmt::format("{}match.any.sync.b{} {}, {}, {};", guard(), wide ? 64 : 32, variable('w'),
                                value, mask));
      return line(fmt::format("{}match.all.sync.b{} {}{}, {}, {};", guard(), wide ? 64 : 32, variable('w'),
                              second, value, mask));
    }
    case 7:
      return line(fmt::format("{}redux.sync.{} {}, {}, {};", guard(),
                              dice_.choose({"add.u32", "add.s32", "min.u32", "min.s32", "max.u32", "max.s32",
                                            "and.b32", "or.b32", "xor.b32"}),
                              variable('w'), variable('w'), mask));
    default:
      if (dice_.chance(50)) return line(fmt::format("activemask.b32 {};", variable('w')));
      return line(fmt::format("bar.warp.sync {};", mask));
  }
}

}  // namespace heddle::fuzz
