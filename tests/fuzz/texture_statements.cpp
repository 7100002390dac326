#include <fmt/format.h>

#include "tests/fuzz/body_generator.h"

namespace heddle::fuzz {

void BodyGenerator::look_up() {
  const auto w = [&] { return variable('w'); };
  const auto f = [&] { return variable('f'); };
  switch (dice_.pick(6)) {
    case 0:
      line(fmt::format("and.b32 %t0, {}, 1023;", w()));
      line(fmt::format("{}tex.1d.v4.u32.s32 {}, [line, {{%t0}}];", guard(), run_of('w', 4)));
      return;
    case 1:
      return line(
          fmt::format("{}tex.2d.v4.f32.f32 {}, [plane, {{{}, {}}}];", guard(), run_of('f', 4), f(), f()));
    case 2:
      return line(fmt::format("{}tex.3d.v4.f32.f32 {}, [volume, {{{}, {}, {}, {}}}];", guard(),
                              run_of('f', 4), f(), f(), f(), f()));
    case 3:
      return line(fmt::format("{}tex.a2d.v4.s32.s32 {}, [layers, {{{}, {}, {}, {}}}];", guard(),
                              run_of('w', 4), w(), w(), w(), w()));
    case 4:
      return line(
          fmt::format("{}tld4.g.2d.v4.f32.f32 {}, [plane, {{{}, {}}}];", guard(), run_of('f', 4), f(), f()));
    default:
      return line(fmt::format("{}txq.{}.b32 {}, [{}];", guard(),
                              dice_.choose({"width", "height", "channel_order"}), w(),
                              dice_.choose({"line", "plane", "volume", "layers"})));
  }
}

}  // namespace heddle::fuzz
